import type { SoakHour } from './soak.ts';

const MEGABYTE = 1e6;
/** Growth per day that does not count as a leak. */
const TOLERATED_A_DAY = 0.1 * MEGABYTE;
/** By then every bounded collection is full: an instance's newest names, records, compiled code. */
const WARM_HOURS = 36;
/** Over fewer hours the slope reflects their differences, not the bot. */
const CHECKED_HOURS = 24;
const DAY_HOURS = 24;

const inMegabytes = (bytes: number): string => (bytes / MEGABYTE).toFixed(2);

/** One row per measured hour. */
export function formatHour(hour: SoakHour): string {
  const { heapBytes, retainedBytes, retainedIds, timers, resources, sends, processes } = hour;
  const retained = `${inMegabytes(retainedBytes)} MB that must be kept (${retainedIds} client ids)`;
  return `hour ${hour.hour}: heap ${inMegabytes(heapBytes)} MB, beside it ${retained}; ${timers} timers, ${resources} handles, ${sends} requests and ${processes} processes so far`;
}

const warm = (hours: readonly SoakHour[]): SoakHour[] =>
  hours.filter(({ hour }) => hour >= WARM_HOURS);

/**
 * Bytes a day that the heap grows by once it is warm: the median of the slopes between any two hours, which
 * no single hour can bend. undefined where too few hours were checked.
 */
export function growthADay(hours: readonly SoakHour[]): number | undefined {
  const checked = warm(hours);
  const [first, last] = [checked[0], checked.at(-1)];
  if (first === undefined || last!.hour - first.hour < CHECKED_HOURS) return undefined;
  const slopes = checked.flatMap((from, index) =>
    checked
      .slice(index + 1)
      .map((to) => ((to.heapBytes - from.heapBytes) / (to.hour - from.hour)) * DAY_HOURS),
  );
  return slopes.sort((a, b) => a - b)[slopes.length >> 1];
}

/** Whether neither memory nor timers nor handles grow; a soak that is too short shows nothing. */
export function isFlat(hours: readonly SoakHour[]): boolean {
  const growth = growthADay(hours);
  if (growth === undefined) return false;
  const [first, last] = [warm(hours)[0]!, hours.at(-1)!];
  const few = last.timers <= first.timers + 10 && last.resources <= first.resources + 2;
  return few && growth <= TOLERATED_A_DAY;
}

/** The verdict in words. */
export function formatSoak(hours: readonly SoakHour[]): string {
  const growth = growthADay(hours);
  if (growth === undefined) {
    return `TOO SHORT: the heap is judged from hour ${WARM_HOURS} on, for ${CHECKED_HOURS} hours at least`;
  }
  const verdict = isFlat(hours) ? 'flat' : 'NOT FLAT';
  return `${hours.at(-1)!.hour} virtual hours: the heap grows by ${inMegabytes(growth)} MB a day after hour ${WARM_HOURS} (${inMegabytes(TOLERATED_A_DAY)} MB are allowed): ${verdict}`;
}
