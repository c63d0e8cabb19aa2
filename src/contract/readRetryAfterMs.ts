/**
 * Milliseconds that `Retry-After` asks to wait (LIM-2): seconds as a number or as text, or a date.
 *
 * @param now epoch milliseconds, for a date; without it a date is ignored
 */
export function readRetryAfterMs(asked: unknown, now?: number): number | undefined {
  if (asked === undefined || asked === null || asked === '') return undefined;
  const seconds = Number(asked);
  if (Number.isFinite(seconds)) return seconds < 0 ? undefined : seconds * 1_000;
  const date = typeof asked === 'string' ? Date.parse(asked) : Number.NaN;
  if (now === undefined || Number.isNaN(now) || Number.isNaN(date)) return undefined;
  return Math.max(0, date - now);
}
