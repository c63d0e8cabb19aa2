import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { INDICATOR_IDS, type IndicatorId } from '../../src/contract/index.ts';
import { createRandom } from '../../src/env/index.ts';
import { createIndicator, type Indicator } from '../../src/indicators/index.ts';
import { rotated } from '../tiers.ts';

const BARS = 1_000_000;
/** Bars after which a fresh indicator has forgotten how it started, to the last digits. */
const MEMORY = 3000;

/** The same bar for the same number, so that a million need not be kept. */
function feed(indicators: readonly Indicator[], from: number, to: number): void {
  for (let i = from; i < to; i += 1) {
    const noise = NOISE[i % NOISE.length]!;
    const open = 100 + 40 * Math.sin(i / 5000) + noise;
    const close = open + Math.sin(i * 7) / 5;
    const high = Math.max(open, close) + 0.05;
    const low = Math.min(open, close) - 0.07;
    for (const indicator of indicators) indicator.next(i * 60_000, open, high, low, close, i % 9);
  }
}

const random = createRandom('noise');
const NOISE = Array.from({ length: 4099 }, () => random.next());

describe('over a million bars', () => {
  test('MKT-4: no indicator drifts from one started near the end', () => {
    const old = INDICATOR_IDS.map((id) => createIndicator(id));
    const fresh = INDICATOR_IDS.map((id) => createIndicator(id));
    feed(old, 0, BARS - MEMORY);
    feed([...old, ...fresh], BARS - MEMORY, BARS);
    for (const [at, indicator] of old.entries()) {
      for (const [line, value] of indicator.values.entries()) {
        const wanted = fresh[at]!.values[line]!;
        const distance = Math.abs(value - wanted) / Math.max(1, Math.abs(wanted));
        expect(distance, `${indicator.id} ${indicator.series[line]}`).toBeLessThan(1e-11);
      }
    }
  });

  test.for(rotated(INDICATOR_IDS, 3))('MKT-4: %s keeps to constant memory', (id: IndicatorId) => {
    const indicator = createIndicator(id);
    feed([indicator], 0, 2000);
    const before = heapAfterCollection();
    feed([indicator], 2000, BARS);
    // One byte a bar would already be a megabyte; the kernels keep nothing at all.
    expect(heapAfterCollection() - before).toBeLessThan(500_000);
    expect(indicator.ready).toBe(true);
  });
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heapAfterCollection(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
