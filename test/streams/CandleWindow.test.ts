import fc from 'fast-check';
import type { Subscription } from 'rxjs';
import { expect, test } from 'vitest';
import type { BarTaker } from '../../src/env/BarSpan.ts';
import { CandleWindow } from '../../src/streams/CandleWindow.ts';
import { recordAt } from '../../src/streams/RetainedBars.ts';
import { holdLaw } from '../holdLaw.ts';

const SIZE = 6;
/** Two feeds whose rows are at the same places. */
const feeds = [1, 2].map((factor) => {
  const column = (): Float64Array =>
    Float64Array.from({ length: 400 }, (_none, row) => (row + 1) * 60_000 * factor);
  const [time, open, high, low, close, volume] = [1, 2, 3, 4, 5, 6].map(column);
  return { time: time!, open: open!, high: high!, low: low!, close: close!, volume: volume! };
});

/** A listener: it takes each row of which the number is a multiple of `every`, or everything as events. */
interface Listener {
  every: number | undefined;
  passive: boolean;
  seen: string[];
  expected: string[];
  subscription?: Subscription;
}

const isTaken = ({ every }: Listener, row: number): boolean =>
  every === undefined || row % every === 0;

test('rows and records reach each listener once and in order, and nobody who left', async () => {
  const choice = fc.integer({ min: 0, max: 999 });
  const kinds = ['rows', 'rows', 'rows', 'record', 'join', 'leave', 'last', 'forget'] as const;
  const steps = fc.array(fc.tuple(fc.constantFrom(...kinds), choice), {
    maxLength: 60,
    size: 'max',
  });
  await holdLaw(200, steps, (drawn) => {
    let joins = 0;
    let expectedJoins = 0;
    const window = new CandleWindow({
      size: SIZE,
      interval: '1m',
      now: () => 0,
      onJoin: () => joins++,
    });
    let listeners: Listener[] = [];
    let isLoaded = false;
    let feed = feeds[0]!;
    /** Rows that closed since the window was loaded. */
    let [first, end] = [0, 0];
    /** Ends the last listener at the next row that the first one gets. */
    let isLastToGo = false;

    const leave = (one: Listener): void => {
      one.subscription!.unsubscribe();
      listeners = listeners.filter((other) => other !== one);
      expect(one.seen).toEqual(one.expected);
    };
    const noteRow = (one: Listener, row: number): void => {
      expect(listeners, 'who gets a row is still there').toContain(one);
      one.seen.push(`row ${row}`);
      if (!isLastToGo || one !== listeners[0] || listeners.length === 1) return;
      isLastToGo = false;
      leave(listeners.at(-1)!);
    };
    const takerOf = (one: Listener): BarTaker => ({
      next(bars, from, to) {
        expect(bars).toBe(feed);
        for (let row = from; row < to; row++) if (isTaken(one, row)) return row;
        return to;
      },
      take: (bars, at) => (expect(bars).toBe(feed), noteRow(one, at)),
      pass(bars, from, to) {
        expect(bars).toBe(feed);
        for (let row = from; row < to; row++) one.seen.push(`passed ${row}`);
      },
    });
    const expectRow = (row: number): void => {
      // The first one's row ends the last one before it gets its own.
      const isFirstShown = listeners.length > 0 && isTaken(listeners[0]!, row);
      const goes =
        isLastToGo && isFirstShown && listeners.length > 1 ? listeners.at(-1) : undefined;
      for (const one of listeners) {
        if (one !== goes) one.expected.push(`${isTaken(one, row) ? 'row' : 'passed'} ${row}`);
      }
    };

    for (const [kind, number] of drawn) {
      if (kind === 'join') {
        const every = [undefined, 1, 3, 50][number % 4];
        const history = number % 5;
        const one: Listener = { every, passive: number % 3 === 0, seen: [], expected: [] };
        if (isLoaded) {
          expectedJoins++;
          const from = Math.max(first, end - history);
          for (let row = from; row < end; row++) one.expected.push(`history ${row}`);
          one.expected.push(`loaded ${end - from}`);
        }
        listeners.push(one);
        const taker = every === undefined ? undefined : takerOf(one);
        const onLoaded = (count: number): void => void one.seen.push(`loaded ${count}`);
        one.subscription = window
          .view({ history, onLoaded, taker, passive: one.passive })
          .subscribe((event) => {
            const row = feed.time.indexOf(event.bar.time);
            expect(event.bar).toEqual(recordAt(feed, row));
            if (event.kind === 'closed' && event.history) one.seen.push(`history ${row}`);
            else noteRow(one, row);
          });
        if (isLoaded) continue;
        // The first history comes with the first listener.
        first = end = number % 7;
        end += number % 4;
        const rows = Array.from({ length: end - first }, (_none, at) => recordAt(feed, first + at));
        window.load(rows);
        isLoaded = true;
        const from = Math.max(first, end - history);
        for (let row = from; row < end; row++) one.expected.push(`history ${row}`);
        one.expected.push(`loaded ${end - from}`);
      } else if (kind === 'leave' && listeners.length > 0) {
        leave(listeners[number % listeners.length]!);
      } else if (kind === 'last') isLastToGo = true;
      else if (kind === 'forget' && listeners.length === 0) {
        window.forget();
        isLoaded = false;
        // The next feed may be another one, and earlier.
        feed = feeds[number % 2]!;
      } else if (kind === 'record' && isLoaded) {
        const row = end;
        const goes = isLastToGo && listeners.length > 1 ? listeners.at(-1) : undefined;
        for (const one of listeners) if (one !== goes) one.expected.push(`row ${row}`);
        end++;
        window.close(recordAt(feed, row));
        // One that was seen already is dropped.
        window.close(recordAt(feed, row));
        window.form({ ...recordAt(feed, row), closed: false });
      } else if (kind === 'rows' && isLoaded) {
        const to = end + 1 + (number % 9);
        while (end < to) {
          const next = window.next(feed, end, to);
          const isShown = (row: number): boolean => listeners.some((one) => isTaken(one, row));
          let due = end;
          while (due < to && !isShown(due)) due++;
          expect(next).toBe(due);
          if (next > end) {
            for (let row = end; row < next; row++) expectRow(row);
            window.pass(feed, end, next);
          }
          end = next;
          if (next === to) break;
          expectRow(next);
          window.take(feed, next);
          end++;
        }
      }
      expect(window.lastTime).toBe(isLoaded && end > first ? feed.time[end - 1] : -Infinity);
      expect(window.takesColumns).toBe(
        isLoaded && listeners.every(({ every }) => every !== undefined),
      );
      const isKnown = isLoaded && end > first;
      expect(window.isPassive).toBe(isKnown && listeners.every(({ passive }) => passive));
      expect(joins).toBe(expectedJoins);
    }
    for (const one of listeners) expect(one.seen).toEqual(one.expected);
  });
});

