import type { BotConfig } from '../../config/index.ts';
import type { Bot } from '../../runtime/createBot.ts';
import type { RunRecord } from '../../runtime/createRunRecord.ts';
import type { ClosingFigures } from '../progress/index.ts';
import type { RunFigures } from '../report/index.ts';

/** What the closing table of a run shows. */
export function toClosingFigures(run: {
  config: BotConfig;
  bot: Bot;
  record: RunRecord;
}): ClosingFigures {
  const { config, bot, record } = run;
  const strategies = config.strategies.map(({ name }) => ({
    name,
    ...figuresOf(bot, record, name),
  }));
  return { strategies, totals: totalsOf(strategies, { bot, record }), hash: record.hash() };
}

/** Figures of all instances; drawdowns don't add up, so that of the whole is the record's own. */
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
      exposure_seconds: bot.coverage.exposureSeconds(),
      longest_seconds: bot.coverage.longestSeconds(),
    },
  };
}

/** What one instance did and earned. */
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
