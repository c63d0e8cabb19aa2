/** Which ranges of a tape hold nothing to trade, and what is said of them, against a count of the bars. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { explainEmptyRange } from '../../backtest/explainEmptyRange.ts';
import { tapeInRange } from '../../backtest/tapeInRange.ts';
import { INTERVAL_MS } from '../../src/contract/index.ts';
import type { LoadedTape } from '../../src/operate/run/index.ts';
import { generateFeed, startTimeOf } from '../../src/paper/index.ts';
import { holdLaw, Tried } from '../holdLaw.ts';
import { isFull } from '../tiers.ts';

/** A Sunday, which is no begin of a week. */
const START = Date.UTC(2025, 5, 1);
const MINUTE_MS = 60_000;

const feedShape = fc.record({
  interval: fc.constantFrom('1m', '5m', '15m'),
  bars: fc.integer({ min: 3, max: 40 }),
  /** Minutes after the start. */
  late: fc.constantFrom(0, 0, 0, 15, 30, 60),
});
/** Near an edge of which feed, and how far from it. */
const edge = fc.option(
  fc.record({
    feed: fc.nat({ max: 1 }),
    bar: fc.constantFrom('first', 'warm', 'warm', 'last', 'any'),
    side: fc.constantFrom('open', 'close'),
    by: fc.constantFrom(-MINUTE_MS, -1, 0, 0, 1, MINUTE_MS, 7 * MINUTE_MS),
  }),
  { nil: undefined, freq: 3 },
);
const drawn = fc.record({
  shapes: fc.array(feedShape, { minLength: 1, maxLength: 2 }),
  warmup: fc.integer({ min: 0, max: 6 }),
  from: edge,
  until: edge,
  any: fc.nat({ max: 39 }),
});

const written = (time: number): string => {
  const iso = new Date(time).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)}`;
};

test('a range is refused if a feed has nothing to trade in it, with what it has', async () => {
  const tried = new Tried();
  await holdLaw(300, drawn, ({ shapes, warmup, any, ...ends }) => {
    const feeds = shapes.map(({ interval, bars, late }, at) =>
      generateFeed({
        symbol: ['BTC', 'ETH'][at]!,
        interval,
        bars,
        seed: at,
        startTime: START + late * MINUTE_MS,
        startPrice: 100,
      }),
    );
    const timeOf = (given: typeof ends.from): number | undefined => {
      if (given === undefined) return undefined;
      const { time, interval } = feeds[given.feed % feeds.length]!;
      const rows = { first: 0, warm: warmup, last: time.length - 1, any: any % time.length };
      const open = time[Math.min(rows[given.bar as 'any'], time.length - 1)]!;
      return open + (given.side === 'close' ? INTERVAL_MS[interval] : 0) + given.by;
    };
    const [from, until] = [timeOf(ends.from), timeOf(ends.until)];
    if (from !== undefined && until !== undefined && from >= until) return;
    const range = { ...(from !== undefined && { from }), ...(until !== undefined && { until }) };
    const tape = { data: { feeds, funding: {} }, paper: { warmup } } as unknown as LoadedTape;
    const said = explainEmptyRange(tape, range);

    const all = feeds.map(({ symbol, interval, time }) => {
      const length = INTERVAL_MS[interval];
      const bars = [...time].map((open) => ({ open, close: open + length }));
      const last = bars.at(-1)!.close;
      const tradable = bars.slice(warmup);
      return { symbol, length, bars, tradable, last, begin: tradable[0]?.open ?? last };
    });
    const short = all.find(
      ({ tradable, last, begin, length }) =>
        (from !== undefined && from >= last) ||
        (until !== undefined &&
          !tradable.some(({ close }) => close <= until) &&
          until < begin + length),
    );
    const longest = all.toSorted((a, b) => b.length - a.length)[0]!;
    let start = longest.bars[0]!.open;
    if (from === undefined) start = -Infinity;
    else {
      while (start < from) start += longest.length;
      while (start - longest.length >= from) start -= longest.length;
    }
    const closes = all.flatMap(({ bars }) =>
      bars.map(({ close }) => close).filter((close) => until === undefined || close <= until),
    );
    const end = Math.max(...closes);
    if (short === undefined) {
      if (start < end) {
        expect(said).toBeUndefined();
        tried.take('traded');
        const found = tapeInRange(tape, range);
        if (!found.ok) throw new Error(found.failure.message);
        const { tape: cut, startTime } = found.value;
        expect(startTime).toBe(from === undefined ? undefined : start);
        // Something is left to step to.
        const last = Math.max(
          ...cut.data.feeds.map(({ time, interval }) => time.at(-1)! + INTERVAL_MS[interval]),
        );
        expect(last).toBe(end);
        if (from === undefined) expect(startTimeOf(cut.data.feeds, warmup)).toBeLessThan(last);
        return;
      }
      expect(said).toMatch(/^--timerange holds no whole bar/);
      expect(said).toContain(`it begins at ${written(start)}.`);
      expect(said).toContain(
        `${until === undefined ? 'The tape' : `--timerange until ${written(until)}`} has its last close at ${written(end)} UTC.`,
      );
      tried.take('no whole bar');
    } else {
      const span = `${short.symbol} can be traded from ${written(short.begin)} to ${written(short.last)} UTC`;
      const isBehind = from !== undefined && from >= short.last;
      if (isBehind) {
        expect(said).toBe(`--timerange begins at ${written(from)}: ${span}.`);
        tried.take('behind');
      } else {
        expect(said).toContain(`--timerange ends at ${written(until!)}: ${span}.`);
        const isBefore = until! <= short.bars[0]!.open;
        expect(said!.includes('The tape begins after that')).toBe(isBefore);
        expect(said!.includes('set paper.warmup lower')).toBe(!isBefore);
        tried.take(isBefore ? 'before' : 'in the warm-up');
      }
    }
    const found = tapeInRange(tape, range);
    expect(found.ok ? undefined : found.failure).toMatchObject({
      code: 'TRIMTAB_TAPE_NOTHING_TO_TRADE',
      message: said,
    });
  });
  const cases = ['traded', 'no whole bar', 'behind', 'before', 'in the warm-up'];
  if (isFull) expect(tried.rare(cases, 10)).toEqual([]);
});
