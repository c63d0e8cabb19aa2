import fc from 'fast-check';
import type {
  BotView,
  FeedRow,
  PositionRow,
  StrategyRow,
  UnansweredRow,
  WalletRow,
} from '../../src/operate/state/index.ts';

const WALLETS = ['main', 'side'] as const;
const SYMBOLS = ['BTC', 'ETH'] as const;
const TIME = 1_780_000_000_000;
const since = fc.constantFrom(
  null,
  TIME - 120_000,
  TIME - 60_000,
  TIME - 59_999,
  TIME - 5_000,
  TIME,
);

const wallet = fc.record({
  equity: fc.constantFrom(1_000, 25),
  day_pnl: fc.constantFrom(null, 150, 0, -79, -80, -81, -99, -100, -101, -200),
  day_loss_limit: fc.constantFrom(null, 100, 100),
  day_loss_reached: fc.constantFrom(null, null, 99, 100, 130),
});
const position = fc.record({
  wallet: fc.constantFrom(...WALLETS),
  symbol: fc.constantFrom(...SYMBOLS),
  side: fc.constantFrom('long', 'short'),
  notional: fc.constantFrom(50, 700, null),
  uncovered_since: since,
  ownership: fc.constantFrom(
    'owned' as const,
    'ignored' as const,
    'orphan' as const,
    'unmanaged' as const,
  ),
});
const strategy = fc.record({
  name: fc.constantFrom('one', 'two'),
  life: fc.constantFrom('running' as const, 'quarantined' as const, 'waiting' as const),
  paused: fc.constantFrom(null, 'by hand'),
  throttled: fc.constantFrom(null, 'too many entries'),
  stage: fc.constantFrom('shadow' as const, 'canary' as const, 'live' as const),
  fault: fc.constantFrom(null, 'it threw'),
});
const feed = fc.record({
  symbol: fc.constantFrom(...SYMBOLS),
  interval_ms: fc.constantFrom(null, 60_000, 3_600_000),
  /** Its age. */
  age: fc.constantFrom(null, 0, 179_999, 180_000, 180_001, 7_259_999, 7_260_000),
});
const unanswered = fc.record({
  key: fc.constantFrom('k1', 'k2', 'k3'),
  state: fc.constantFrom('unknown' as const, 'unresolved' as const),
  time: fc.constantFrom(TIME - 60_000, TIME - 59_999, TIME),
});

/** What a view may show, as far as alerts and metrics read it; each place, name and key is once in it. */
export const anyView: fc.Arbitrary<BotView> = fc
  .record({
    level: fc.constantFrom('L0', 'L0', 'L1', 'L2', 'L3', 'L4'),
    gate: fc.constantFrom([], ['starting']),
    closed: fc.constantFrom([], [], ['main']),
    refused: fc.constantFrom(null, null, '', 'key_revoked'),
    connection: fc.constantFrom('open', 'open', 'lost', 'connecting' as const),
    reconnects: fc.nat(3),
    wallets: fc.tuple(wallet, wallet),
    positions: fc.uniqueArray(position, {
      maxLength: 4,
      selector: (row) => `${row.wallet} ${row.symbol}`,
    }),
    strategies: fc.uniqueArray(strategy, { maxLength: 2, selector: ({ name }) => name }),
    feeds: fc.uniqueArray(feed, { maxLength: 2, selector: ({ symbol }) => symbol }),
    unanswered: fc.uniqueArray(unanswered, { maxLength: 3, selector: ({ key }) => key }),
    held: fc.constantFrom(null, null, TIME + 1_000),
    used: fc.constantFrom(0, 300, 900),
    deferred: fc.constantFrom({}, { entry: 2 }, { entry: 1, 'a b': 2, 'c d': 3 }),
  })
  .map((one) => ({
    sequence: 1,
    time: TIME,
    wall_time: TIME + 1,
    blocks: {
      bot: {
        name: 'bot',
        kind: 'live',
        version: '1',
        config_hash: '',
        service: null,
        wall_started: 0,
        kill_level: one.level,
        kill_reason: one.level === 'L0' ? null : 'why',
        gate: one.gate,
        closed_wallets: one.closed.map((wallet) => ({ wallet, reason: 'why' })),
        closed_symbols: one.closed.map((wallet) => ({ wallet, symbol: 'BTC', reason: 'why' })),
        key_refused: one.refused,
      },
      connection: {
        state: one.connection as 'open',
        reason: null,
        wall_since: 0,
        reconnects: one.reconnects,
      },
      wallets: one.wallets.map(
        (row, at) => ({ wallet: WALLETS[at]!, ...row }) as unknown as WalletRow,
      ),
      positions: one.positions.map(
        (row) => ({ ...row, size: 1, uncovered: 1 }) as unknown as PositionRow,
      ),
      strategies: one.strategies.map((row) => row as unknown as StrategyRow),
      feeds: one.feeds.map(
        ({ symbol, interval_ms, age }) =>
          ({ symbol, interval_ms, close_time: age === null ? null : TIME - age }) as FeedRow,
      ),
      unanswered: one.unanswered.map(
        (row) =>
          ({
            ...row,
            kind: 'launch',
            symbol: 'BTC',
            wallet: 'main',
            reason: '',
            command: 'settle',
          }) as unknown as UnansweredRow,
      ),
      orders: [],
      executions: [],
      budget: {
        used: one.used,
        limit: 1_200,
        allowance: 1_000,
        peak: 0,
        held_until: one.held,
        spent: {},
        deferred: one.deferred,
      } as BotView['blocks']['budget'],
    },
  }));
