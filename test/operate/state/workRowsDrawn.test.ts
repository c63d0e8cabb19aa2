/** The open orders and running executions of each wallet, as an operator reads them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBlocks, type BlockSources } from '../../../src/operate/state/readBlocks.ts';
import { holdLaw } from '../../holdLaw.ts';

const WALLETS = ['main', 'side'] as const;

const shared = {
  symbol: fc.constantFrom('BTC', 'ETH'),
  side: fc.constantFrom('buy', 'sell'),
  reduce_only: fc.boolean(),
  created_time: fc.integer({ min: 1_000, max: 1_999 }),
  filled_size: fc.integer({ min: 0, max: 9 }),
};
const order = fc.record({
  ...shared,
  order_id: fc.uuid(),
  client_order_id: fc.uuid(),
  execution_id: fc.constantFrom(null, undefined, 'exe_1'),
  order_type: fc.constantFrom('limit', 'stop_market'),
  size: fc.integer({ min: 10, max: 19 }),
  price: fc.constantFrom(null, undefined, 90, 110),
  status: fc.constantFrom('open', 'partially_filled'),
});
const execution = fc.record({
  ...shared,
  execution_id: fc.uuid(),
  algo: fc.constantFrom('twap', 'chase'),
  total_size: fc.integer({ min: 20, max: 29 }),
  remaining_size: fc.integer({ min: 30, max: 39 }),
  progress: fc.constantFrom(0, 0.25, 0.5),
  status: fc.constantFrom('running', 'paused'),
  phase: fc.constantFrom('working', 'waiting'),
});
const drawn = fc.record({
  orders: fc.tuple(fc.array(order, { maxLength: 3 }), fc.array(order, { maxLength: 3 })),
  executions: fc.tuple(
    fc.array(execution, { maxLength: 3 }),
    fc.array(execution, { maxLength: 3 }),
  ),
});

test('each row says what its record says, of its wallet and of who owns the symbol there', async () => {
  await holdLaw(100, drawn, ({ orders, executions }) => {
    const at = (wallet: string) => WALLETS.indexOf(wallet as 'main');
    // On the first wallet one strategy owns BTC; on the second another owns ETH.
    const ownerOf = (wallet: string, symbol: string): string | null => {
      if (wallet === 'main') return symbol === 'BTC' ? 'trend' : null;
      return symbol === 'ETH' ? 'range' : null;
    };
    const sources = {
      bot: {
        book: (wallet: string) => ({
          account: () => undefined,
          openPositions: () => [],
          spotHoldings: () => [],
          openOrders: () => orders[at(wallet)],
          liveExecutions: () => executions[at(wallet)],
        }),
        coverage: { uncovered: () => [] },
        spotPositions: () => [],
        hosts: [],
        budget: () => ({ used: 0, limit: 1, allowance: 1, heldForMs: 0 }),
        budgetUse: () => ({ spent: {}, peak: 0 }),
        ownerOf: (wallet: string, symbol: string) => {
          const strategy = ownerOf(wallet, symbol);
          return strategy === null ? { kind: 'orphan' } : { kind: 'owned', strategy };
        },
      },
      config: { strategies: [], guards: {} },
      wallets: WALLETS,
      symbols: [],
      intents: { unanswered: () => [], deferred: () => ({}) },
      comparisons: () => [],
      rowsOf: () => [],
    } as unknown as BlockSources;

    const { orders: orderRows, executions: executionRows } = readBlocks(sources, 0);
    expect(orderRows).toEqual(
      WALLETS.flatMap((wallet) =>
        orders[at(wallet)]!.map(({ client_order_id: _id, execution_id, price, ...known }) => ({
          ...known,
          wallet,
          execution_id: execution_id ?? null,
          price: price ?? null,
          owner: ownerOf(wallet, known.symbol),
        })),
      ),
    );
    expect(executionRows).toEqual(
      WALLETS.flatMap((wallet) =>
        executions[at(wallet)]!.map(({ remaining_size: _size, ...known }) => ({
          ...known,
          wallet,
          owner: ownerOf(wallet, known.symbol),
        })),
      ),
    );
  });
});
