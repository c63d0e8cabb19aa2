import { HOUR_MS } from '../../contract/durations.ts';
import { mergeCurves } from '../../statistics/index.ts';
/** A value at a market time, quote units. */
export type TimedValue = readonly [time: number, value: number];

/**
 * Curves that get their points at the same times, one for each name and one for their sum. A reader may add the
 * newest point, of an instant that is not complete yet.
 */
export interface Curves {
  /** Gives each curve its point, in the order of the names; the caller owns the list. */
  add(time: number, values: readonly number[], sum: number): void;
  /** The same values at many times, ascending. */
  addFlat(times: Float64Array, count: number, values: readonly number[], sum: number): void;
  /** A value at each of many times, ascending: a column for each curve, in the order of the names, and their sum's. */
  addColumns(
    times: Float64Array,
    count: number,
    values: readonly Float64Array[],
    sums: Float64Array,
  ): void;
  /** @param marks points of the curve that it retains however long the run, ascending */
  of(name: string, newest?: TimedValue, marks?: readonly TimedValue[]): readonly TimedValue[];
  sum(newest?: TimedValue, marks?: readonly TimedValue[]): readonly TimedValue[];
  /** The last point of each UTC hour that has one, however long the run: the basis of ratios. */
  hourlyOf(name: string, newest?: TimedValue): readonly TimedValue[];
  hourlySum(newest?: TimedValue): readonly TimedValue[];
}

/** A chart needs no more points than this; a longer run retains every second, fourth … of them, and its marks. */
const MAX_POINTS = 20_000;

export function createCurves(names: readonly string[]): Curves {
  const sumAt = names.length;
  const points = createPoints(sumAt + 1);
  let stride = 1;
  let seen = 0;
  const hours = createPoints(sumAt + 1);
  /** The newest point, which may not be the last of its hour. */
  const last = new Float64Array(sumAt + 1);
  let lastTime = 0;
  /** A point exactly at its end belongs to the hour. */
  let hourEnd = Number.POSITIVE_INFINITY;

  function keepHour(time: number): void {
    if (seen > 0 && time > hourEnd) hours.add(lastTime, last);
    if (seen === 0 || time > hourEnd) hourEnd = Math.ceil(time / HOUR_MS) * HOUR_MS;
  }

  function keepPoint(): void {
    points.add(lastTime, last);
    if (points.count() < MAX_POINTS) return;
    points.keepEverySecond();
    stride *= 2;
  }

  const curveAt = (
    at: number,
    newest?: TimedValue,
    marks: readonly TimedValue[] = [],
  ): readonly TimedValue[] => {
    const all = points.list(at);
    const list = stride === 1 ? all : mergeCurves(all, marks);
    if (newest !== undefined) list.push(newest);
    return list;
  };
  const hourlyAt = (at: number, newest?: TimedValue): readonly TimedValue[] => {
    const list = hours.list(at);
    const isLastOfHour = newest === undefined || newest[0] > hourEnd;
    if (seen > 0 && isLastOfHour) list.push([lastTime, last[at] ?? 0]);
    if (newest !== undefined) list.push(newest);
    return list;
  };

  function setLast(time: number, values: readonly number[], sum: number): void {
    for (let at = 0; at < sumAt; at++) last[at] = values[at]!;
    last[sumAt] = sum;
    lastTime = time;
  }

  /**
   * Most rows are neither retained nor the last of an hour, and are passed over.
   *
   * @param setRow makes a row the newest point
   */
  function addRows(times: Float64Array, count: number, setRow: (row: number) => void): void {
    for (let row = 0; row < count;) {
      if (seen === 0 || times[row]! > hourEnd) {
        if (row > 0) setRow(row - 1);
        keepHour(times[row]!);
      }
      const sinceKept = seen % stride;
      let next = row + 1;
      if (sinceKept === 0) {
        setRow(row);
        keepPoint();
      } else next = firstAfter(hourEnd, times, next, Math.min(row + stride - sinceKept, count));
      seen += next - row;
      row = next;
    }
    setRow(count - 1);
  }

  return {
    add(time, values, sum) {
      keepHour(time);
      setLast(time, values, sum);
      if (seen++ % stride === 0) keepPoint();
    },
    addFlat(times, count, values, sum) {
      addRows(times, count, (row) => setLast(times[row]!, values, sum));
    },
    addColumns(times, count, values, sums) {
      addRows(times, count, (row) => {
        for (let at = 0; at < sumAt; at++) last[at] = values[at]![row]!;
        last[sumAt] = sums[row]!;
        lastTime = times[row]!;
      });
    },
    of: (name, newest, marks) => curveAt(names.indexOf(name), newest, marks),
    sum: (newest, marks) => curveAt(sumAt, newest, marks),
    hourlyOf: (name, newest) => hourlyAt(names.indexOf(name), newest),
    hourlySum: (newest) => hourlyAt(sumAt, newest),
  };
}

/** The first row in [from, to) that is later than a time; `to` if there is none. */
function firstAfter(time: number, times: Float64Array, from: number, to: number): number {
  while (from < to) {
    const middle = (from + to) >> 1;
    if (times[middle]! > time) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Points of several curves at the same times, as columns: a hundred strategies have two million of them. */
interface Points {
  add(time: number, values: Float64Array): void;
  count(): number;
  keepEverySecond(): void;
  /** Those of one curve, as a new list; empty for a curve that there is not. */
  list(curve: number): TimedValue[];
}

const FIRST_POINTS = 256;

function createPoints(curves: number): Points {
  let times = new Float64Array(FIRST_POINTS);
  let columns = Array.from({ length: curves }, () => new Float64Array(FIRST_POINTS));
  let count = 0;

  const grown = (column: Float64Array): Float64Array<ArrayBuffer> => {
    const larger = new Float64Array(2 * column.length);
    larger.set(column);
    return larger;
  };

  return {
    add(time, values) {
      if (count === times.length) {
        times = grown(times);
        columns = columns.map(grown);
      }
      times[count] = time;
      for (let curve = 0; curve < curves; curve++) columns[curve]![count] = values[curve]!;
      count++;
    },
    count: () => count,
    keepEverySecond() {
      count = Math.ceil(count / 2);
      for (const column of [times, ...columns]) {
        for (let at = 0; at < count; at++) column[at] = column[2 * at]!;
      }
    },
    list(curve) {
      const column = columns[curve];
      if (column === undefined) return [];
      return Array.from({ length: count }, (_none, at) => [times[at]!, column[at]!] as const);
    },
  };
}
