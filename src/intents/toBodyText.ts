import { toPlainDecimal } from '../contract/priceGrid.ts';

function toMember([name, value]: [string, unknown]): string[] {
  return value === undefined ? [] : [`${JSON.stringify(name)}:${toBodyText(value)}`];
}

/**
 * A request as the exact text that is signed, journaled and sent (AUTH-2): keys in the order they were written,
 * numbers as plain decimals, since a venue's parser may not accept an exponent (`1e-7`).
 *
 * @throws on what JSON can't hold (NaN, a function): a checked intent has none of it
 */
export function toBodyText(value: unknown): string {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error(`${value} is not allowed in a request.`);
    return toPlainDecimal(value);
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean') {
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(toBodyText).join(',')}]`;
  if (typeof value === 'object') return `{${Object.entries(value).flatMap(toMember).join(',')}}`;
  throw new Error(`A ${typeof value} is not allowed in a request.`);
}
