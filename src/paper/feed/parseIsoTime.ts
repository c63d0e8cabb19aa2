/** A calendar time, in UTC if it names no zone; MetaTrader writes `2024.01.31`. */
const ISO =
  /^(\d{4}-\d{2}-\d{2}|\d{4}\.\d{2}\.\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?(Z|[+-]\d{2}:?\d{2})?$/;

/** Epoch milliseconds of `2024-01-31`, `2024-01-31 08:00:00+00:00` and the like; NaN for other text. */
export function parseIsoTime(text: string): number {
  const match = ISO.exec(text.trim());
  if (match === null) return NaN;
  const [, written, time = '00:00', zone = 'Z'] = match;
  const date = written!.replaceAll('.', '-');
  // Date.parse turns 31 February into 2 March.
  const day = new Date(`${date}T00:00Z`);
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== date) return NaN;
  return Date.parse(`${date}T${time}${zone}`);
}
