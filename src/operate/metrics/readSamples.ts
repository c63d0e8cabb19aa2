import { LANES, reserveAbove } from '../../budget/index.ts';
import type { BotConfig } from '../../config/index.ts';
import { KILL_LEVELS, STAGES, type Bot, type BotPlan } from '../../runtime/index.ts';
import { MALFORMED, MALFORMED_EXIT } from '../state/createIntentTrack.ts';
import type { BotBlock, BotState, BotView, PositionRow } from '../state/index.ts';
import type { Sample } from './createPrometheusMetrics.ts';

export interface SampleSources {
  state: Pick<BotState, 'view' | 'intents'>;
  bot: Pick<Bot, 'exitWeight'>;
  plan: Pick<BotPlan, 'strategies' | 'budget'>;
  config: Pick<BotConfig, 'operate'>;
}

/** The metrics that a bot's state has. */
export function readSamples({ state, bot, plan, config }: SampleSources): Sample[] {
  const view = state.view();
  return [
    ...ofBot(view),
    ...ofWallets(view, plan),
    ...ofPositions(view, plan),
    ...ofLimits(config),
    ...ofStrategies(view),
    ...ofIntents(view, state.intents),
    ...ofBudget(view, { bot, plan }),
    ...ofFeeds(view),
  ];
}

const toBit = (is: boolean): number => (is ? 1 : 0);

function ofBot({ blocks: { bot, connection } }: BotView): Sample[] {
  const isOpen = connection.state === 'open';
  const level = KILL_LEVELS.findIndex((known) => known === bot.kill_level);
  return [
    { name: 'build_info', value: 1, labels: { version: bot.version, kind: bot.kind ?? '' } },
    { name: 'up', value: toBit(isOpen && bot.key_refused === null) },
    { name: 'kill_level', value: level },
    { name: 'entries_open', value: toBit(isOpenFor(bot, level)) },
    { name: 'key_refused', value: toBit(bot.key_refused !== null) },
    { name: 'stream_connected', value: toBit(isOpen) },
    { name: 'stream_reconnects_total', value: connection.reconnects },
  ];
}

/** One closed wallet is enough for 0: an operator has to look. */
const isOpenFor = ({ gate, closed_wallets: closed }: BotBlock, level: number): boolean =>
  gate.length === 0 && level === 0 && closed.length === 0;

function ofWallets({ blocks }: BotView, { strategies }: SampleSources['plan']): Sample[] {
  const wallets = new Set(strategies.map(({ wallet }) => wallet));
  const unowned = (name: string, ownership: PositionRow['ownership']): Sample[] =>
    [...wallets].map((wallet) => ({
      name,
      labels: { wallet },
      value: blocks.positions.filter((row) => row.wallet === wallet && row.ownership === ownership)
        .length,
    }));
  return blocks.wallets
    .flatMap(({ wallet, equity, day_pnl, day_loss_limit }): Sample[] => {
      const labels = { wallet };
      return [
        { name: 'equity', value: equity, labels },
        ...closuresOf(blocks, wallet),
        ...(day_pnl === null ? [] : [{ name: 'day_pnl', value: day_pnl, labels }]),
        ...(day_loss_limit === null
          ? []
          : [{ name: 'day_loss_limit', value: day_loss_limit, labels }]),
      ];
    })
    .concat(unowned('orphan_positions', 'orphan'), unowned('ignored_positions', 'ignored'));
}

/** Of the wallet alone: what closes the bot's gate, or a level, closes every wallet. */
function closuresOf({ bot }: BotView['blocks'], wallet: string): Sample[] {
  const labels = { wallet };
  const isOpen = bot.closed_wallets.every((one) => one.wallet !== wallet);
  const symbols = bot.closed_symbols.filter((one) => one.wallet === wallet);
  return [
    { name: 'wallet_entries_open', value: toBit(isOpen), labels },
    { name: 'closed_symbols', value: symbols.length, labels },
  ];
}

