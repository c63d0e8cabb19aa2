/**
 * A subscription whose bars come as rows of columns emits what it does if each bar is delivered, however the rows are cut
 * into spans, whatever else is subscribed, and whoever leaves or joins on the way.
 */
import fc from 'fast-check';
import { merge, Observable, Subject, Subscription, takeWhile, tap } from 'rxjs';
import { expect, test } from 'vitest';
import type { BarColumns, SpanControl } from '../../../src/env/index.ts';
import type { ClosedBar } from '../../../src/strategy/Bar.ts';
import { enterReadings, type Reading } from '../../../src/strategy/createReadings.ts';
import type { Turns } from '../../../src/strategy/createTurns.ts';
import type { BarLiveness } from '../../../src/strategy/warmUp.ts';
import {
  crossesOver,
  crossesUnder,
  ema,
  macd,
  resample,
  shareRows,
  sma,
  withIndicators,
} from '../../../src/strategy/operators/index.ts';
import { SubscribedRows } from '../../../src/strategy/rows/SubscribedRows.ts';
import { takeRows } from '../../../src/strategy/rows/takeRows.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';

const MINUTE = 60_000;
const ROWS = 160;
const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;
type Line = (row: never) => number;
type Row = {
  bar: ClosedBar;
  fast: number;
  slow: number;
  lines: { macd: number; signal: number; histogram: number };
};

type Deep = { fast: Row; bar: { close: Row } };

/** Two lines of a crossing; the last of them can only be evaluated. */
const PAIRS: Readonly<Record<string, readonly [Line, Line]>> = {
  averages: [({ fast }: Row) => fast, ({ slow }: Row) => slow],
  price: [({ bar }: Row) => bar.close, ({ fast }: Row) => fast],
  signal: [({ lines }: Row) => lines.macd, ({ lines }: Row) => lines.signal],
  open: [(row: Row) => row.bar.close, (row: Row) => row.bar.open],
  computed: [({ fast }: Row) => fast + 0, ({ slow }: Row) => slow],
  // There is nothing beyond a number: it never crosses.
  beyond: [(row: Deep) => row.fast.slow, ({ slow }: Row) => slow],
  behind: [(row: Deep) => row.bar.close.slow, ({ slow }: Row) => slow],
};
/** Of which it is certain what they read. */
const KNOWN: readonly string[] = ['averages', 'price', 'signal', 'open'];
const member = fc.record({
  pair: fc.constantFrom(
    'averages',
    'price',
    'signal',
    'open',
    'averages',
    'price',
    'computed',
    'beyond',
    'behind',
  ),
  isOver: fc.boolean(),
  /** It leaves after so many emissions. */
  stays: fc.constantFrom(1, 3, 99, 99, 99),
});
const drawn = fc.record({
  /** Changes of the close, so small in number that lines often touch. */
  moves: fc.array(fc.constantFrom(-2, -1, -1, 0, 0, 1, 1, 2), { minLength: ROWS, maxLength: ROWS }),
  fast: fc.constantFrom(1, 2, 4),
  slow: fc.constantFrom(3, 9),
  members: fc.array(member, { minLength: 1, maxLength: 3 }),
  /** One more, who joins at the first emission of the first. */
  joiner: fc.option(member, { nil: null, freq: 2 }),
  isShared: fc.boolean(),
  /** Behind an operator that is not known. */
  isResampled: fc.constantFrom(false, false, false, true),
  /** Bars that come as events before the first row, and whether they are rows of the columns. */
  given: fc.constantFrom(0, 0, 1, 5),
  isForeign: fc.constantFrom(false, false, false, true),
  first: fc.constantFrom(0, 3),
  warmup: fc.constantFrom(0, 4),
  areShown: fc.constantFrom(false, false, false, true),
  spans: fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 5, maxLength: 20 }),
  /** Whether a span's first row comes as an event, and whether it ends before what it was looked ahead for. */
  asEvent: fc.constantFrom(-1, -1, 0, 2),
  cut: fc.constantFrom(-1, -1, 1),
});
type Case = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

