import { fileFault, type FeedResult } from '../../src/paper/index.ts';

/**
 * The elements of a JSON array.
 *
 * @param field the field that holds them, in a file whose rows are one part of an object
 */
export function readJson(
  bytes: Uint8Array,
  file: string,
  field: string | null = null,
): FeedResult<unknown[]> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const whole: unknown = JSON.parse(text);
    const value: unknown =
      field === null || Array.isArray(whole) ? whole : (whole as Record<string, unknown>)[field];
    if (!Array.isArray(value))
      return fileFault(file, 'is not a JSON array.', 'Write rows as [ … ].');
    if (value.length === 0) return fileFault(file, 'has no rows.', 'Ask for another time range.');
    return { ok: true, value: value as unknown[] };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return fileFault(file, `is not JSON: ${why}.`, 'Is the file cut off? Download it again.');
  }
}

/** Numbers, and quoted numbers as exchanges write them; NaN for everything else. */
export function toNumber(cell: unknown): number {
  if (typeof cell === 'number') return cell;
  const isDecimal = typeof cell === 'string' && /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(cell);
  return isDecimal ? Number(cell) : NaN;
}
