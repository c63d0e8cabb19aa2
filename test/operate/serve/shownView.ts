import type { CandlesView, EventRow, WholeView } from '../../../src/operate/state/index.ts';

/** Market time of the views. */
export const MARKET = Date.UTC(2025, 0, 4, 12, 20, 30);
/** Wall time of the views: the market is a replay of the past. */
export const WALL = Date.UTC(2026, 5, 7, 23, 59, 50);

export const line = (sequence: number, more: Partial<EventRow> = {}): EventRow => ({
  sequence,
  time: MARKET - 1_000,
  wall_time: WALL - 1_000,
  level: 'info',
  text: `Line ${sequence}`,
  fields: {},
  ...more,
});

/** A strategy of a view, whose last intent is named after it. */
export const strategyOf = (name: string, more: object = {}) => ({
  name,
  plugin: `./${name}.ts`,
  wallet: 'main',
  symbols: ['BTC'],
  life: 'running',
  fault: null,
  paused: null,
  stage: null,
  throttled: null,
  bar_symbol: 'BTC',
  bar_time: MARKET,
  intent: { key: `key of ${name}`, kind: 'launch', symbol: 'BTC', state: 'accepted', time: MARKET },
  emitted: 1,
  accepted: 1,
  denied: {},
  net_pnl: 0,
  realized_pnl: 0,
  unrealized_pnl: 0,
  fees: 0,
  funding: 0,
  fills: 0,
  shadow: null,
  ...more,
});

/** What a bot on a good day shows, with other blocks. */
export function viewOf(blocks: object = {}, more: object = {}): WholeView {
  return {
    sequence: 1,
    time: MARKET,
    wall_time: WALL,
    control: true,
    events: [line(1)],
    blocks: {
      bot: {
        name: 'shown',
        kind: 'paper_service',
        version: '1.2.3',
        config_hash: '0123456789abcdef0123',
        service: 'localhost:1',
        wall_started: WALL - 3_600_000,
        kill_level: 'L0',
        kill_reason: null,
        gate: [],
        closed_wallets: [],
        closed_symbols: [],
        key_refused: null,
      },
      connection: { state: 'open', reason: null, wall_since: WALL - 120_000, reconnects: 0 },
      feeds: ['BTC', 'ETH/USDC'].map((symbol) => {
        return { symbol, price: 9, close_time: MARKET, interval_ms: 60_000 };
      }),
      wallets: [],
      positions: [],
      strategies: [strategyOf('one'), strategyOf('two')],
      orders: [],
      executions: [],
      unanswered: [],
      budget: {
        used: 30,
        limit: 1_200,
        allowance: 1_080,
        peak: 270,
        held_until: null,
        spent: { exits: 20, entries: 10 },
        deferred: { clock: 2 },
      },
      ...blocks,
    },
    ...more,
  } as unknown as WholeView;
}

/** Ten bars of a symbol. */
export function candlesOf(symbol: string, more: Partial<CandlesView> = {}): CandlesView {
  const bars = Array.from({ length: 10 }, (_none, at) => at);
  const close = symbol.length;
  return {
    symbol,
    interval_ms: 60_000,
    time: bars.map((at) => MARKET - (MARKET % 60_000) - (10 - at) * 60_000),
    open: bars.map(() => close),
    high: bars.map(() => close + 1),
    low: bars.map(() => close - 1),
    close: bars.map(() => close),
    fills: [],
    intents: [],
    ...more,
  } as CandlesView;
}
