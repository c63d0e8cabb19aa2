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
  of(name: string, newest?: TimedValue): readonly TimedValue[];
  sum(newest?: TimedValue): readonly TimedValue[];
  /** The last point of each UTC hour that has one, however long the run: the basis of ratios. */
  hourlyOf(name: string, newest?: TimedValue): readonly TimedValue[];
  hourlySum(newest?: TimedValue): readonly TimedValue[];
}

/** A chart needs no more points than this; a longer run retains every second, fourth … of them. */
const MAX_POINTS = 20_000;
const HOUR_MS = 3_600_000;

export function createCurves(names: readonly string[]): Curves {
  const sumAt = names.length;
  /** One more than names: the last is the sum's. */
  const columns = [...names, ''];
  let curves = columns.map((): TimedValue[] => []);
  let stride = 1;
  let seen = 0;
  const hours = columns.map((): TimedValue[] => []);
  /** The newest point, which may not be the last of its hour. */
  const last = columns.map(() => 0);
  let lastTime = 0;
  /** A point exactly at its end belongs to the hour. */
  let hourEnd = Number.POSITIVE_INFINITY;

  const everySecond = (points: TimedValue[]): TimedValue[] =>
    points.filter((_point, index) => index % 2 === 0);

  function keepHour(time: number): void {
    if (seen > 0 && time > hourEnd) {
      for (let at = 0; at < hours.length; at++) hours[at]!.push([lastTime, last[at]!]);
    }
    if (seen === 0 || time > hourEnd) hourEnd = Math.ceil(time / HOUR_MS) * HOUR_MS;
  }

  function keepPoint(): void {
    for (let at = 0; at < curves.length; at++) curves[at]!.push([lastTime, last[at]!]);
    if (curves[sumAt]!.length < MAX_POINTS) return;
    curves = curves.map(everySecond);
    stride *= 2;
  }

  const curveAt = (at: number, newest?: TimedValue): readonly TimedValue[] => {
    const points = curves[at] ?? [];
    return newest === undefined ? points : [...points, newest];
  };
  const hourlyAt = (at: number, newest?: TimedValue): readonly TimedValue[] => {
    const points = [...(hours[at] ?? [])];
    const isLastOfHour = newest === undefined || newest[0] > hourEnd;
    if (seen > 0 && isLastOfHour) points.push([lastTime, last[at] ?? 0]);
    if (newest !== undefined) points.push(newest);
    return points;
  };

  function add(time: number, values: readonly number[], sum: number): void {
    keepHour(time);
    for (let at = 0; at < sumAt; at++) last[at] = values[at]!;
    last[sumAt] = sum;
    lastTime = time;
    if (seen++ % stride === 0) keepPoint();
  }

  return {
    add,
    addFlat(times, count, values, sum) {
      add(times[0]!, values, sum);
      for (let at = 1; at < count; at++) {
        const time = times[at]!;
        if (time > hourEnd) {
          lastTime = times[at - 1]!;
          keepHour(time);
        }
        if (seen++ % stride !== 0) continue;
        lastTime = time;
        keepPoint();
      }
      lastTime = times[count - 1]!;
    },
    addColumns(times, count, values, sums) {
      const setLast = (row: number): void => {
        for (let at = 0; at < sumAt; at++) last[at] = values[at]![row]!;
        last[sumAt] = sums[row]!;
        lastTime = times[row]!;
      };
      for (let row = 0; row < count; row++) {
        const time = times[row]!;
        if (time > hourEnd || seen === 0) {
          if (row > 0) setLast(row - 1);
          keepHour(time);
        }
        if (seen++ % stride !== 0) continue;
        setLast(row);
        keepPoint();
      }
      setLast(count - 1);
    },
    of: (name, newest) => curveAt(names.indexOf(name), newest),
    sum: (newest) => curveAt(sumAt, newest),
    hourlyOf: (name, newest) => hourlyAt(names.indexOf(name), newest),
    hourlySum: (newest) => hourlyAt(sumAt, newest),
  };
}