function columnsOf(moves: readonly number[]): BarColumns {
  const close = new Float64Array(moves.length);
  let last = 100;
  for (const [at, move] of moves.entries()) close[at] = last = Math.max(50, last + move);
  const open = close.map((price, at) => (at === 0 ? price : close[at - 1]!));
  return {
    time: close.map((_price, at) => at * MINUTE),
    open,
    close,
    high: close.map((price, at) => Math.max(price, open[at]!) + 1),
    low: close.map((price, at) => Math.min(price, open[at]!) - 1),
    volume: close.map((_price, at) => at),
  };
}

/** What each member emits, in the order of all, with the values that a decision would be recorded with. */
function decisions(one: Case, bars$: Observable<ClosedBar>, readings: readonly Reading[]) {
  const emitted: unknown[] = [];
  const all = new Subscription();
  const shown = (): unknown => shownOf(readings);
  const note = (name: string) => (value: unknown) => {
    emitted.push([name, JSON.stringify(value), JSON.stringify(shown())]);
  };
  const source$ = one.isResampled ? bars$.pipe(resample('1m')) : bars$;
  const with$ = source$.pipe(
    withIndicators({
      fast: ema(one.fast),
      slow: sma(one.slow),
      lines: macd({ fast_period: 2, slow_period: 4, signal_period: 2 }),
    }),
  );
  const rows$ = one.isShared ? with$.pipe(shareRows()) : with$;
  const lineOf = ({ pair, isOver, stays }: Case['members'][number], name: string) => {
    const [a, b] = PAIRS[pair]!;
    const crosses = isOver
      ? crossesOver<Row>(a as never, b as never)
      : crossesUnder<Row>(a as never, b as never);
    let left = stays;
    return rows$.pipe(
      crosses,
      takeWhile(() => --left > 0, true),
      tap(note(name)),
    );
  };
  const members = one.isShared ? one.members : one.members.slice(0, 1);
  let isJoined = !one.isShared || one.joiner === null;
  const first$ = lineOf(members[0]!, 'first').pipe(
    tap(() => {
      if (isJoined) return;
      isJoined = true;
      all.add(lineOf(one.joiner!, 'joiner').subscribe());
    }),
  );
  const others = members.slice(1).map((each, at) => lineOf(each, `${at}`));
  all.add(merge(first$, ...others).subscribe());
  return emitted;
}

/** Before its first row a subscription has nothing to record. */
const isReady = (shown: unknown): boolean =>
  (shown as ReadonlyArray<readonly [number | undefined]>).every(([time]) => time !== undefined);

/** What would be recorded beside a decision of this moment. */
const shownOf = (readings: readonly Reading[]): unknown =>
  readings.map((reading) => {
    reading.refresh?.();
    return [reading.of?.time, reading.values()];
  });

function collecting<T>(run: (readings: Reading[]) => T): T {
  const readings: Reading[] = [];
  const keep = (reading: Reading) => {
    readings.push(reading);
    return () => {};
  };
  const outer = enterReadings({ keep, bar: () => undefined });
  try {
    return run(readings);
  } finally {
    enterReadings(outer);
  }
}

