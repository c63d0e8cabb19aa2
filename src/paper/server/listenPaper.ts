import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { defaultDialect, type Dialect } from '../../contract/index.ts';
import type { Env } from '../../env/index.ts';
import type { PaperCore } from '../core/PaperCore.ts';
import type { RawResponse, StreamGrant } from '../core/RawExchange.ts';
import { createPaperControls, type PaperControls } from './createPaperControls.ts';
import { createReplay, type Replay, type ReplaySpeed } from './createReplay.ts';
import { createSocketConnection } from './createSocketConnection.ts';
import { createSseConnection } from './createSseConnection.ts';
import { createStreams, type Streams } from './createStreams.ts';
import { readBody } from './readBody.ts';
import { isLoopback, refuseUpgrade, toRawRequest, writeResponse } from './serveHttp.ts';

export interface ListenOptions {
  core: PaperCore;
  /** 0: any free port. */
  port: number;
  /** Address to listen on; this machine only, unless said otherwise. */
  host?: string;
  speed: ReplaySpeed;
  paused: boolean;
  dialect?: Dialect;
}

export interface PaperListener {
  /** Paths of the service start below it: `{baseUrl}/v1/…`. */
  baseUrl: string;
  /** Complete, path included. */
  wsUrl: string;
  replay: Replay;
  close(): Promise<void>;
}

/** Longer than clients keep an idle connection, so that it is they who close it. */
const KEEP_ALIVE_MS = 75_000;

interface Parts {
  core: PaperCore;
  dialect: Dialect;
  env: Env;
  streams: Streams;
  controls: PaperControls;
}

/** HTTP, WebSocket and SSE around a core: bytes → core → bytes; the core's frames → sockets. */
export async function listenPaper(options: ListenOptions, env: Env): Promise<PaperListener> {
  const { core, dialect = defaultDialect, host = '127.0.0.1' } = options;
  const streams = createStreams({ core, limits: dialect.stream, env });
  const replay = createReplay({
    engine: core.engine,
    env,
    speed: options.speed,
    paused: options.paused,
    onAdvanced: (toTime) => core.announceAdvanced(toTime),
    relieve: () => streams.relieve(),
  });
  const controls = createPaperControls({ core, replay, streams, env });
  const parts: Parts = { core, dialect, env, streams, controls };
  const server = createServer((request, response) => serve(parts, request, response));
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: dialect.limits.bodyBytes,
  });
  server.on('upgrade', (request, socket, head) =>
    upgrade(parts, sockets, { request, socket, head }),
  );
  await listen(server, options.port, host);
  const { port } = server.address() as AddressInfo;
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    baseUrl: `http://${authority}`,
    wsUrl: `ws://${authority}/v1${dialect.endpoints['streams.websocket'].path}`,
    replay,
    async close() {
      replay.stop();
      streams.stop();
      streams.closeAll(1001, 'service closing');
      for (const client of sockets.clients) client.terminate();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function serve(parts: Parts, request: IncomingMessage, response: ServerResponse): void {
  const { dialect, env } = parts;
  readBody(request, dialect.limits.bodyBytes, (body) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (path === '/paper' || path.startsWith('/paper/')) {
      void control(parts, request, response, { path, bodyText: body.text });
      return;
    }
    const raw = toRawRequest(request, { ...body, wallTime: env.clock.wallNow(), upgrade: false });
    const answer = parts.core.handleHttp(raw);
    if (answer.grant?.kind === 'sse') openSse(parts, response, answer, answer.grant);
    else writeResponse(response, answer);
  });
}

async function control(
  { controls }: Parts,
  request: IncomingMessage,
  response: ServerResponse,
  given: { path: string; bodyText: string },
): Promise<void> {
  const fromLoopback = isLoopback(request.socket.remoteAddress);
  const { status, body } = await controls({
    ...given,
    method: request.method ?? '',
    fromLoopback,
  });
  const headers = { 'content-type': 'application/json' };
  writeResponse(response, { status, headers, bodyText: JSON.stringify(body) });
}

function openSse(
  { streams, dialect, env }: Parts,
  response: ServerResponse,
  answer: RawResponse,
  grant: StreamGrant,
): void {
  response.writeHead(200, {
    ...answer.headers,
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
  });
  const now = env.clock.monotonicNow();
  const connection = createSseConnection({ response, grant, limits: dialect.stream, now });
  response.on('close', () => streams.drop(connection));
  response.on('error', () => streams.drop(connection));
  if (streams.open(connection) === undefined) connection.cut();
}

function upgrade(
  parts: Parts,
  sockets: WebSocketServer,
  asked: { request: IncomingMessage; socket: Duplex; head: Buffer },
): void {
  const { request, socket, head } = asked;
  const ignore = (): void => {};
  socket.on('error', ignore);
  const wallTime = parts.env.clock.wallNow();
  const raw = toRawRequest(request, { text: '', tooLarge: false, wallTime, upgrade: true });
  const answer = parts.core.handleHttp(raw);
  const { grant } = answer;
  if (grant?.kind !== 'websocket') {
    refuseUpgrade(socket, answer);
    return;
  }
  // The answer's headers (request id, resolved wallet) go out with the handshake.
  const addHeaders = (lines: string[]): void => {
    const { 'content-type': _type, ...headers } = answer.headers;
    for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  };
  sockets.once('headers', addHeaders);
  sockets.handleUpgrade(request, socket as Socket, head, (client) => {
    socket.off('error', ignore);
    openSocket(parts, client, grant);
  });
  // A handshake that failed left its listener behind.
  sockets.off('headers', addHeaders);
}

function openSocket({ streams, dialect, env }: Parts, socket: WebSocket, grant: StreamGrant): void {
  const now = env.clock.monotonicNow();
  const connection = createSocketConnection({ socket, grant, limits: dialect.stream, now });
  const seen = (): void => {
    connection.lastSeen = env.clock.monotonicNow();
  };
  socket.on('close', () => streams.drop(connection));
  socket.on('error', () => streams.drop(connection));
  socket.on('ping', seen);
  socket.on('pong', seen);
  const session = streams.open(connection);
  if (session === undefined) connection.cut();
  socket.on('message', (data: Buffer) => {
    seen();
    session?.receive(data.toString('utf8'), env.clock.wallNow());
  });
}
