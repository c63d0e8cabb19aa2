import type { SoakDay } from './soak.ts';

const MEGABYTE = 1e6;
/** What a day may leave behind before it counts as a leak. */
const TOLERATED_A_DAY = 0.5 * MEGABYTE;
/** What the service and the compiler keep is kept after that day. */
const WARM_DAYS = 2;

/** A row a day. */
export function formatDay(day: SoakDay): string {
  const heap = `${(day.heapBytes / MEGABYTE).toFixed(1)} MB`;
  return `day ${day.day}: heap ${heap} after collection, ${day.timers} timers, ${day.resources} handles, ${day.sends} requests and ${day.processes} processes so far`;
}

/** Bytes a day that the heap grows by after the warm days: the median of the days' differences. */
export function growthADay(days: readonly SoakDay[]): number {
  const warm = days.slice(WARM_DAYS).map(({ heapBytes }) => heapBytes);
  const steps = warm.slice(1).map((bytes, index) => bytes - warm[index]!);
  return steps.sort((a, b) => a - b)[steps.length >> 1] ?? 0;
}

/** Whether neither memory nor timers nor handles grow. */
export function isFlat(days: readonly SoakDay[]): boolean {
  const [first, last] = [days[WARM_DAYS - 1] ?? days[0], days.at(-1)];
  if (first === undefined || last === undefined) return false;
  const few = last.timers <= first.timers + 10 && last.resources <= first.resources + 2;
  return few && growthADay(days) <= TOLERATED_A_DAY;
}

/** The verdict in words. */
export function formatSoak(days: readonly SoakDay[]): string {
  const growth = (growthADay(days) / MEGABYTE).toFixed(2);
  return `${days.length} virtual days: the heap grows by ${growth} MB a day after day ${WARM_DAYS}: ${isFlat(days) ? 'flat' : 'NOT FLAT'}`;
}
