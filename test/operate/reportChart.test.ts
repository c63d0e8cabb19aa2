import fc from 'fast-check';
import { expect, test } from 'vitest';

/** The page's code is checked with the browser's types, apart from the tests. */
const PAGE = '../../src/operate/report/page';
// oxlint-disable-next-line typescript/no-explicit-any -- its types are the browser's
type Loaded = Record<string, (...given: any[]) => any>;
const load = async (name: string): Promise<Loaded> =>
  (await import(`${PAGE}/${name}.ts`)) as Loaded;
const { barIndexAt, isOnLine } = await load('candleChart');
const { createLayers, toBands, aboutBand } = await load('candleLayers');
const { createMarks } = await load('candleMarks');
const { durationTicks, linear, ticks } = await load('svg');
const { unpackJson } = await load('unpackJson');

test('the bar of a time is the last one that opened at or before it, and the first before all', () => {
  const ascending = fc
    .uniqueArray(fc.nat(50), { minLength: 1 })
    .map((all) => all.toSorted((a, b) => a - b));
  fc.assert(
    fc.property(ascending, fc.integer({ min: -3, max: 55 }), (times, ms) => {
      expect(barIndexAt!(times, ms)).toBe(
        Math.max(
          0,
          times.findLastIndex((time) => time <= ms),
        ),
      );
    }),
  );
});

test.each([
  [{ x: 5, y: 5 }, true],
  [{ x: 5, y: 10 }, true],
  [{ x: 5, y: 11 }, false],
  // Beyond its ends it is no line.
  [{ x: -4, y: 0 }, true],
  [{ x: -6, y: 0 }, false],
  [{ x: 16, y: 5 }, false],
])('%j is on a line from 0,5 to 10,5 or about it: %s', (at, isOn) => {
  const [from, to] = [
    { x: 0, y: at.x < 0 ? 0 : 5 },
    { x: 10, y: at.x < 0 ? 0 : 5 },
  ];
  expect(isOnLine!(at, from, to)).toBe(isOn);
  expect(isOnLine!(at, to, from)).toBe(isOn);
});

test('a line without a length is a point', () => {
  expect(isOnLine!({ x: 1, y: 1 }, { x: 2, y: 2 }, { x: 2, y: 2 })).toBe(true);
  expect(isOnLine!({ x: 9, y: 1 }, { x: 2, y: 2 }, { x: 2, y: 2 })).toBe(false);
});

test('marks of an axis are round, within it, and about as many as asked for', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
      fc.integer({ min: 1, max: 12 }),
      (low, span, count) => {
        const marks = ticks!([low, low + span], count) as number[];
        expect(marks.length).toBeLessThanOrEqual(count + 1);
        expect(marks.length).toBeGreaterThanOrEqual(Math.floor(count / 2.5));
        for (const [at, mark] of marks.entries()) {
          expect(mark).toBeGreaterThanOrEqual(low - span * 1e-6);
          expect(mark).toBeLessThanOrEqual(low + span * (1 + 1e-6));
          const step = at === 0 ? undefined : mark - marks[at - 1]!;
          if (step !== undefined)
            expect([1, 2, 5, 10]).toContain(
              Number((step / 10 ** Math.floor(Math.log10(step * 1.000_001))).toFixed(3)),
            );
        }
      },
    ),
  );
  expect(ticks!([3, 3], 4)).toEqual([3]);
  expect(ticks!([-1, 1], 4)).toEqual([-1, -0.5, 0, 0.5, 1]);
  expect(ticks!([0, 0.3], 3).map((each: number) => each.toFixed(1))).toEqual([
    '0.0',
    '0.1',
    '0.2',
    '0.3',
  ]);
});

test.each([
  [[0, 10 * 60_000], 4, [0, 5 * 60_000, 10 * 60_000]],
  [[0, 3 * 3_600_000], 3, [0, 3_600_000, 7_200_000, 10_800_000]],
  [[0, 9 * 86_400_000], 2, [0, 432_000_000]],
])('durations in %j, about %i marks: %j', (range, count, marks) => {
  expect(durationTicks!(range, count)).toEqual(marks);
});

test('a scale is linear, upside down if asked for, and of one value it is one place', () => {
  expect([0, 5, 10].map(linear!([0, 10], 100, 0))).toEqual([100, 50, 0]);
  expect(linear!([7, 7], 40, 90)(7)).toBe(40);
});

const executionOf = (start: number, end: number | null, more: object = {}) => ({
  strategy: 'ema',
  algo: 'twap',
  side: 'buy',
  start_time: start,
  end_time: end,
  filled_size: 1,
  total_size: 4,
  average_price: 9.5,
  status: 'completed',
  reason: null,
  ...more,
});

