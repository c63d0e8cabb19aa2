import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { defaultDialect, type Dialect } from '../../contract/index.ts';
import { createTurnEnd, type Env } from '../../env/index.ts';
import type { PaperCore } from '../core/PaperCore.ts';
import { answerBroken } from './answerBroken.ts';
import { acceptUpgrade } from './acceptUpgrade.ts';
import { createFaults } from './createFaults.ts';
import { createPaperControls } from './createPaperControls.ts';
import { createReplay, type Replay, type ReplaySpeed } from './createReplay.ts';
import { createStreams } from './createStreams.ts';
import { createAsyncApi } from './describe/createAsyncApi.ts';
import { createOpenApi } from './describe/createOpenApi.ts';
import { serveRequest } from './serveRequest.ts';
import { pathOf, type ServerParts } from './ServerParts.ts';

export interface ListenOptions {
  core: PaperCore;
  /** 0: any free port. */
  port: number;
  /** Address to listen on; default: this machine only. */
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

/** Longer than clients keep an idle connection, so that the client closes it. */
const KEEP_ALIVE_MS = 75_000;

/** Serves a core by HTTP, WebSocket and SSE: bytes → core → bytes; the core's frames → sockets. */
export async function listenPaper(options: ListenOptions, env: Env): Promise<PaperListener> {
  const { core, dialect = defaultDialect, host = '127.0.0.1' } = options;
  const streams = createStreams({ core, limits: dialect.stream, env });
  const replay = createReplay({
    core,
    env,
    speed: options.speed,
    paused: options.paused,
    onAdvanced: (toTime) => core.announceAdvanced(toTime),
    relieve: () => streams.relieve(),
  });
  const faults = createFaults(core, env);
  const address = { baseUrl: '', wsUrl: '' };
  const controls = createPaperControls(
    { core, replay, streams, faults, env },
    {
      'GET /paper/openapi.json': () => ({
        status: 200,
        body: createOpenApi(dialect, address.baseUrl),
      }),
      'GET /paper/asyncapi.json': () => ({
        status: 200,
        body: createAsyncApi(dialect, address.wsUrl),
      }),
    },
  );
  const atTurnEnd = createTurnEnd();
  const parts: ServerParts = { core, dialect, env, streams, controls, faults, atTurnEnd };
  const streamPath = `/v1${dialect.endpoints['streams.websocket'].path}`;
  /** The responses of a connection that are not written to their end, and the newest one. */
  const responses = new WeakMap<Duplex, ServerResponse[]>();
  const unanswered = (socket: Duplex): ServerResponse[] =>
    responses.get(socket)?.filter((response) => !response.writableFinished) ?? [];
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    responses.set(request.socket, [...unanswered(request.socket), response]);
    serveRequest(parts, request, response);
  };
  // Elsewhere an offer of another protocol (`h2c`) is passed over: an upgrade would cost the request its body.
  const shouldUpgradeCallback = (request: IncomingMessage): boolean =>
    pathOf(request) === streamPath;
  const server = createServer({ shouldUpgradeCallback }, serve);
  // Node would answer an unknown expectation itself, without a request id (AUTH-7).
  server.on('checkExpectation', serve);
  server.on('clientError', (error, socket) => {
    // What was read to its end would take the refusal for its own; nothing comes of one whose body is broken.
    const isOfAnother = unanswered(socket).some(({ req }) => req.complete);
    if (isOfAnother) socket.destroy();
    else answerBroken(parts, error, socket);
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: dialect.limits.bodyBytes,
    // A stalled socket must not pong either, so pongs are sent by hand.
    autoPong: false,
  });
  server.on('upgrade', (request, socket, head) =>
    acceptUpgrade(parts, sockets, { request, socket, head }),
  );
  try {
    await listen(server, options.port, host);
  } catch (error) {
    // The replay and the streams have timers, which would keep the process alive.
    replay.stop();
    streams.stop();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  address.baseUrl = `http://${authority}`;
  address.wsUrl = `ws://${authority}${streamPath}`;
  return {
    ...address,
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
