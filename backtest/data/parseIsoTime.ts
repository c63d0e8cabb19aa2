/** A time of the calendar, in UTC where it names no zone. */
const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?(Z|[+-]\d{2}:?\d{2})?$/;

/** Epoch milliseconds of `2024-01-31`, `2024-01-31 08:00:00+00:00` and the like; NaN for other text. */
export function parseIsoTime(text: string): number {
  const match = ISO.exec(text.trim());
  if (match === null) return NaN;
  const [, date, time = '00:00', zone = 'Z'] = match;
  return Date.parse(`${date}T${time}${zone}`);
}