test('of executions no two that touch share a row, and a row is used again as soon as it is free', () => {
  const drawn = fc.array(fc.record({ from: fc.nat(30), lasts: fc.option(fc.nat(10)) }), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(drawn, (all) => {
      const executions = all
        .toSorted((a, b) => a.from - b.from)
        .map(({ from, lasts }, at) => [
          at,
          executionOf(from, lasts === null ? null : from + lasts),
        ]);
      const look = { end: 31, colourOf: (name: string) => `of ${name}` };
      const bands = toBands!(executions, (ms: number) => ms, look) as Array<Record<string, number>>;
      for (const [at, band] of bands.entries()) {
        const [, { start_time: start, end_time: end }] = executions[at] as [
          number,
          ReturnType<typeof executionOf>,
        ];
        expect(band).toMatchObject({ index: at, from: start, to: end ?? 31, colour: 'of ema' });
        const touching = bands.slice(0, at).filter((one) => one['to']! >= start);
        const rows = new Set(touching.map((one) => one['row']));
        expect(rows.has(band['row'])).toBe(false);
        // The lowest that is free.
        for (let row = 0; row < band['row']!; row++) expect(rows.has(row)).toBe(true);
      }
    }),
  );
});

test.each([
  [1, 4, '25 %'],
  [5, 4, '100 %'],
  [0, 0, '0 %'],
])('of %i / %i filled a band says %s', (filled_size, total_size, share) => {
  expect(aboutBand!(executionOf(0, 1, { filled_size, total_size }))).toBe(`twap buy ${share}`);
});

const MINUTE = 60_000;
const tradeOf = (entry: number, exit: number | null, more: object = {}) => ({
  strategy: 'ema',
  symbol: 'BTC',
  side: 'long',
  size: 2,
  entry_time: entry * MINUTE,
  exit_time: exit === null ? null : exit * MINUTE,
  entry_price: 10,
  exit_price: exit === null ? null : 11,
  pnl: 1.5,
  ...more,
});
const fillOf = (minute: number, role: string, more: object = {}) => ({
  strategy: 'ema',
  symbol: 'BTC',
  time: minute * MINUTE,
  side: role === 'exit' ? 'sell' : 'buy',
  role,
  size: 1,
  price: 10,
  ...more,
});
function marksOf(parts: object) {
  return createMarks!({
    fills: [],
    refused: [],
    trades: [],
    executions: [],
    levels: [],
    times: Array.from({ length: 20 }, (_none, at) => at * MINUTE),
    price: (value: number | null) => (value === null ? '–' : `$${value}`),
    colourOf: (name: string) => `of ${name}`,
    ...parts,
  });
}

test('fills of one bar, strategy, side and role are one mark, with their size and mean price', () => {
  const fills = [
    fillOf(3, 'entry'),
    fillOf(3.5, 'increase', { size: 3, price: 14 }),
    fillOf(4, 'entry'),
    fillOf(4, 'entry', { strategy: 'other' }),
    fillOf(4, 'entry', { side: 'sell' }),
    fillOf(4, 'exit', { side: 'buy' }),
  ];
  const { list, markers } = marksOf({ fills });
  expect(
    list.map((mark: { bar: number; text(): string }) => [mark.bar, mark.text().split('\n')[1]]),
  ).toEqual([
    [3, 'ema: buy 4 at $13 (entry, 2 fills)'],
    [4, 'ema: buy 1 at $10 (entry)'],
    [4, 'other: buy 1 at $10 (entry)'],
    [4, 'ema: sell 1 at $10 (entry)'],
    [4, 'ema: buy 1 at $10 (exit)'],
  ]);
  expect(
    markers.map(({ time, position, shape, color }: Record<string, unknown>) => [
      time,
      position,
      shape,
      color,
    ]),
  ).toEqual([
    [180, 'belowBar', 'arrowUp', 'of ema'],
    [240, 'belowBar', 'arrowUp', 'of ema'],
    [240, 'belowBar', 'arrowUp', 'of other'],
    [240, 'aboveBar', 'arrowDown', 'of ema'],
    [240, 'belowBar', 'circle', 'of ema'],
  ]);
});

test('a fill leads to the trade that was open at its time, an exit to the one that it ended', () => {
  const [first, second, open] = [tradeOf(2, 5), tradeOf(5, 8), tradeOf(12, null)];
  const other = tradeOf(1, 19, { strategy: 'other' });
  const trades = [open, other, second, first].map((trade, at) => [at, trade]);
  const placeOf = (fill: object): unknown => marksOf({ fills: [fill], trades }).list[0].place;
  const leads = (fill: object, row: unknown): void =>
    expect(placeOf(fill)).toEqual({ table: 'Trades', row });
  leads(fillOf(2, 'entry'), first);
  leads(fillOf(4, 'increase'), first);
  // It turned the position round: its exit is of the former trade, and its entry of the next.
  leads(fillOf(5, 'exit'), first);
  leads(fillOf(5, 'entry', { side: 'sell' }), second);
  leads(fillOf(8, 'exit'), second);
  leads(fillOf(15, 'entry'), open);
  leads(fillOf(15, 'entry', { strategy: 'other' }), other);
  for (const fill of [
    fillOf(1, 'entry'),
    fillOf(10, 'entry'),
    fillOf(3, 'entry', { strategy: 'none' }),
  ])
    expect(placeOf(fill)).toEqual({ table: 'Fills', row: fill });
});

