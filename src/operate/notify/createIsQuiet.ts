import type { QuietHours } from '../../config/index.ts';

/**
 * Returns whether a wall time (epoch milliseconds) is within the quiet hours: by the clock on the wall of the time
 * zone, so that a change to summer time neither shortens the morning nor wakes anyone early.
 */
export function createIsQuiet({ from, until, tz }: QuietHours): (wallTime: number) => boolean {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: tz,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (wallTime) => {
    const now = format.format(wallTime);
    return from < until ? from <= now && now < until : from <= now || now < until;
  };
}
