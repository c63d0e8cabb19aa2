import type { RunningIndicator } from './RunningIndicator.ts';

/** `bollinger(20, 2)`: a readable name of an indicator. */
export function labelOf({ id, params }: Pick<RunningIndicator, 'id' | 'params'>): string {
  const given = Object.values(params);
  return given.length === 0 ? id : `${id}(${given.map(shown).join(', ')})`;
}

/** A copy of its present values: the number, or its lines by name. */
export function valuesOf({ series, values }: RunningIndicator): number | Record<string, number> {
  if (series.length === 1) return values[0]!;
  return Object.fromEntries(series.map((name, line) => [name, values[line]!]));
}

/** A parameter of an author's own indicator may be anything that a schema allows. */
function shown(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none');
}