test('trades, executions and levels are found by their ids, and say what they were', () => {
  const level = (prices: number[], until: number | null) => ({
    kind: 'stop',
    strategy: 'ema',
    prices,
    bars: prices.map((_price, at) => 2 + at),
    until,
    end: 'fired',
  });
  const { find, list } = marksOf({
    trades: [
      [7, tradeOf(2, 5)],
      [8, tradeOf(2, null)],
    ],
    executions: [[9, executionOf(3 * MINUTE, null, { reason: 'why' })]],
    levels: [
      [0, level([9], 5)],
      [1, level([9, 10], null)],
      [2, level([9, 10, 11], 6)],
    ],
  });
  const said = (id: string): string[] => find(id).text().split('\n');
  expect(said('trade:7')).toEqual([
    '1970-01-01 00:02 → 1970-01-01 00:05',
    'ema: long 2, $10 → $11, +1.50',
  ]);
  expect(said('trade:8')[1]).toBe('ema: long 2, $10 → –, +1.50');
  expect(said('execution:9')).toEqual([
    '1970-01-01 00:03 → running',
    'ema: twap buy 25 % filled',
    '1 of 4 at $9.5, completed (why)',
  ]);
  expect(said('level:0')).toEqual(['1970-01-01 00:02', 'ema: stop $9', 'fired 1970-01-01 00:05']);
  expect(said('level:1').slice(1)).toEqual(['ema: stop $9 → $10, 1 move', 'in force']);
  expect(said('level:2')[1]).toBe('ema: stop $9 → $11, 2 moves');
  expect(find('level:0').place).toBeNull();
  expect(find('trade:7').place).toMatchObject({ table: 'Trades' });
  // The keyboard steps through what happened, and not through lines.
  expect(list.map(({ id }: { id: string }) => id)).toEqual(['execution:9']);
  expect(find('trade:1')).toBeUndefined();
});

test('the keyboard steps from bar to bar, whatever happened in it', () => {
  const { list } = marksOf({
    fills: [fillOf(2, 'entry'), fillOf(10, 'entry')],
    executions: [
      [0, executionOf(12 * MINUTE, null)],
      [1, executionOf(5 * MINUTE, null)],
    ],
  });
  expect(list.map(({ bar }: { bar: number }) => bar)).toEqual([2, 5, 10, 12]);
});

test('what was not packed is as it was', () => {
  for (const value of [null, 1, 'text', [1, null], { a: { b: [true] } }])
    expect(unpackJson!(value)).toEqual(value);
});

test('levels near the candles in view are in view with them, and farther ones press none flat', () => {
  const bar = fc
    .tuple(fc.integer({ min: 10, max: 60 }), fc.integer({ min: 0, max: 15 }))
    .map(([low, height]) => ({ low, high: low + height }));
  const level = fc.record({
    bars: fc.uniqueArray(fc.nat(11), { minLength: 1, maxLength: 3 }),
    prices: fc.array(fc.integer({ min: 0, max: 90 }), { minLength: 3, maxLength: 3 }),
    until: fc.option(fc.nat(11)),
  });
  const drawn = fc.record({
    bars: fc.array(bar, { minLength: 1, maxLength: 12 }),
    levels: fc.array(level, { maxLength: 4 }),
    from: fc.double({ min: -3, max: 12, noNaN: true }),
    length: fc.double({ min: 0, max: 8, noNaN: true }),
  });
  fc.assert(
    fc.property(drawn, ({ bars, levels: given, from, length }) => {
      const levels = given.map(({ bars: at, prices, until }) => {
        const steps = at.toSorted((a, b) => a - b);
        return { bars: steps, prices: prices.slice(0, steps.length), until };
      });
      const layers = createLayers!();
      layers.show({
        levels: levels.map((one, index) => [index, one]),
        bands: [],
        bars: { high: bars.map(({ high }) => high), low: bars.map(({ low }) => low) },
      });
      const to = from + length;
      const [first, last] = [Math.max(0, Math.floor(from)), Math.ceil(to)];
      const seen = bars.slice(first, Math.max(0, last + 1));
      const found = layers.autoscaleInfo(from, to);
      if (seen.length === 0) {
        expect(found).toBeNull();
        return;
      }
      const low = Math.min(...seen.map((one) => one.low));
      const high = Math.max(...seen.map((one) => one.high));
      const near = levels
        .filter(({ bars: at, until }) => at[0]! <= last && (until ?? Infinity) >= first)
        .flatMap(({ prices }) => prices)
        .filter((price) => price >= 2 * low - high && price <= 2 * high - low);
      expect(found.priceRange).toEqual({
        minValue: Math.min(low, ...near),
        maxValue: Math.max(high, ...near),
      });
    }),
  );
});
