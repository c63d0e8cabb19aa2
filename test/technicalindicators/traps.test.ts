import * as library from 'technicalindicators';
import { afterEach, describe, expect, test } from 'vitest';
import { readBars } from '../indicators/referenceFiles.ts';
import {
  adapterOf,
  adapterRows,
  classOf,
  EXPORTS,
  isPattern,
  libraryStream,
  NAMES,
  NO_INDICATORS,
  REFUSED,
  toBars,
  type Name,
} from './catalogue.ts';
import { barsOf, TEXT_ORDERED, TRAPS } from './traps.ts';

describe('the catalogue', () => {
  test('has every function of the library, as an operator or with the reason why not', () => {
    const classes = NAMES.map((name) => classOf(name)?.name).filter((name) => name !== undefined);
    const refused = Object.keys(REFUSED).flatMap((name) => [name, classOf(name)?.name ?? name]);
    const known = new Set([...NAMES, ...classes, ...refused, ...NO_INDICATORS]);
    expect([...EXPORTS].filter((name) => !known.has(name))).toEqual([]);
    expect([...known].filter((name) => !EXPORTS.includes(name))).toEqual([]);
    expect(NAMES.filter((name) => name in REFUSED)).toEqual([]);
    expect(NAMES.filter(isPattern)).toHaveLength(37);
    expect(NAMES).toHaveLength(71);
  });

  test('a volume profile has no value bar by bar in the library either', () => {
    const empty = { open: [], high: [], low: [], close: [], volume: [] };
    const profile = new library.VolumeProfile({ ...empty, noOfBars: 2 });
    expect(() => profile.nextValue({} as never)).toThrow('not supported');
  });
});

describe('a trap of the library', () => {
  test.each(TRAPS)('$name: $fault', ({ name, params, inputs, isWrong, right }) => {
    const operator = adapterOf(name, params);
    expect(inputs.length).toBeGreaterThanOrEqual(operator.barsNeeded);
    // The library still has it: a version without it needs no mending.
    expect(isWrong(libraryStream(name, operator.params, inputs).at(-1))).toBe(true);
    const last = adapterRows(operator, inputs).at(-1)!;
    expect(Object.keys(last)).toEqual(Object.keys(right));
    for (const [line, value] of Object.entries(right)) expect(last[line]).toBeCloseTo(value, 10);
  });

  test('no flat window and no bar without volume makes any of them fail', () => {
    const moving = [5, 6, 7, 6, 5, 4, 5, 6, 5, 7, 8, 9, 7, 6, 5];
    const still = Array.from({ length: 120 }, () => 5);
    for (const volume of [0, 10]) {
      const bars = [
        ...barsOf(still, 0, volume),
        ...barsOf(moving, 1, volume),
        ...barsOf([...still, ...moving, ...still], 0, volume),
      ];
      for (const name of NAMES) {
        const operator = adapterOf(name);
        const rows = adapterRows(operator, bars);
        expect(rows.length, name).toBe(bars.length - operator.barsNeeded + 1);
      }
    }
  });

  /** Closes that gain and lose as much as given, then two equal bars; each is a stick of no length. */
  const tweezers = (closes: readonly number[]) =>
    barsOf([...closes, closes.at(-1)!, closes.at(-1)!], 1);

  test('a trend is one of numbers: 9 is less than 10', () => {
    const wider = tweezers([100, 118, 98]);
    const arrays = (bars: typeof wider) => ({
      open: bars.map(({ open }) => open),
      high: bars.map(({ high }) => high),
      low: bars.map(({ low }) => low),
      close: bars.map(({ close }) => close),
    });
    expect(library.tweezertop(arrays(wider))).toBe(true);
    expect(adapterRows(adapterOf('tweezertop'), wider)).toEqual([{ value: 0 }]);
    expect(adapterRows(adapterOf('tweezerbottom'), wider)).toEqual([{ value: 1 }]);
    expect(library.tweezerbottom(arrays(wider))).toBe(false);
    const rising = tweezers([100, 120, 102]);
    expect(adapterRows(adapterOf('tweezertop'), rising)).toEqual([{ value: 1 }]);
    expect(library.tweezertop(arrays(rising))).toBe(false);
  });

  test('each pattern of a trend occurs on real bars', () => {
    const files = ['BINANCE-BTCUSDT-1m-202408', 'HYPERLIQUID-ETH-1h', 'HYPERLIQUID-kPEPE-15m'];
    const tapes = files.map((file) => toBars(readBars(`normalised/${file}.csv.gz`)));
    for (const name of TEXT_ORDERED) {
      const found = tapes.map((bars) =>
        adapterRows(adapterOf(name), bars).reduce((sum, row) => sum + row['value']!, 0),
      );
      expect(Math.max(...found), name).toBeGreaterThan(0);
    }
  });
});

describe('what the adapter refuses', () => {
  afterEach(() => library.setConfig('precision', undefined));

  test('a global precision, at the start and at a bar', () => {
    const bars = barsOf([5, 6, 7, 8], 1);
    const operator = adapterOf('atr', { period: 2 });
    library.setConfig('precision', 3);
    const said = /rounds to 3 digits in this whole process.*Remove setConfig/;
    expect(() => adapterOf('atr', { period: 2 })).toThrow(said);
    expect(() => adapterRows(operator, bars)).toThrow(said);
  });

  test.each([
    ['period', 0],
    ['period', 2.5],
    ['period', 501],
    ['length', 5],
  ])('%s of %d', (parameter, value) => {
    for (const name of ['sma', 'rsi', 'atr', 'adx', 'mfi'] satisfies Name[])
      expect(() => adapterOf(name, { [parameter]: value })).toThrow(/^Parameters of ti\.\w+: /);
  });

  test('a change from 0, with the number at which it was', () => {
    expect(() => adapterRows(adapterOf('roc', { period: 1 }), [1, 0, 1])).toThrow(
      'The indicator ti.roc(1) gave Infinity at number 3 of its input (1).',
    );
  });
});
