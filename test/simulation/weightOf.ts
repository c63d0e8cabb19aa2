import type { Dialect } from '../../src/contract/index.ts';

const SEGMENT = '[^/]+';
const patterns = new WeakMap<Dialect, Array<{ method: string; path: RegExp; weight: number }>>();

/** Weight of a request by its method and path, from the dialect's table. */
export function weightOf(dialect: Dialect, method: string, path: string): number {
  let rows = patterns.get(dialect);
  if (rows === undefined) {
    rows = Object.values(dialect.endpoints)
      .map((spec) => ({
        method: spec.method,
        path: new RegExp(`^/v1${spec.path.replace(/\{\w+\}/g, SEGMENT)}$`),
        literal: spec.path.split('{').length,
        weight: spec.weight,
      }))
      .sort((a, b) => a.literal - b.literal);
    patterns.set(dialect, rows);
  }
  return rows.find((row) => row.method === method && row.path.test(path))?.weight ?? 0;
}
