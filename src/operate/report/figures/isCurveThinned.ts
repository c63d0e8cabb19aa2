import type { ReportData } from '../ReportData.ts';

/** An older version's curve that was thinned has at least so many points. */
const FEWEST_POINTS = 10_000;

/**
 * Whether the recorded curve may lack the run's extremes. Versions that report no average drawdown retained every
 * second, fourth … instant of a long run, whatever its equity was: such a curve has fewer points than the run's market
 * with the shortest bars has closes.
 */
export function isCurveThinned({ totals, equity, strategies, ...run }: ReportData): boolean {
  if (totals.average_drawdown !== undefined) return false;
  const points = Math.max(
    0,
    ...(equity === undefined ? strategies.map((one) => one.equity.length) : [equity.length]),
  );
  if (points < FEWEST_POINTS) return false;
  const closes = Object.values(run.symbols).map(({ time }) => {
    let count = 0;
    // Its first bar of the run closes after the start, its last one at the end.
    for (let at = 0; at < time.length; at++) {
      if (time[at]! >= run.startTime && time[at]! < run.endTime) count++;
    }
    return count;
  });
  // The first or the last bar may close in the run without an instant of its own.
  return points + 2 < Math.max(0, ...closes);
}