test('looking ahead changes nothing of what is emitted, nor of what is recorded beside it', async () => {
  const tried = new Tried();
  await holdLaw(300, drawn, (one) => {
    const columns = columnsOf(one.moves);
    let [interrupts, broughtUp] = [0, 0];
    const spans: SpanControl = {
      noteReader: () => {},
      interrupt: () => void interrupts++,
      bringUp: () => void broughtUp++,
    };
    const ahead = new SubscribedRows('BTC', '1m', spans);
    const barAt = (row: number): ClosedBar => {
      const [time, open, high, low, close, volume] = COLUMNS.map((name) => columns[name][row]!);
      return {
        symbol: 'BTC',
        interval: '1m',
        time,
        open,
        high,
        low,
        close,
        volume,
        closed: true,
      } as ClosedBar;
    };
    const begin = one.first + one.given;
    const given = Array.from({ length: one.given }, (_none, at): ClosedBar => {
      const bar = barAt(one.first + at);
      return one.isForeign ? { ...bar, time: bar.time - 30_000 } : bar;
    });
    const rest = Array.from({ length: ROWS - begin }, (_none, at) => barAt(begin + at));

    /** By row, in the subscription whose bars are all delivered. */
    const recorded: unknown[] = [];
    const expected = collecting((readings) => {
      const bars$ = new Subject<ClosedBar>();
      const emitted = decisions(one, bars$, readings);
      for (const [at, bar] of [...given, ...rest].entries()) {
        bars$.next(bar);
        recorded[one.first + at] = shownOf(readings);
      }
      return emitted;
    });

    let [counted, delivered, inWarmup] = [one.given, 0, 0];
    /** Nobody drives a subscription that has ended. */
    let isOpen = true;
    const liveness = {
      ofRow: () => (++counted <= one.warmup ? 'history' : 'live'),
      pass: (bars: number) => void (counted += bars),
    } as BarLiveness;
    const turns = {
      areShown: one.areShown,
      run(_cause: unknown, bar: ClosedBar, lively: string, deliver: (bar: ClosedBar) => void) {
        delivered++;
        if (lively === 'history') inWarmup++;
        deliver(bar);
      },
    } as unknown as Turns;
    const emitted = collecting((readings) => {
      const lanes: Array<ReturnType<typeof takeRows>> = [];
      const events = new Subject<ClosedBar>();
      const bars$ = new Observable<ClosedBar>((subscriber) => {
        lanes.push(takeRows(subscriber, { rows: ahead, liveness, turns }));
        const subscription = events.subscribe(subscriber);
        return () => {
          isOpen = false;
          subscription.unsubscribe();
        };
      });
      const all = decisions(one, bars$, readings);
      const [lane] = lanes;
      for (const bar of given) {
        ahead.takeBar(bar);
        events.next(bar);
      }
      let at = begin;
      for (let turn = 0; isOpen && at < ROWS; turn++) {
        if (turn % 3 === one.asEvent && counted >= one.warmup) {
          ahead.takeBar(barAt(at));
          events.next(barAt(at++));
          counted++;
          delivered++;
        }
        const to = Math.min(at + one.spans[turn % one.spans.length]!, ROWS);
        while (isOpen && at < to) {
          const next = lane!.next(columns, at, to);
          expect(next).toBeGreaterThanOrEqual(at);
          expect(next).toBeLessThanOrEqual(to);
          const until = turn % 3 === one.cut ? Math.min(next, at + 1) : next;
          if (until > at) {
            lane!.pass(columns, at, until);
            // Somebody else decides now, and records what this subscription knows.
            const before = broughtUp;
            const shown = shownOf(readings);
            if (isReady(recorded[until - 1])) expect(shown).toEqual(recorded[until - 1]);
            expect(broughtUp > before).toBe(readings.some(({ refresh }) => refresh !== undefined));
          }
          at = until;
          if (until < next) break;
          if (at < to) lane!.take(columns, at++);
        }
      }
      return all;
    });
    expect(emitted).toEqual(expected);
    if (expected.length > 0) tried.take('decided');
    const hasJoined = expected.some((each) => (each as string[])[0] === 'joiner');
    // What was looked ahead for may be too far for who has joined.
    if (hasJoined && one.given === 0 && !one.isResampled) expect(interrupts).toBeGreaterThan(0);
    if (!isOpen) return;
    expect(counted).toBe(ROWS - one.first);
    expect(inWarmup).toBe(Math.max(0, one.warmup - one.given));
    // The warm-up is delivered, and all of it where nothing can be looked through.
    const isKnown = !one.areShown && !one.isResampled && !(one.isForeign && one.given > 0);
    if (!isKnown) expect(delivered).toBe(rest.length);
    else if (delivered < rest.length / 2) tried.take('looked through');
    if (isKnown && one.isShared && one.members.length > 1) tried.take('shared');
    // Where it is known what all do, few bars are delivered beside those at which something is emitted.
    const names = [...one.members, ...(one.joiner === null ? [] : [one.joiner])];
    const isSimple = one.isShared && isKnown && names.every(({ pair }) => KNOWN.includes(pair));
    if (isSimple && one.asEvent < 0)
      expect(delivered).toBeLessThanOrEqual(expected.length + one.warmup + 2);
  });
  expect(tried.rare(['looked through', 'decided', 'shared'], 5)).toEqual([]);
  if (isFull) expect(tried.rare(['looked through', 'decided', 'shared'], 50)).toEqual([]);
});
