import {
  formatColumns,
  formatCount,
  formatDuration,
  formatFixed,
  formatWhole,
} from '../../src/operate/index.ts';
import { formatWorkers } from './formatWorkers.ts';
import type { SweepStatus } from './readSweepStatus.ts';

/** Reasons and slow points that are listed. */
const MOST_LISTED = 5;

/** The status of a sweep as text. */
export function formatSweepStatus(status: SweepStatus): string {
  const { files, workers } = status;
  const parts = [
    [headline(status), ...slowLines(status), ...faultLines(status)].join('\n'),
    files.length > 1 ? fileTable(status) : '',
    workers.length > 0 ? formatWorkers(workers) : '',
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function headline(status: SweepStatus): string {
  const { state, done, total, failed, points_per_second: rate, left_ms: left } = status;
  const of = total === null ? '' : ` of ${formatWhole(total)}`;
  return [
    `The sweep is ${state}: ${formatWhole(done)}${of} points`,
    ...(failed === 0 ? [] : [`${formatWhole(failed)} failed`]),
    ...(rate === 0 ? [] : [`${formatFixed(rate, rate < 10 ? 2 : 1)} a second`]),
    ...(left === null || state === 'complete' ? [] : [`${formatDuration(left)} left`]),
  ].join(', ');
}

/** Where a point stands out, and against what. */
export function describeSlow(slow: SweepStatus['slow'], msAPoint: number): string[] {
  return slow
    .slice(0, MOST_LISTED)
    .map(
      ({ index, worker, ms }) =>
        `slow: point ${index + 1} for ${formatDuration(ms)} on ${worker}; others take ${formatDuration(msAPoint)}`,
    );
}

const slowLines = ({ slow, ms_per_point: ms }: SweepStatus): string[] => describeSlow(slow, ms);

function faultLines({ faults }: SweepStatus): string[] {
  const lines = faults.slice(0, MOST_LISTED).map(({ fault, points }) => {
    return `${formatCount(points, 'point')} failed: ${fault}`;
  });
  const more = faults.length - MOST_LISTED;
  return more > 0 ? [...lines, `and ${formatWhole(more)} more reasons`] : lines;
}

function fileTable({ files }: SweepStatus): string {
  const rows = files.map(({ file, shard, done, total }) => [
    file,
    shard ?? '–',
    formatWhole(done),
    total === null ? '–' : formatWhole(total),
  ]);
  return formatColumns(
    [['file', 'shard', 'points', 'of'], ...rows],
    ['left', 'right', 'right', 'right'],
  );
}