/** Of the plan's symbols only, flat ones included; what others have on the wallet counts as an orphan. */
function ofPositions({ blocks, time }: BotView, { strategies }: SampleSources['plan']): Sample[] {
  return strategies.flatMap(({ name: strategy, wallet, symbols }) =>
    symbols.flatMap((symbol): Sample[] => {
      const found = blocks.positions.filter(
        (position) => position.wallet === wallet && position.symbol === symbol,
      );
      const held = found[0];
      // As the alerts have it: what an operator has the bot ignore is not the bot's to cover.
      const since = held?.ownership === 'ignored' ? null : (held?.uncovered_since ?? null);
      const signed = (held?.side === 'short' ? -1 : 1) * (held?.notional ?? 0);
      const owner = held === undefined ? strategy : (held.owner ?? '');
      return [
        {
          name: 'position_notional',
          value: signed,
          labels: { wallet, strategy: owner, symbol },
        },
        {
          name: 'uncovered_seconds',
          value: since === null ? 0 : Math.max(0, time - since) / 1_000,
          labels: { wallet, symbol },
        },
      ];
    }),
  );
}

/** A bot that is meant to run without stops has none. */
function ofLimits({ operate }: SampleSources['config']): Sample[] {
  const seconds = operate?.uncoveredSeconds ?? null;
  return seconds === null ? [] : [{ name: 'uncovered_limit_seconds', value: seconds }];
}

function ofStrategies({ blocks }: BotView): Sample[] {
  return blocks.strategies.flatMap(({ name, life, paused, throttled, stage }): Sample[] => {
    const labels = { strategy: name };
    return [
      { name: 'strategy_paused', value: toBit(paused !== null), labels },
      { name: 'strategy_throttled', value: toBit(throttled !== null), labels },
      { name: 'strategy_quarantined', value: toBit(life === 'quarantined'), labels },
      { name: 'strategy_stage', value: STAGES.indexOf(stage ?? 'shadow'), labels },
    ];
  });
}

/** Terms of our own are short; anything else is one value. */
const TERM = /^[\w.-]{1,60}$/;

function ofIntents({ blocks }: BotView, intents: BotState['intents']): Sample[] {
  const countOf = (state: string): number =>
    blocks.unanswered.filter((one) => one.state === state).length;
  const steps = [...intents.steps()].map(([step, value]): Sample => {
    const [kind = '', state = ''] = step.split(' ');
    return { name: 'intents_total', value, labels: { kind, state } };
  });
  // From 0, so that the first one is an increase.
  const none = { [MALFORMED]: 0, [MALFORMED_EXIT]: 0 };
  const denied = Object.entries({ ...none, ...intents.denied() }).map(([by, value]): Sample => {
    return { name: 'denied_total', value, labels: { guard: TERM.test(by) ? by : 'other' } };
  });
  return [
    ...steps,
    ...denied,
    { name: 'unknown_intents', value: countOf('unknown') },
    { name: 'unresolved_intents', value: countOf('unresolved') },
  ];
}

function ofBudget(
  { blocks: { budget } }: BotView,
  { bot, plan }: Pick<SampleSources, 'bot' | 'plan'>,
): Sample[] {
  const { reserveShare, reserveFloor } = plan.budget;
  const exitWeight = bot.exitWeight();
  const reserves = { allowance: budget.allowance, reserveShare, reserveFloor, exitWeight };
  const deferred: Record<string, number> = Object.fromEntries(LANES.map((lane) => [lane, 0]));
  for (const [by, count] of Object.entries(budget.deferred)) {
    const lane = TERM.test(by) ? by : 'other';
    deferred[lane] = (deferred[lane] ?? 0) + count;
  }
  return [
    ...LANES.map((lane): Sample => {
      const room = budget.allowance - reserveAbove(lane, reserves);
      // Where the reserves take everything, the lane waits.
      const value = room > 0 ? budget.used / room : 1;
      return { name: 'budget_used_ratio', value, labels: { lane } };
    }),
    ...Object.entries(deferred).map(([lane, value]): Sample => ({
      name: 'deferred',
      value,
      labels: { lane },
    })),
  ];
}

/** A feed without any bar is as old as the process: absent, it would never be an alert. */
function ofFeeds({ blocks, time, wall_time }: BotView): Sample[] {
  const up = wall_time - blocks.bot.wall_started;
  return blocks.feeds.map(({ symbol, close_time }): Sample => {
    const value = Math.max(0, close_time === null ? up : time - close_time) / 1_000;
    return { name: 'market_data_age_seconds', value, labels: { symbol } };
  });
}
