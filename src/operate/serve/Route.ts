import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RouteFault } from './answer.ts';
import type { Access } from './createAdmission.ts';

/** A request, with what its path and query name. */
export interface RouteCall {
  request: IncomingMessage;
  response: ServerResponse;
  query: URLSearchParams;
  /** What stands in the path for each `:name`, decoded. */
  params: Readonly<Record<string, string>>;
  /** Of a POST; its shape is the route's to check. */
  body: unknown;
}

/** A route answers, or gives the reason why it can't. */
export interface Route {
  method: 'GET' | 'POST';
  /** Such as `/api/intents/:key`. */
  path: string;
  access: Access;
  handle(call: RouteCall): void | RouteFault | Promise<void | RouteFault>;
}

/** The parameters of a path that a pattern matches; undefined if it does not. */
export function matchPath(
  pattern: string,
  path: string,
): Readonly<Record<string, string>> | undefined {
  const [asked, given] = [pattern.split('/'), path.split('/')];
  if (asked.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of asked.entries()) {
    const value = given[at]!;
    if (!part.startsWith(':')) {
      if (part !== value) return undefined;
      continue;
    }
    const decoded = decode(value);
    if (decoded === undefined || decoded === '') return undefined;
    params[part.slice(1)] = decoded;
  }
  return params;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
