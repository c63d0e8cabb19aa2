import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { INDICATOR_IDS, indicatorEntry, type IndicatorId } from '../../src/contract/index.ts';
import { createIndicator } from '../../src/indicators/index.ts';
import { anyBars } from './bars.ts';
import type { Columns, Params } from './series.ts';
import { TEXTBOOK } from './textbook.ts';

/** Parameters within the catalogue's bounds, small enough for short inputs to get past the warm-up. */
function anyParams(id: IndicatorId): fc.Arbitrary<Params> {
  const rows = Object.entries(indicatorEntry(id).params).map(([name, row]) => {
    const numbers = row.integer
      ? fc.integer({ min: row.min, max: 9 })
      : fc.double({ min: 0.01, max: Math.min(row.max, 4), noNaN: true });
    return [name, numbers] as const;
  });
  return fc.record(Object.fromEntries(rows));
}

function kernelLines(id: IndicatorId, bars: Columns, params: Params): number[][] {
  const indicator = createIndicator(id, params);
  const lines: number[][] = indicator.series.map(() => []);
  for (const [i, close] of bars.close.entries()) {
    const { time, open, high, low, volume } = bars;
    indicator.next(time[i]!, open[i]!, high[i]!, low[i]!, close, volume[i]!);
    for (const [at, value] of indicator.values.entries()) lines[at]!.push(value);
  }
  return lines;
}

/** Sums in another order: a few roundings of values up to 200, or of ratios up to 100 made of them. */
const TOLERANCE = 1e-9;

describe('every kernel equals its definition on any bars', () => {
  test.for(INDICATOR_IDS)('MKT-4: %s', (id) => {
    fc.assert(
      fc.property(anyBars(60), anyParams(id), (bars, params) => {
        const expected = TEXTBOOK[id](bars, params);
        for (const [at, line] of kernelLines(id, bars, params).entries()) {
          for (const [bar, value] of line.entries()) {
            const wanted = expected[at]![bar]!;
            if (Number.isNaN(wanted)) expect(value).toBeNaN();
            else
              expect(Math.abs(value - wanted)).toBeLessThanOrEqual(TOLERANCE * Math.max(1, wanted));
          }
        }
      }),
      { numRuns: 150 },
    );
  });
});
