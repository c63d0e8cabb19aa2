import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MonitorRecord } from '../../../src/contract/index.ts';
import { createWalletBook } from '../../../src/runtime/wallet/createWalletBook.ts';
import type { WalletBook } from '../../../src/runtime/wallet/WalletBook.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { account, execution, fill, order, position } from '../../streams/records.ts';

/** The symbols on which something is held or may come are asked for at each decision, and found again when they change. */

const symbol = fc.constantFrom('BTC', 'ETH', 'SOL');
const symbols = fc.uniqueArray(symbol, { maxLength: 2 });
const step = fc.oneof(
  fc.record({ what: fc.constant('model' as const), held: symbols, ordered: symbols }),
  fc.record({ what: fc.constant('holding' as const), total: fc.nat(1) }),
  fc.record({ what: fc.constantFrom('fill' as const, 'shown' as const), symbol }),
  fc.record({ what: fc.constantFrom('executions' as const, 'monitors' as const), of: symbols }),
);

/** Monitors that place orders on these symbols. */
const monitorsOf = (of: readonly string[]): MonitorRecord[] =>
  of.map(
    (each) =>
      ({
        monitor_id: `mon_${each}`,
        status: 'armed',
        trigger: { type: 'price_level', symbol: each, price: 90 },
        action: { type: 'order', request: { symbol: each, side: 'buy', size: 1 } },
      }) as unknown as MonitorRecord,
  );

/** A book, and what plays a step on it: each starts from the same snapshot. */
function openBook(): { book: WalletBook; play: (step: Step) => void } {
  const book = createWalletBook({
    priceOf: () => 100,
    isListed: () => false,
    isAwaited: () => false,
    now: () => 0,
  });
  let model = {
    wallet: 'main',
    version: 1,
    time: 0,
    complete: true,
    account,
    positions: new Map(),
    balances: new Map(),
    openOrders: new Map(),
  } as Parameters<typeof book.model>[0];
  book.model(model);
  return {
    book,
    play(one) {
      if (one.what === 'model') {
        const positions = new Map(one.held.map((each) => [each, position(1, each)]));
        const openOrders = new Map(
          one.ordered.map((each) => [`o_${each}`, { ...order(`o_${each}`), symbol: each }]),
        );
        book.model((model = { ...model, positions, openOrders }));
      }
      if (one.what === 'holding') {
        const { total } = one;
        const hype = { asset: 'HYPE', total, available: total, held: 0 };
        book.model((model = { ...model, balances: new Map([['HYPE', hype]]) }));
      }
      if (one.what === 'fill') book.fillInTurn({ ...fill('f'), symbol: one.symbol });
      if (one.what === 'shown') book.positionShown(one.symbol);
      if (one.what === 'executions')
        book.executions(
          one.of.map((each) => ({
            ...execution(`e_${each}`),
            symbol: each,
            client_execution_id: `c_${each}`,
          })),
        );
      if (one.what === 'monitors') book.monitors(monitorsOf(one.of));
    },
  };
}

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

test('what was asked before changes no answer', async () => {
  const tried = new Tried();
  await holdLaw(1_500, fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
    const asked = openBook();
    let before = asked.book.exposedSymbols();
    for (const [at, one] of steps.entries()) {
      asked.play(one);
      const fresh = openBook();
      for (const each of steps.slice(0, at + 1)) fresh.play(each);
      const now = asked.book.exposedSymbols();
      expect(now).toEqual(fresh.book.exposedSymbols());
      if (now.length !== before.length) tried.take(one.what);
      before = now;
    }
  });
  const all = ['model', 'holding', 'fill', 'shown', 'executions', 'monitors'];
  expect(tried.rare(all, 5)).toEqual([]);
});
