import { describe, expect, test } from 'vitest';
import type { ComparedIntent } from '../../../src/operate/shadow/ComparedIntent.ts';
import { causeOfKey, contentOf } from '../../../src/operate/shadow/ComparedIntent.ts';
import { pairIntents } from '../../../src/operate/shadow/pairIntents.ts';

const buy = (given: Partial<ComparedIntent> = {}): ComparedIntent => ({
  cause: 'bar:BTC:1m:60000',
  ordinal: 0,
  time: 120_000,
  kind: 'place_order',
  symbol: 'BTC',
  side: 'buy',
  size: 1,
  outcome: 'accepted',
  ...given,
});

const differs = (one: ComparedIntent[], other: ComparedIntent[]) =>
  pairIntents(one, other, { sizeStep: () => 0.001 }).map((pair) => pair.differs);

describe('the intents of two versions', () => {
  test('are the same on one event, with sizes within a step', () => {
    expect(differs([buy()], [buy()])).toEqual([[]]);
    expect(differs([buy()], [buy({ size: 1.001 })])).toEqual([[]]);
    expect(differs([buy()], [buy({ size: 1.002 })])).toEqual([['size']]);
    expect(differs([buy()], [buy({ price: 5 })])).toEqual([['price']]);
  });

  test('are the same within a step of their own symbol, whatever binary fractions make of it', () => {
    const steps: Readonly<Record<string, number>> = { BTC: 0.1, DOGE: 1 };
    const sizesDiffer = (symbol: string, size: number, other: number) =>
      pairIntents([buy({ symbol, size })], [buy({ symbol, size: other })], {
        sizeStep: (of) => steps[of]!,
      })[0]!.differs.includes('size');
    // Their difference is a little more than a tenth.
    expect(0.4 - 0.3).toBeGreaterThan(0.1);
    expect([sizesDiffer('BTC', 0.3, 0.4), sizesDiffer('BTC', 0.4, 0.3)]).toEqual([false, false]);
    expect([sizesDiffer('BTC', 0.3, 0.5), sizesDiffer('BTC', 2, 3)]).toEqual([true, true]);
    expect([sizesDiffer('DOGE', 2, 3), sizesDiffer('DOGE', 2, 4)]).toEqual([false, true]);
  });

  test('differ in their verdict, if a guard lets one of them pass', () => {
    expect(differs([buy()], [buy({ outcome: 'denied' })])).toEqual([['verdict']]);
    expect(differs([buy({ outcome: 'rejected' })], [buy({ outcome: 'denied' })])).toEqual([[]]);
    expect(differs([buy({ outcome: 'expired' })], [buy({ outcome: 'denied' })])).toEqual([[]]);
    expect(differs([buy()], [buy({ outcome: 'expired' })])).toEqual([['verdict']]);
  });

  test('are paired by what they are, before their place among the intents of the event', () => {
    const close = buy({ kind: 'close_position', ordinal: 0 });
    delete close.side;
    const pairs = pairIntents([buy()], [close, buy({ ordinal: 1 })]);
    expect(pairs.map((pair) => pair.differs)).toEqual([[], ['shadow only']]);
    expect(differs([buy()], [close])).toEqual([['kind', 'side']]);
  });

  test('are paired across venues whose fills have other ids', () => {
    const one = buy({ cause: 'fill:f_1' });
    const other = buy({ cause: 'fill:f_9' });
    expect(differs([one], [other])).toEqual([[]]);
    expect(differs([one], [{ ...other, time: 121_000 }])).toEqual([['live only'], ['shadow only']]);
    expect(differs([one], [buy()])).toEqual([['live only'], ['shadow only']]);
  });

  test('are paired within a bar where none is of the same time', () => {
    const within = (one: ComparedIntent[], other: ComparedIntent[]) =>
      pairIntents(one, other, { barMs: 60_000 }).map((pair) => pair.differs);
    const one = buy({ cause: 'fill:f_1', time: 120_150 });
    const other = buy({ cause: 'fill:f_9', time: 120_000 });
    expect(within([one], [other])).toEqual([[]]);
    expect(within([one], [{ ...other, time: 179_999 }])).toEqual([[]]);
    expect(within([one], [{ ...other, time: 180_000 }])).toEqual([['live only'], ['shadow only']]);
    const exact = buy({ cause: 'fill:f_8', time: 120_150, price: 7 });
    const pairs = pairIntents([one], [other, exact], { barMs: 60_000 });
    expect(pairs.map(({ shadow }) => shadow?.cause)).toEqual(['fill:f_9', 'fill:f_8']);
    expect(pairs[1]!.live).toBe(one);
  });

  test('come in the order of market time', () => {
    const late = buy({ cause: 'bar:BTC:1m:180000', time: 240_000 });
    expect(pairIntents([late, buy()], []).map(({ live }) => live?.time)).toEqual([
      120_000, 240_000,
    ]);
  });
});

test("a decision's key names its cause, whatever signs the symbol has", () => {
  expect(causeOfKey('main/trend/bar:BTC/USDC:1m:5#2', 'trend')).toEqual({
    cause: 'bar:BTC/USDC:1m:5',
    ordinal: 2,
  });
  expect(causeOfKey('operator', 'trend')).toBeUndefined();
});

test.each(['./next.ts', './strategies/trend/next.ts', '../trend/next.ts', '@own/trend/next'])(
  'the key of the promoted version %s names the same cause',
  (version) => {
    const key = `main+${version}/trend/bar:BTC/USDC:1m:5#2`;
    expect(causeOfKey(key, 'trend')).toEqual({ cause: 'bar:BTC/USDC:1m:5', ordinal: 2 });
  },
);

test('sizes and prices are found wherever an intent has them', () => {
  const request = { symbol: 'BTC', side: 'sell', total_size: 2 };
  expect(contentOf({ kind: 'launch', request })).toEqual({ symbol: 'BTC', side: 'sell', size: 2 });
  expect(contentOf({ kind: 'cancel', order_id: 'o_1' })).toEqual({});
});
