import { formatDuration } from './formatNumbers.ts';

/** The progress of work that is counted item by item. */
export interface Count {
  done: number;
  total: number;
  /** Done by an earlier run; not part of the rate. */
  resumed?: number;
  /** Shown if it is counted. */
  failed?: number;
  /** Shown at the end of the line. */
  note?: string;
}

export interface CountProgressOptions {
  stream: { write(text: string): unknown; isTTY?: boolean };
  /** Monotonic milliseconds, for rate and time left. */
  now: () => number;
  /** What is counted, in the plural. */
  unit: string;
}

const REDRAW_MS = 200;
const PLAIN_MS = 60_000;

/** A line that is redrawn on a terminal; elsewhere one at the start and one per minute. */
export function createCountProgress({
  stream,
  now,
  unit,
}: CountProgressOptions): (count: Count) => void {
  const started = now();
  const pauseMs = stream.isTTY === true ? REDRAW_MS : PLAIN_MS;
  let reportedAt = -Infinity;
  return ({ done, total, resumed = 0, failed, note }) => {
    const time = now();
    if (time - reportedAt < pauseMs && done < total) return;
    reportedAt = time;
    const [ran, elapsedMs] = [done - resumed, time - started];
    const failures = failed === undefined ? '' : `, ${failed} failed`;
    const left = ran === 0 ? '' : `, ${formatDuration(((total - done) * elapsedMs) / ran)} left`;
    const rate = ran === 0 ? '' : `, ${rateText((ran / elapsedMs) * 1_000)}${left}`;
    const noted = note === undefined ? '' : `; ${note}`;
    const line = `${done} of ${total} ${unit}${failures}${rate}${noted}`;
    const end = done < total ? '' : '\n';
    stream.write(stream.isTTY === true ? `\r${line}\u001B[K${end}` : `${line}\n`);
  };
}

/** What takes long is counted by the minute. */
const rateText = (perSecond: number): string =>
  perSecond < 0.1 ? `${(perSecond * 60).toFixed(1)} a minute` : `${perSecond.toFixed(1)} a second`;
