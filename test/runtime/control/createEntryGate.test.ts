import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bulkCancel,
  createMonitor,
  launch,
  launchBasket,
  modifyOrder,
  placeOrder,
  type Intent,
} from '../../../src/intents/index.ts';
import { createEntryGate } from '../../../src/runtime/control/createEntryGate.ts';

const WALLETS = ['main', 'hedge'] as const;
const SYMBOLS = ['BTC', 'ETH', 'SOL'] as const;
const STRATEGIES = ['trend', 'carry'] as const;
const REASONS = ['starting', 'venue is degraded', 'kill level L1: tested'] as const;

const leg = (symbol: string) =>
  ({
    algo: 'pacemaker',
    symbol,
    side: 'buy',
    total_size: 1,
    params: { duration_seconds: 60 },
  }) as const;
const INTENTS: ReadonlyArray<{ intent: Intent; symbols: readonly string[] | 'any' }> = [
  { intent: placeOrder.market({ symbol: 'BTC', side: 'buy', size: 1 }), symbols: ['BTC'] },
  { intent: launch.pacemaker({ ...leg('ETH') }), symbols: ['ETH'] },
  {
    intent: launchBasket({ legs: [leg('SOL'), leg('ETH'), leg('BTC')] }),
    symbols: ['SOL', 'ETH', 'BTC'],
  },
  { intent: launchBasket({ legs: [leg('BTC'), leg('SOL')] }), symbols: ['BTC', 'SOL'] },
  { intent: modifyOrder({ order_id: 'ord_1' }, { price: 1 }), symbols: 'any' },
  { intent: bulkCancel(), symbols: 'any' },
];

const step = fc.oneof(
  fc.record({
    of: fc.constant('all' as const),
    reason: fc.constantFrom(...REASONS),
    isOpen: fc.boolean(),
  }),
  fc.record({
    of: fc.constant('symbol' as const),
    wallet: fc.constantFrom(...WALLETS),
    symbol: fc.constantFrom(...SYMBOLS),
    reason: fc.constantFrom('doubted', 'doubted again'),
    isOpen: fc.boolean(),
  }),
  fc.record({
    of: fc.constant('strategy' as const),
    instance: fc.constantFrom(...STRATEGIES),
    reason: fc.constantFrom('paused', 'paused again'),
    isOpen: fc.boolean(),
  }),
);

test('an intent passes if no reason is against it: in all, on one of its symbols, or for its strategy', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const gate = createEntryGate();
      const received: string[][] = [];
      gate.listen((reasons) => void received.push([...reasons]));
      const all: string[] = [];
      const closed = new Map<string, string>();
      const put = (name: string, reason: string, isOpen: boolean): void => {
        if (isOpen) closed.delete(name);
        else closed.set(name, reason);
      };
      for (const one of steps) {
        const before = received.length;
        if (one.of === 'all') {
          const isKnown = all.includes(one.reason);
          if (one.isOpen) gate.open(one.reason);
          else gate.close(one.reason);
          if (one.isOpen && isKnown) all.splice(all.indexOf(one.reason), 1);
          if (!one.isOpen && !isKnown) all.push(one.reason);
          // Listeners hear of changes, and of nothing else.
          expect(received.length - before).toBe(one.isOpen === isKnown ? 1 : 0);
          if (received.length > before) expect(received.at(-1)).toEqual(all);
        } else if (one.of === 'symbol') {
          if (one.isOpen) gate.openSymbol(one.wallet, one.symbol);
          else gate.closeSymbol(one.wallet, one.symbol, one.reason);
          put(`${one.wallet}/${one.symbol}`, one.reason, one.isOpen);
        } else {
          if (one.isOpen) gate.openStrategy(one.instance);
          else gate.closeStrategy(one.instance, one.reason);
          put(one.instance, one.reason, one.isOpen);
        }
        expect(gate.reasons()).toEqual(all);
        for (const instance of STRATEGIES)
          expect(gate.closedStrategy(instance)).toBe(closed.get(instance));
        for (const wallet of WALLETS) {
          const inWallet: readonly string[] = SYMBOLS.filter((symbol) =>
            closed.has(`${wallet}/${symbol}`),
          );
          expect([...gate.closedSymbols(wallet).keys()].toSorted()).toEqual(inWallet.toSorted());
          for (const { intent, symbols } of INTENTS) {
            for (const instance of [...STRATEGIES, undefined]) {
              const own = instance === undefined ? undefined : closed.get(instance);
              const entered =
                symbols === 'any' ? inWallet : symbols.filter((each) => inWallet.includes(each));
              const expected = [
                ...all,
                ...(own === undefined ? [] : [own]),
                ...entered.map((symbol) => closed.get(`${wallet}/${symbol}`)!),
              ];
              const emission = { wallet, intent, ...(instance === undefined ? {} : { instance }) };
              const given = gate.reasonFor(emission);
              const found =
                given === undefined ? [] : given.replace('entry gate: ', '').split(', ');
              expect(found.toSorted()).toEqual(expected.toSorted());
            }
          }
        }
      }
    }),
    { numRuns: 60 },
  );
});

const closedOn = (symbol: string) => {
  const gate = createEntryGate();
  gate.closeSymbol('main', symbol, `why ${symbol}`);
  return gate;
};
const change = { wallet: 'main', intent: modifyOrder({ order_id: 'ord_1' }, { price: 1 }) };

test('what the guards passed on a symbol waits for that one alone, though the intent names none', () => {
  const gate = closedOn('BTC');
  expect(gate.reasonFor(change, ['ETH'])).toBeUndefined();
  expect(gate.reasonFor(change, ['ETH', 'BTC', 'BTC'])).toBe('entry gate: why BTC');
  // As long as nobody knows what it opens, it may be anywhere.
  expect(gate.reasonFor(change, [])).toBe('entry gate: why BTC');
  expect(gate.reasonFor(change)).toBe('entry gate: why BTC');
});

test('a monitor enters on its action’s symbol, and not on its trigger’s', () => {
  const intent = createMonitor({
    trigger: { type: 'price_level', symbol: 'ETH', price: 1, direction: 'below' },
    action: { type: 'execute', request: leg('BTC') },
  });
  expect(closedOn('ETH').reasonFor({ wallet: 'main', intent })).toBeUndefined();
  expect(closedOn('BTC').reasonFor({ wallet: 'main', intent })).toBe('entry gate: why BTC');
});

test('a reason of one wallet closes no other', () => {
  const gate = createEntryGate();
  gate.close('not shown yet', 'main');
  const buy = placeOrder.market({ symbol: 'BTC', side: 'buy', size: 1 });
  expect(gate.reasonFor({ wallet: 'main', intent: buy })).toBe('entry gate: not shown yet');
  expect(gate.reasonFor({ wallet: 'hedge', intent: buy })).toBeUndefined();
  expect([gate.reasons('main'), gate.reasons('hedge')]).toEqual([['not shown yet'], []]);
  expect(gate.reasons()).toEqual(['not shown yet']);
  gate.close('starting');
  expect(gate.reasons('hedge')).toEqual(['starting']);
  gate.open('not shown yet');
  expect(gate.reasons('main')).toEqual(['starting']);
});
