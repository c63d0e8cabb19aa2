import type { BotConfig } from '../../config/index.ts';
import type { Bot, RunRecord, Unanswered } from '../../runtime/index.ts';
import type { ClosingFigures } from '../progress/index.ts';
import type { RunFigures } from '../report/index.ts';

/**
 * Figures of a run's closing table. An intent that is journaled as sent without a response is unknown,
 * whether an earlier process or the stop itself sent it.
 */
export function toClosingFigures(run: {
  config: BotConfig;
  bot: Bot;
  record: RunRecord;
  unanswered: readonly Unanswered[];
}): ClosingFigures {
  const { config, bot, record, unanswered } = run;
  const strategies = config.strategies.map(({ name }) => {
    const figures = figuresOf(bot, record, name);
    const unknown = unanswered.filter(({ instance }) => instance === name).length;
    return { name, ...figures, intents: { ...figures.intents, unknown } };
  });
  const totals = totalsOf(strategies, { bot, record });
  const intents = { ...totals.intents, unknown: unanswered.length };
  return { strategies, totals: { ...totals, intents }, hash: record.hash() };
}

/** Figures of all instances; drawdowns don't add up, so the total's comes from the record. */
export function totalsOf(
  rows: readonly RunFigures[],
  { bot, record }: { bot: Bot; record: RunRecord },
): ClosingFigures['totals'] {
  return {
    ...sumOf(rows),
    max_drawdown: record.drawdown.amount,
    max_drawdown_share: record.drawdown.share,
    rate_limited: record.rateLimited,
    uncovered: {
      total_seconds: bot.coverage.totalSeconds(),
      longest_seconds: bot.coverage.longestSeconds(),
    },
  };
}

/** Activity and P&L of one instance. */
export function figuresOf(bot: Bot, record: RunRecord, name: string): RunFigures {
  const ledger = bot.ledgerOf(name).summary();
  return {
    intents: record.counts(name),
    fills: ledger.fills,
    fees: ledger.fees,
    funding: ledger.funding,
    pnl: ledger.netPnl,
    max_drawdown: ledger.maxDrawdown,
    max_drawdown_share: ledger.maxDrawdownShare,
  };
}

function sumOf(
  rows: readonly RunFigures[],
): Omit<RunFigures, 'max_drawdown' | 'max_drawdown_share'> {
  const sum = (pick: (row: RunFigures) => number): number =>
    rows.reduce((total, row) => total + pick(row), 0);
  return {
    intents: {
      emitted: sum((row) => row.intents.emitted),
      denied: sum((row) => row.intents.denied),
      accepted: sum((row) => row.intents.accepted),
      rejected: sum((row) => row.intents.rejected),
      unknown: sum((row) => row.intents.unknown),
      expired: sum((row) => row.intents.expired),
    },
    fills: sum((row) => row.fills),
    fees: sum((row) => row.fees),
    funding: sum((row) => row.funding ?? 0),
    pnl: sum((row) => row.pnl),
  };
}