test('bars of a time that has not come are taken back, and those before them stay', async () => {
  const bar = (place: number) => ({ ...recordAt(feeds[0]!, place), time: place * 60_000 });
  const drawn = fc.record({
    known: fc.integer({ min: 1, max: SIZE }),
    wrong: fc.integer({ min: 1, max: 3 }),
    /** The bars of the snapshot that corrects it, of which the last may be known or not. */
    first: fc.integer({ min: 0, max: 12 }),
    count: fc.integer({ min: 0, max: 4 }),
  });
  await holdLaw(200, drawn, ({ known, wrong, first, count }) => {
    const window = new CandleWindow({ size: 50, interval: '1m', now: () => 0 });
    const places = (from: number, length: number) =>
      Array.from({ length }, (_none, at) => from + at);
    const before = [...places(5, known), ...places(100, wrong)];
    const snapshot = places(first, count);
    window.load(before.map(bar));
    window.rewind(snapshot.map(bar));
    const last = snapshot.at(-1) ?? Infinity;
    const retained = before.filter((place) => place <= last);
    const expected = retained.length > 0 ? retained : snapshot;
    const seen: number[] = [];
    window
      .view({ history: 50 })
      .subscribe((event) => event.kind === 'closed' && seen.push(event.bar.time / 60_000));
    expect(seen).toEqual(expected);
    expect(window.lastTime).toBe(expected.at(-1)! * 60_000);
  });
});
