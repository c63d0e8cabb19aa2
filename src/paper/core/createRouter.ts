import type { Dialect, EndpointId, Method } from '../../contract/index.ts';

export type Route =
  | { kind: 'endpoint'; endpoint: EndpointId; pathParams: Record<string, string> }
  | { kind: 'wrong_method'; allow: Method[] }
  | { kind: 'unknown_path' };

export type Router = (method: string, path: string) => Route;

interface Leaf {
  endpoint: EndpointId;
  method: Method;
  /** Names of the path's parameters, in order. */
  names: string[];
}

interface Node {
  children: Map<string, Node>;
  parameter: Node | null;
  leaves: Leaf[];
}

const createNode = (): Node => ({ children: new Map(), parameter: null, leaves: [] });

/**
 * Paths of the endpoint table as a tree. A literal segment wins over a parameter, whatever the method: `/orders/history`
 * is never read as an order's id. An encoded slash stays inside its segment (ORD-5).
 */
export function createRouter(endpoints: Dialect['endpoints']): Router {
  const root = createNode();
  /** Paths without a parameter: they win at every segment, so that they need no search. */
  const literals = new Map<string, Map<string, EndpointId>>();
  for (const [name, spec] of Object.entries(endpoints)) {
    const path = `/v1${spec.path}`;
    const id = name as EndpointId;
    plant(root, path, id, spec.method);
    if (path.includes('{')) continue;
    const methods = literals.get(path) ?? new Map<string, EndpointId>();
    literals.set(path, methods.set(spec.method, id));
  }
  return (method, path) => {
    const literal = literals.get(path)?.get(method);
    if (literal !== undefined) return { kind: 'endpoint', endpoint: literal, pathParams: {} };
    const segments = decodeSegments(path);
    if (segments === null) return { kind: 'unknown_path' };
    const found = collect(root, segments, 0, []);
    if (found.length === 0) return { kind: 'unknown_path' };
    const match = found.find(({ leaf }) => leaf.method === method);
    if (match === undefined) {
      return { kind: 'wrong_method', allow: [...new Set(found.map(({ leaf }) => leaf.method))] };
    }
    const { leaf, values } = match;
    const pairs = leaf.names.map((name, index) => [name, values[index] ?? '']);
    return { kind: 'endpoint', endpoint: leaf.endpoint, pathParams: Object.fromEntries(pairs) };
  };
}

function plant(root: Node, path: string, endpoint: EndpointId, method: Method): void {
  const names: string[] = [];
  let node = root;
  for (const segment of path.split('/').slice(1)) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name !== undefined) {
      names.push(name);
      node = node.parameter ??= createNode();
      continue;
    }
    const child = node.children.get(segment) ?? createNode();
    node.children.set(segment, child);
    node = child;
  }
  node.leaves.push({ endpoint, method, names });
}

/** null if a segment is not valid percent-encoding: such a path matches nothing. */
function decodeSegments(path: string): string[] | null {
  if (!path.startsWith('/')) return null;
  const segments = path.split('/').slice(1);
  if (!path.includes('%')) return segments;
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return null;
  }
}

interface Match {
  leaf: Leaf;
  values: string[];
}

function collect(node: Node, segments: readonly string[], at: number, values: string[]): Match[] {
  const segment = segments[at];
  if (segment === undefined) return node.leaves.map((leaf) => ({ leaf, values }));
  const child = node.children.get(segment);
  const literal = child === undefined ? [] : collect(child, segments, at + 1, values);
  if (literal.length > 0 || node.parameter === null || segment === '') return literal;
  return collect(node.parameter, segments, at + 1, [...values, segment]);
}
