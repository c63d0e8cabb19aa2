import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exposureOf } from '../../src/guards/exposureOf.ts';
import { grossExposureOf } from '../../src/guards/grossExposureOf.ts';
import type { Entry, GuardSnapshot } from '../../src/guards/index.ts';
import { holdLaw, Tried } from '../holdLaw.ts';
import { few, symbol, SYMBOLS } from './guardCases.ts';
import { gross, worst } from './naiveGuards.ts';

/**
 * The figures behind the limits on notionals, where much is on every symbol: a limit shows them only where they are near
 * it, and an intent only on the symbols that it enters.
 */

const side = fc.constantFrom('buy' as const, 'sell' as const);
const entry = fc
  .record({
    symbol,
    side,
    size: few(4),
    isAtOnce: fc.boolean(),
    triggeredAt: fc.constantFrom(null, 90, 130),
  })
  .map(({ isAtOnce, ...rest }): Entry => ({ ...rest, ...(isAtOnce ? { isAtOnce } : {}) }));
const bySymbol = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<(name: string) => T> =>
  fc.tuple(of, of, of).map((all) => (name) => all[SYMBOLS.indexOf(name as 'BTC')]!);
const bySide = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<(name: string, on: string) => T> =>
  fc.tuple(bySymbol(of), bySymbol(of)).map(
    ([buys, sells]) =>
      (name, on) =>
        (on === 'buy' ? buys : sells)(name),
  );

const snapshot = fc.record({
  position: bySymbol(fc.integer({ min: -4, max: 4 })),
  pending: bySide(few(3)),
  closing: bySide(fc.constantFrom(0, 1, 3, Infinity)),
  armed: bySide(fc.constantFrom(0, 1, 3, Infinity)),
  highestTrigger: bySide(fc.constantFrom(0, 90, 120)),
  market: bySymbol(fc.constantFrom({ price: 100 }, { price: 110 })),
  exposedSymbols: fc.subarray([...SYMBOLS]),
});

test('the worst of a symbol and of a wallet are those of a second reading, entered or not', async () => {
  const tried = new Tried();
  const cases = fc.tuple(fc.array(entry, { maxLength: 2 }), snapshot);
  await holdLaw(3_000, cases, ([entries, drawn]) => {
    const view = drawn as never as GuardSnapshot;
    const values = SYMBOLS.map((one) => exposureOf(one, entries, view));
    expect(values).toEqual(SYMBOLS.map((one) => worst(one, { entries }, view)));
    expect(grossExposureOf(entries, view)).toBe(gross({ entries }, view));
    const isAgainst = (one: string, on: 'buy' | 'sell'): boolean =>
      drawn.position(one) * (on === 'buy' ? 1 : -1) < 0 && drawn.pending(one, on) > 0;
    for (const one of SYMBOLS) {
      const isEntered = entries.some((each) => each.symbol === one);
      for (const on of ['buy', 'sell'] as const)
        if (isAgainst(one, on)) tried.take(`${on}s against a position, entered: ${isEntered}`);
    }
  });
  const all = ['buy', 'sell'].flatMap((on) =>
    [true, false].map((isEntered) => `${on}s against a position, entered: ${isEntered}`),
  );
  expect(tried.rare(all, 100)).toEqual([]);
});
