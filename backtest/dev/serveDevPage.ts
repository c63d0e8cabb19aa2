import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostOf, isLoopback } from '../../src/contract/index.ts';
import { devPage, devScript } from './devPage.ts';
import type { DevState } from './DevState.ts';

const HOST = '127.0.0.1';

export interface DevServer {
  url: string;
  /** Sends a state to every open page. */
  publish(state: DevState): void;
  close(): void;
}

export interface DevServerOptions {
  /** 0 takes a free one. */
  port: number;
  state(): DevState;
  /** The newest report as HTML; empty before the first. */
  report(): string;
}

const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};
/** The page's own; the report brings its own, which forbids every request. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; frame-src 'self'; img-src data:";

/**
 * The report in a browser of this machine, refreshed by server-sent events. It reads nothing and takes no orders: four
 * addresses, `GET` alone, and only where the Host header is a name of this machine, so that no page of another site can
 * read a strategy by DNS rebinding.
 *
 * @throws Error with the code of the system where the port can't be taken
 */
export async function serveDevPage(options: DevServerOptions): Promise<DevServer> {
  const pages = new Set<ServerResponse>();
  const send = (page: ServerResponse, state: DevState): void =>
    void page.write(`data: ${JSON.stringify(state)}\n\n`);

  const routes: Readonly<Record<string, (response: ServerResponse) => void>> = {
    '/': (response) => answer(response, 'text/html', devPage(options.state().bot)),
    '/page.js': (response) => answer(response, 'text/javascript', devScript),
    '/report': (response) => {
      response.writeHead(200, { ...HEADERS, 'content-type': 'text/html; charset=utf-8' });
      response.end(options.report());
    },
    '/events': (response) => {
      response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream' });
      pages.add(response);
      response.on('close', () => pages.delete(response));
      send(response, options.state());
    },
  };

  const server = createServer((request, response) => {
    const refusal = refusalOf(request);
    const route = routes[(request.url ?? '').split('?')[0]!];
    if (refusal !== undefined) refuse(response, refusal);
    else if (route === undefined) refuse(response, [404, 'There is no such page.']);
    else route(response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, HOST, resolve);
  });
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}/`,
    publish: (state) => {
      for (const page of pages) send(page, state);
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

type Refusal = readonly [status: number, text: string];

function refusalOf({ method, headers }: IncomingMessage): Refusal | undefined {
  if (!isLoopback(hostOf(headers.host)))
    return [403, 'This page answers to localhost and 127.0.0.1; the Host header names another.'];
  if (method !== 'GET') return [405, 'This page is only read.'];
  return undefined;
}

function refuse(response: ServerResponse, [status, text]: Refusal): void {
  response.writeHead(status, { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}

function answer(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, {
    ...HEADERS,
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': POLICY,
  });
  response.end(text);
}
