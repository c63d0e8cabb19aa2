/** A value at a market time, quote units. */
export type TimedValue = readonly [time: number, value: number];

/** Curves that get their points at the same times, one for each name and one for their sum. */
export interface Curves {
  /** Whether the moment that is told now gets a point; asked once a moment. */
  isDue(): boolean;
  /** Gives each curve its point, in the order of the names. */
  add(time: number, values: readonly number[], sum: number): void;
  of(name: string): readonly TimedValue[];
  readonly sum: readonly TimedValue[];
}

/** A chart needs no more points than this; a longer run keeps every second, fourth … of them. */
const MAX_POINTS = 20_000;

export function createCurves(names: readonly string[]): Curves {
  let curves = names.map((): TimedValue[] => []);
  let sum: TimedValue[] = [];
  let stride = 1;
  let seen = 0;

  const everySecond = (points: TimedValue[]): TimedValue[] =>
    points.filter((_point, index) => index % 2 === 0);

  return {
    isDue: () => seen++ % stride === 0,
    add(time, values, total) {
      for (let at = 0; at < curves.length; at++) curves[at]!.push([time, values[at]!]);
      sum.push([time, total]);
      if (sum.length < MAX_POINTS) return;
      curves = curves.map(everySecond);
      sum = everySecond(sum);
      stride *= 2;
    },
    of: (name) => curves[names.indexOf(name)] ?? [],
    get sum() {
      return sum;
    },
  };
}
