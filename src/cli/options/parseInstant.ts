/**
 * Reads a date, or a date with a time, as epoch milliseconds; without a zone it is UTC, as all times here are. NaN for
 * anything else.
 */
export function parseInstant(text: string): number {
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return Number.NaN;
  const withTime = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text.replace(' ', 'T');
  return Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/i.test(withTime) ? withTime : `${withTime}Z`);
}

/** Date arithmetic wraps a day that is not there: 30 February would be 2 March. */
function isDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
