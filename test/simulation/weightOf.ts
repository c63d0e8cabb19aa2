import type { Dialect } from '../../src/contract/index.ts';
import type { EndpointId } from '../../src/contract/endpoints.ts';

interface Row {
  id: EndpointId;
  method: string;
  path: RegExp;
  literal: number;
  weight: number;
}

const SEGMENT = '[^/]+';
const patterns = new WeakMap<Dialect, Row[]>();

/** The row of the dialect's table for a method and a path. */
function rowOf(dialect: Dialect, method: string, path: string): Row | undefined {
  let rows = patterns.get(dialect);
  if (rows === undefined) {
    rows = Object.entries(dialect.endpoints)
      .map(([id, spec]) => ({
        id: id as EndpointId,
        method: spec.method,
        path: new RegExp(`^/v1${spec.path.replace(/\{\w+\}/g, SEGMENT)}$`),
        literal: spec.path.split('{').length,
        weight: spec.weight,
      }))
      .sort((a, b) => a.literal - b.literal);
    patterns.set(dialect, rows);
  }
  return rows.find((row) => row.method === method && row.path.test(path));
}

/** Weight of a request by its method and path. */
export const weightOf = (dialect: Dialect, method: string, path: string): number =>
  rowOf(dialect, method, path)?.weight ?? 0;

/** Which endpoint a request names; the path without its query. */
export const endpointOf = (
  dialect: Dialect,
  method: string,
  path: string,
): EndpointId | undefined => rowOf(dialect, method, path)?.id;
