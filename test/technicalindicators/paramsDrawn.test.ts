import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomBars } from '../indicators/bars.ts';
import { holdLaw } from '../holdLaw.ts';
import { adapterOf, isPattern, NAMES, toBars, type Params } from './catalogue.ts';
import { compareOne } from './compareWithLibrary.ts';

/** Periods that have an order: a shorter one comes before a longer one. */
const ORDERED = [
  ['fastPeriod', 'slowPeriod'],
  ['conversionPeriod', 'basePeriod', 'spanPeriod'],
];
/** Of these the library gives something else: rounded values, or none where there is nothing to divide by. */
const APART: readonly string[] = ['stochasticrsi', 'rsi', 'mfi', 'adl'];

const periodsOf = (params: Params): string[] =>
  Object.entries(params).flatMap(([name, value]) => (Number.isInteger(value) ? [name] : []));

const WITH_PERIODS = NAMES.filter(
  (name) =>
    !isPattern(name) && !APART.includes(name) && periodsOf(adapterOf(name).params).length > 0,
);

test.each(WITH_PERIODS)(
  '%s has each of its periods in its place, and so is its warm-up',
  async (name) => {
    const names = periodsOf(adapterOf(name).params);
    const drawn = fc.record({
      seed: fc.nat(1e6),
      // No two are the same, so that none can take the place of another.
      periods: fc.shuffledSubarray([2, 3, 4, 5, 6, 7, 8, 9, 11], {
        minLength: names.length,
        maxLength: names.length,
      }),
    });
    await holdLaw(8, drawn, ({ seed, periods }) => {
      const params: Record<string, number> = Object.fromEntries(
        names.map((each, at) => [each, periods[at]!]),
      );
      for (const order of ORDERED) {
        const present = order.filter((each) => each in params);
        const sorted = present.map((each) => params[each]!).toSorted((a, b) => a - b);
        for (const [at, each] of present.entries()) params[each] = sorted[at]!;
      }
      compareOne(name, params, toBars(randomBars(80, `${seed}`)));
    });
  },
);

test('most of the catalogue has a period', () => {
  expect(WITH_PERIODS.length).toBeGreaterThan(18);
});

test.each(['step', 'max'])('the %s of the stop and reverse is a share', (name) => {
  for (const share of [0.001, 0.02, 1])
    expect(adapterOf('psar', { [name]: share }).params).toMatchObject({ [name]: share });
  for (const share of [0, 0.0009, 1.001, -0.02, NaN])
    expect(() => adapterOf('psar', { [name]: share })).toThrow(RangeError);
});
