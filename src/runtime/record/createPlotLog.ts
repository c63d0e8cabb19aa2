import type { PlotLine } from '../../strategy/index.ts';

/** A line that a strategy computed, with its values in order of time. */
export interface RecordedPlot extends PlotLine {
  instance: string;
  /** Market times, epoch milliseconds, ascending; the newest value of a time counts. */
  times: readonly number[];
  values: readonly number[];
}

/** Collects what the strategies of a bot compute, for the report's candles. */
export interface PlotLog {
  take(instance: string, line: PlotLine, time: number, value: number): void;
  list(): RecordedPlot[];
}

/** No chart shows more; a line that has more is thinned to half of them. */
const MOST_POINTS = 65_536;
/** Lines of all instances; a strategy that subscribes anew at each bar could make one each time. */
const MOST_LINES = 1_024;

interface Course {
  plot: RecordedPlot;
  times: number[];
  values: number[];
}

export function createPlotLog(): PlotLog {
  /** By instance and line: a lookup by text at every bar would cost more than the indicator. */
  const known = new Map<string, Map<PlotLine, Course>>();
  const courses = new Map<string, Course>();

  function begin(instance: string, line: PlotLine): Course | undefined {
    // A restarted instance, or one that subscribes again, continues its line.
    const key = JSON.stringify([instance, line.symbol, line.interval, line.name]);
    const course = courses.get(key);
    if (course !== undefined || courses.size >= MOST_LINES) return course;
    const [times, values]: [number[], number[]] = [[], []];
    const begun = { plot: { ...line, instance, times, values }, times, values };
    courses.set(key, begun);
    return begun;
  }

  function courseOf(instance: string, line: PlotLine): Course | undefined {
    const own = known.get(instance) ?? new Map<PlotLine, Course>();
    known.set(instance, own);
    const course = own.get(line) ?? begin(instance, line);
    if (course !== undefined) own.set(line, course);
    return course;
  }

  return {
    take(instance, line, time, value) {
      const course = courseOf(instance, line);
      if (course === undefined) return;
      const { times, values } = course;
      const last = times.length - 1;
      if (times[last]! > time) return;
      if (times[last] === time) values[last] = value;
      else {
        times.push(time);
        if (values.push(value) >= MOST_POINTS) thin(course);
      }
    },
    list: () => [...courses.values()].map(({ plot }) => plot),
  };
}

/** Of each four points the lowest and the highest stay, so that no extreme of the line is lost. */
function thin({ times, values }: Course): void {
  let length = 0;
  for (let from = 0; from < times.length; from += 4) {
    const until = Math.min(from + 4, times.length);
    let [low, high] = [from, from];
    for (let at = from + 1; at < until; at++) {
      if (values[at]! < values[low]!) low = at;
      if (values[at]! >= values[high]!) high = at;
    }
    for (const at of low === high ? [low] : [Math.min(low, high), Math.max(low, high)]) {
      times[length] = times[at]!;
      values[length++] = values[at]!;
    }
  }
  times.length = length;
  values.length = length;
}
