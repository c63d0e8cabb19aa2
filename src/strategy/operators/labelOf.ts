import type { Indicator } from '../../indicators/index.ts';

/** `bollinger(20, 2)`: a readable name of an indicator. */
export function labelOf({ id, params }: Indicator): string {
  const given = Object.values(params);
  return given.length === 0 ? id : `${id}(${given.join(', ')})`;
}

/** A copy of its present values: the number, or its lines by name. */
export function valuesOf({ series, values }: Indicator): number | Record<string, number> {
  if (series.length === 1) return values[0]!;
  return Object.fromEntries(series.map((name, line) => [name, values[line]!]));
}
