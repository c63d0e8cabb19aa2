import { describe, expect, test } from 'vitest';
import { INDICATOR_IDS, indicatorEntry, type IndicatorId } from '../../src/contract/index.ts';
import { createIndicator, type Indicator } from '../../src/indicators/index.ts';
import { flatBars, randomBars } from './bars.ts';
import type { Columns } from './series.ts';

function feed(indicator: Indicator, bars: Columns, at: number): boolean {
  const { time, open, high, low, close, volume } = bars;
  return indicator.next(time[at]!, open[at]!, high[at]!, low[at]!, close[at]!, volume[at]!);
}

/** Odd parameters of each indicator, so that no two of its periods coincide. */
const ODD: { readonly [I in IndicatorId]?: Readonly<Record<string, number>> } = {
  keltner: { period: 4, atr_period: 9 },
  ichimoku: { conversion_period: 30, base_period: 3, span_period: 7, displacement: 5 },
  macd: { fast_period: 11, slow_period: 6, signal_period: 4 },
  stochastic: { k_period: 3, d_period: 8 },
};

/** The rules that all fourteen keep, with their defaults and with odd parameters. */
describe.for(INDICATOR_IDS)('MKT-4: %s fulfils the indicator contract:', (id) => {
  const variants = [{}, ODD[id] ?? {}];
  const bars = randomBars(1200);

  test('its parameters and series are the catalogue’s', () => {
    const indicator = createIndicator(id);
    expect(indicator.id).toBe(id);
    expect(indicator.series).toEqual(indicatorEntry(id).series);
    expect(indicator.values).toHaveLength(indicator.series.length);
    const defaults = Object.entries(indicatorEntry(id).params).map(([k, row]) => [k, row.default]);
    expect(indicator.params).toEqual(Object.fromEntries(defaults));
  });

  test('barsNeeded is exact, for all series and for each', () => {
    for (const params of variants) {
      const indicator = createIndicator(id, params);
      const firsts = new Map<string, number>();
      for (let at = 0; !indicator.ready; at += 1) {
        expect(feed(indicator, bars, at)).toBe(indicator.ready);
        for (const name of indicator.series) {
          const known = !Number.isNaN(indicator.value(name));
          if (known && !firsts.has(name)) firsts.set(name, at + 1);
        }
      }
      for (const name of indicator.series) {
        expect(indicator.barsNeededFor(name)).toBe(firsts.get(name));
      }
      expect(indicator.barsNeeded).toBe(Math.max(...firsts.values()));
    }
  });

  test('all values are NaN before the first one, and none after it', () => {
    for (const params of variants) {
      const indicator = createIndicator(id, params);
      expect([...indicator.values].every(Number.isNaN)).toBe(true);
      for (let at = 0; at < 1200; at += 1) {
        feed(indicator, bars, at);
        for (const name of indicator.series) {
          const warm = at + 1 >= indicator.barsNeededFor(name);
          expect(Number.isFinite(indicator.value(name))).toBe(warm);
        }
      }
    }
  });

  test('ready never reverts, not even in a flat market without volume', () => {
    const indicator = createIndicator(id);
    const flat = flatBars(3000, 0.1);
    for (let at = 0; at < 3000; at += 1) {
      const ready = feed(indicator, flat, at);
      expect(ready).toBe(at + 1 >= indicator.barsNeeded);
      if (ready) expect([...indicator.values].every(Number.isFinite)).toBe(true);
    }
  });

  test('a single series needs no name, several do, and an unknown one is refused', () => {
    const indicator = createIndicator(id);
    if (indicator.series.length === 1) expect(indicator.value()).toBeNaN();
    else expect(() => indicator.value()).toThrow(RangeError);
    expect(() => indicator.value('nope')).toThrow(/nope|Name a series/);
    expect(() => indicator.barsNeededFor('nope')).toThrow(RangeError);
  });

  test('parameters outside of the catalogue’s bounds are refused', () => {
    for (const name of ['nope', 'constructor', 'toString']) {
      expect(() => createIndicator(id, { [name]: 1 })).toThrow(`${id} has no parameter ${name}`);
    }
    for (const [name, row] of Object.entries(indicatorEntry(id).params)) {
      const wrong = [row.min - 1, row.max + 1, NaN, ...(row.integer ? [row.min + 0.5] : [])];
      for (const value of wrong) {
        expect(() => createIndicator(id, { [name]: value })).toThrow(RangeError);
      }
      expect(createIndicator(id, { [name]: undefined }).params[name]).toBe(row.default);
    }
  });

  test('two instances share no state', () => {
    const [a, b] = [createIndicator(id), createIndicator(id)];
    for (let at = 0; at < 200; at += 1) feed(a, bars, at);
    expect(b.ready).toBe(false);
    for (let at = 0; at < 200; at += 1) feed(b, bars, at);
    expect([...b.values]).toEqual([...a.values]);
  });
});
