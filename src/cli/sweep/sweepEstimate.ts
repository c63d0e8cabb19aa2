import type { SweepEstimate } from '../../../backtest/index.ts';
import { counted } from '../../env/index.ts';
import { formatDuration, formatFixed, formatWhole } from '../../operate/index.ts';

/** What is left of a sweep will take so long, in one line. */
export function formatEstimate(estimate: SweepEstimate): string {
  const { points, totalMs, threads } = estimate;
  return `${formatWhole(points)} points are left: about ${formatDuration(totalMs)} on ${counted(threads, 'thread')} (${measuredText(estimate)}), ${memoryText()}.`;
}

export function measuredText({ msAPoint, errorMs, measured }: SweepEstimate): string {
  const digits = msAPoint < 10 ? 2 : 0;
  const each = `${formatFixed(msAPoint, digits)} ± ${formatFixed(errorMs, digits)} ms a point`;
  return `${each}, measured on ${measured}`;
}

/** The most memory that this process had so far, threads included. */
export const memoryText = (): string =>
  `${formatWhole(process.resourceUsage().maxRSS / 1_024)} MB of memory`;
