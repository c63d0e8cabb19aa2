import { test } from 'vitest';
import { INDICATOR_IDS, indicatorEntry } from '../../src/contract/index.ts';
import { createIndicator } from '../../src/indicators/index.ts';
import { createDraw } from '../fuzz/Draw.ts';
import { flatBars, randomBars } from '../indicators/bars.ts';
import type { Columns } from '../indicators/series.ts';
import {
  adapterOf,
  adapterRows,
  isPattern,
  NAMES,
  toBars,
} from '../technicalindicators/catalogue.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';
import { resultText, valueText } from './resultText.ts';

/** Prices on a coarse grid, so that extremes, closes and moves are often equal; some bars trade nothing. */
function coarseBars(count: number, seed: string, grid: number): Columns {
  const bars = randomBars(count, seed);
  const round = (values: number[]): number[] =>
    values.map((value) => Math.round(value / grid) * grid);
  return {
    ...bars,
    // A day passes at times.
    time: bars.time.map((time, at) => time + Math.floor(at / 50) * 86_400_000),
    open: round(bars.open),
    high: round(bars.high),
    low: round(bars.low),
    close: round(bars.close),
  };
}

const TAPES: Readonly<Record<string, Columns>> = {
  walk: randomBars(160, 'recorded'),
  coarse: coarseBars(160, 'coarse', 0.5),
  falling: upsideDown(randomBars(60, 'fall')),
  still: joined(flatBars(40, 100), randomBars(60, 'after')),
};

/** The first bars fall more than they rise. */
function upsideDown({ time, open, high, low, close, volume }: Columns): Columns {
  const turned = (values: number[]): number[] => values.map((value, at) => 200 - value - at * 0.1);
  return {
    time,
    open: turned(open),
    high: turned(low),
    low: turned(high),
    close: turned(close),
    volume,
  };
}

function joined(one: Columns, other: Columns): Columns {
  const column = (name: keyof Columns): number[] => [...one[name], ...other[name]];
  const [time, open, high] = [
    column('time').map((_, at) => at * 60_000),
    column('open'),
    column('high'),
  ];
  return { time, open, high, low: column('low'), close: column('close'), volume: column('volume') };
}

test('each indicator has the values that it had', async () => {
  const outcomes = new Map<string, Outcome>();
  for (const id of INDICATOR_IDS) {
    const draw = createDraw(`indicator ${id}`);
    const { params, series } = indicatorEntry(id);
    const names = Object.entries(params);
    const choices: Array<Record<string, number>> = [{}];
    for (let at = 0; at < 5; at++)
      choices.push(
        Object.fromEntries(
          names.map(([name, { min, max, integer }]) => [
            name,
            integer ? draw.int(min, Math.min(max, 12)) : draw.number(min, Math.min(max, 3)),
          ]),
        ),
      );
    const made: string[] = [];
    const values = new Map<string, string[]>();
    for (const tape of Object.keys(TAPES)) values.set(tape, []);
    for (const chosen of choices) {
      const about = createIndicator(id, chosen);
      made.push(
        valueText([about.id, about.params, about.series, about.barsNeeded]),
        ...[...series, 'nothing', undefined].flatMap((name) => [
          resultText(() => about.barsNeededFor(name)),
          resultText(() => about.value(name)),
        ]),
      );
      for (const [tape, { time, open, high, low, close, volume }] of Object.entries(TAPES)) {
        const indicator = createIndicator(id, chosen);
        for (const [at, when] of time.entries()) {
          const isReady = indicator.next(
            when,
            open[at]!,
            high[at]!,
            low[at]!,
            close[at]!,
            volume[at]!,
          );
          values.get(tape)!.push(valueText([isReady, indicator.ready, indicator.values]));
        }
      }
    }
    for (const [name, { min, max }] of names)
      for (const value of [min, max, min - 1, max + 1, 2.5, NaN, undefined, '3'])
        made.push(resultText(() => createIndicator(id, { [name]: value as number }).params));
    for (const wrong of [{ unknown: 1 }, 'text', null, [1], () => 1, 7, { period: {} }])
      made.push(resultText(() => createIndicator(id, wrong as never).params));
    made.push(resultText(() => createIndicator(`${id}x` as never)));
    outcomes.set(id, new Map([['made', made], ...values]));
  }
  await expectRecorded('indicators', outcomes);
});

// The library may compute with functions whose last digit is not the same everywhere.
const DIGITS = 11;
const near = (value: unknown): unknown =>
  typeof value === 'number' && Number.isFinite(value) ? Number(value.toPrecision(DIGITS)) : value;

test('each operator of the library of that name has the values that it had', async () => {
  const outcomes = new Map<string, Outcome>();
  for (const name of NAMES) {
    const draw = createDraw(`operator ${name}`);
    const defaults = Object.entries(adapterOf(name).params);
    const periods = defaults.flatMap(([each, value]) => (Number.isInteger(value) ? [each] : []));
    const choices: Array<Record<string, number>> = [{}];
    for (let at = 0; at < 2 && periods.length > 0; at++) {
      // Ascending, as some have to be.
      const drawn = periods.map(() => draw.int(2, 9)).toSorted((a, b) => a - b);
      choices.push(Object.fromEntries(periods.map((each, index) => [each, drawn[index]! + index])));
    }
    const made: string[] = [];
    const values: string[] = [];
    for (const chosen of choices) {
      const operator = resultText(() => {
        const { params, series } = adapterOf(name, chosen);
        return { params, series, pattern: isPattern(name) };
      });
      made.push(operator);
      for (const tape of Object.values(TAPES))
        values.push(
          resultText(() =>
            adapterRows(adapterOf(name, chosen), toBars(tape).slice(0, 110)).map((row) =>
              Object.values(row).map(near),
            ),
          ),
        );
    }
    for (const [each, value] of defaults)
      for (const wrong of [0, -1, 1.5, 501, NaN, 'x', true, null])
        if (wrong !== value) made.push(resultText(() => adapterOf(name, { [each]: wrong }).params));
    made.push(resultText(() => adapterOf(name, { unknown: 1 }).params));
    outcomes.set(
      name,
      new Map([
        ['made', made],
        ['values', values],
      ]),
    );
  }
  await expectRecorded('technicalindicators', outcomes);
});
