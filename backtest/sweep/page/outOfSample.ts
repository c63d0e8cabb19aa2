import { DAY_MS } from '../../../src/contract/durations.ts';
import { formatFixed, formatTime } from '../../../src/operate/index.ts';
import type { TimedValue } from '../../../src/statistics/index.ts';
import { isRun, type PointRun } from '../PointResult.ts';
import type { SweepOutcome } from '../runSweep.ts';
import type { SweepJob } from '../SweepPlan.ts';

/** The tests of a walk-forward one after another, their returns compounded: percent of the first test's capital. */
export interface OutOfSample {
  /** From 0 at the first test's begin. */
  curve: TimedValue[];
  /** At or below 0: shares of the peak. */
  drawdown: TimedValue[];
  windows: { from: number; until: number; window: number }[];
}

/** Stitches the tests; null without one that ran. */
export function stitchTests({
  tests: jobs,
  results,
}: Pick<SweepOutcome, 'tests' | 'results'>): OutOfSample | null {
  const tests = jobs
    .flatMap((job) => {
      const result = results.get(job.index);
      return result !== undefined && isRun(result) ? [{ job, run: result }] : [];
    })
    .toSorted((a, b) => fromOf(a.job) - fromOf(b.job));
  const [first] = tests;
  if (first === undefined) return null;
  let [worth, peak] = [1, 1];
  const curve: TimedValue[] = [[fromOf(first.job), 0]];
  const drawdown: TimedValue[] = [[fromOf(first.job), 0]];
  for (const [time, change] of tests.flatMap(({ job, run }) => stepsOf(job, run))) {
    worth *= 1 + change;
    peak = Math.max(peak, worth);
    curve.push([time, (worth - 1) * 100]);
    drawdown.push([time, (worth / peak - 1) * 100]);
  }
  const windows = tests.map(({ job }) => ({
    from: fromOf(job),
    until: untilOf(job),
    window: job.window ?? 0,
  }));
  return { curve, drawdown, windows };
}

const fromOf = ({ range }: SweepJob): number => range.from ?? 0;
const untilOf = ({ range }: SweepJob): number => range.until ?? 0;

/**
 * The returns of a whole test: to its first midnight of UTC, of each day after it, and from the last midnight. Tests
 * begin where the warm-up ends, so that most have such parts of a day.
 */
function stepsOf(job: SweepJob, { returns, edges: [head, tail] }: PointRun): TimedValue[] {
  const [from, until] = [fromOf(job), untilOf(job)];
  const first = Math.ceil(from / DAY_MS) * DAY_MS;
  if (first > until) return [[until, head]];
  const days = returns.map((change, day) => [first + (day + 1) * DAY_MS, change] as const);
  const [before, after] = [first > from, first + returns.length * DAY_MS < until];
  return [
    ...(before ? [[first, head] as const] : []),
    ...days,
    ...(after ? [[until, tail] as const] : []),
  ];
}

const [WIDTH, HEIGHT, FALL, LEFT, TOP, BOTTOM] = [900, 240, 90, 64, 18, 22];

/** The stitched curve over its drawdown; the windows are shaded in turn. */
export function outOfSampleSvg({ curve, drawdown, windows }: OutOfSample): string {
  const [from, until] = [windows[0]!.from, windows.at(-1)!.until];
  const x = (time: number): string =>
    (LEFT + ((time - from) / Math.max(1, until - from)) * (WIDTH - LEFT)).toFixed(1);
  const format = (value: number): string => `${formatFixed(value, 1)} %`;
  const draw = (
    points: readonly TimedValue[],
    top: number,
    height: number,
    look: string,
  ): string => {
    const values = points.map(([, value]) => value);
    const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
    const y = (value: number): string =>
      (top + (high === low ? 0.5 : (high - value) / (high - low)) * height).toFixed(1);
    const path = points.map(([time, value]) => `${x(time)},${y(value)}`).join(' ');
    // The ends are named first; zero where it does not cover one of them.
    const isFree = (value: number): boolean =>
      [high, low].every((end) => Math.abs(Number(y(end)) - Number(y(value))) >= 14);
    const marks = [high, low, ...(isFree(0) ? [0] : [])].map(
      (value) =>
        `<text x="${LEFT - 6}" y="${Number(y(value)) + 4}" text-anchor="end">${format(value)}</text>`,
    );
    return `<line class="axis" x1="${LEFT}" x2="${WIDTH}" y1="${y(0)}" y2="${y(0)}"/><polyline fill="none" stroke-width="2" stroke="var(${look})" points="${path}"/>${marks.join('')}`;
  };
  const total = TOP + HEIGHT + 26 + FALL;
  const shades = windows.map(({ from: begin, until: end, window }, at) => {
    const width = Number(x(end)) - Number(x(begin));
    const shade = at % 2 === 0 ? ` fill="var(--grid)"` : ` fill="none"`;
    const text = `window ${window + 1}: ${formatTime(begin)} to ${formatTime(end)}`;
    const name =
      width < 18
        ? ''
        : `<text x="${(Number(x(begin)) + width / 2).toFixed(1)}" y="12" text-anchor="middle">${window + 1}</text>`;
    return `<rect x="${x(begin)}" y="0" width="${width.toFixed(1)}" height="${total}"${shade}><title>${text}</title></rect>${name}`;
  });
  const dates = `<text x="${LEFT}" y="${total + BOTTOM - 6}">${formatTime(from)}</text><text x="${WIDTH}" y="${total + BOTTOM - 6}" text-anchor="end">${formatTime(until)}</text>`;
  const name = `<text class="name" x="${LEFT + 6}" y="${TOP + HEIGHT + 22}">drawdown</text>`;
  const about = `Out of sample: ${format(curve.at(-1)![1])} over ${windows.length} windows`;
  return `<div class="scroll wide" tabindex="0" role="group" aria-label="out of sample"><svg viewBox="0 0 ${WIDTH} ${total + BOTTOM}" role="img" aria-label="${about}">${shades.join('')}${draw(curve, TOP + 6, HEIGHT - 12, '--accent')}${draw(drawdown, TOP + HEIGHT + 28, FALL - 8, '--loss')}${name}${dates}</svg></div>`;
}

/** The curve in a sentence. */
export function describeOutOfSample({ curve, drawdown, windows }: OutOfSample): string {
  const end = curve.at(-1)![1];
  const deepest = Math.min(...drawdown.map(([, value]) => value));
  const format = (value: number): string => `${formatFixed(value, 2)} %`;
  return `${format(end)} over ${windows.length} windows, largest drawdown ${format(-deepest)} (returns of days and of the parts of days at the ends of a test, compounded). Each window trades what was best in the training before it.`;
}
