import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import type { ListenAddress } from '../../config/index.ts';
import { makeFolders, reasonOf, type Env } from '../../env/index.ts';
import { notFound, sendFault, type RouteFault } from './answer.ts';
import type { Admission } from './createAdmission.ts';
import { readBody } from './readBody.ts';
import { matchPath, type Route } from './Route.ts';

/** Milliseconds for a request's head and body: a slow sender must not hold a connection. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 15_000;
const MOST_CONNECTIONS = 64;

export interface Serving {
  routes: readonly Route[];
  admission: Admission;
  env: Env;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { routes, admission, env }: Serving,
): Promise<void> {
  const refuse = (fault: RouteFault, headers: Readonly<Record<string, string>> = {}): void => {
    if (response.headersSent) return void response.destroy();
    // What is left of a body is not read.
    if (!request.complete) response.shouldKeepAlive = false;
    const challenge = fault.status === 401 ? { 'www-authenticate': 'Bearer' } : {};
    sendFault(response, fault, { ...challenge, ...headers });
  };
  try {
    const refused = admission.refuse(request);
    if (refused !== undefined) return refuse(refused);
    const url = URL.parse(request.url ?? '/', 'http://operator');
    if (url === null || url.host !== 'operator') return refuse(notFound(NO_ROUTE));
    const found = routes.flatMap((route) => {
      const params = matchPath(route.path, url.pathname);
      return params === undefined ? [] : [{ route, params }];
    });
    if (found.length === 0) return refuse(notFound(NO_ROUTE));
    const isHead = request.method === 'HEAD';
    const method = isHead ? 'GET' : request.method;
    const match = found.find(({ route }) => route.method === method);
    const access = (match ?? found[0]!).route.access;
    const denied = admission.refuseRoute(request, access);
    if (denied !== undefined) return refuse(denied);
    if (match === undefined) {
      const allow = found.map(({ route }) => route.method).join(', ');
      const message = `This route takes ${allow}.`;
      return refuse({ status: 405, code: 'method_not_allowed', message }, { allow });
    }
    const read = method === 'POST' ? await readBody(request) : { body: undefined };
    if ('fault' in read) return refuse(read.fault);
    const { params, route } = match;
    const call = { request, response, query: url.searchParams, params, body: read.body };
    const fault = await route.handle(call);
    if (fault !== undefined) refuse(fault);
  } catch (error) {
    // A reader that goes away in the middle of its request is no failure.
    if (request.destroyed && !request.complete) return;
    env.log.error(`The operator's server failed: ${reasonOf(error)}`);
    refuse({ status: 500, code: 'internal', message: 'The server failed; see the log.' });
  }
}

const NO_ROUTE = 'There is no such route.';

/** A server of routes, for those who are admitted; it does not listen yet. */
export function createRouteServer(serving: Serving): Server {
  const server = createServer(
    { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS, maxHeaderSize: 16 * 1_024 },
    (request, response) => void answer(request, response, serving),
  );
  server.maxConnections = MOST_CONNECTIONS;
  server.keepAliveTimeout = 5_000;
  return server;
}

export async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

export async function listen(server: Server, at: ListenAddress): Promise<void> {
  if ('socket' in at) await clearSocket(at.socket);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    const done = (): void => {
      server.off('error', reject);
      resolve();
    };
    if ('socket' in at) server.listen(at.socket, done);
    else server.listen(at.port, at.host, done);
  });
  // Only its owner may connect.
  if ('socket' in at) chmodSync(at.socket, 0o600);
}

/**
 * A socket that a killed process left is removed. One that answers, or is too busy to, belongs to another process, and
 * what is no socket is somebody's file.
 */
async function clearSocket(path: string): Promise<void> {
  makeFolders(dirname(path));
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() !== true) return;
  const isLeft = await new Promise<boolean>((resolve) => {
    const probe = connect(path, () => {
      probe.destroy();
      resolve(false);
    });
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
  if (isLeft) unlinkSync(path);
}

export function addressOf(server: Server, at: ListenAddress): string {
  if ('socket' in at) return at.socket;
  const { port } = server.address() as AddressInfo;
  return `http://${at.host.includes(':') ? `[${at.host}]` : at.host}:${port}/`;
}
