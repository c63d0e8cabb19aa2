import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import type { RawResponse, StreamGrant } from '../core/RawExchange.ts';
import { createFaultyPort } from './createFaultyPort.ts';
import { createSocketConnection } from './createSocketConnection.ts';
import { ServiceError } from '../core/ServiceError.ts';
import { isRebound, reboundRefusal, refuseOnSocket, toRawRequest } from './serveHttp.ts';
import { answerTo, pathOf, type ServerParts } from './ServerParts.ts';

/** A WebSocket upgrade: signed and checked like any request, then a session. */
export function acceptUpgrade(
  parts: ServerParts,
  sockets: WebSocketServer,
  asked: { request: IncomingMessage; socket: Duplex; head: Buffer },
): void {
  const { request, socket, head } = asked;
  const ignore = (): void => {};
  socket.on('error', ignore);
  if (isRebound(request)) return refuseUpgrade(socket, reboundRefusal(parts));
  const plan = parts.faults.planRequest(request.method ?? '', pathOf(request));
  if (plan.drop !== null) {
    socket.destroy();
    return;
  }
  const given = { text: '', tooLarge: false, upgrade: true };
  const answer = answerTo(parts, plan, request, given);
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
  /** A handshake that is not whole is a fault of shape, with an envelope as any other (AUTH-7). */
  const refuse = ({ message }: Error): void => {
    const fields = [{ path: '', code: 'upgrade_required', message }];
    const fault = new ServiceError('validation_failed', { message, details: { fields } });
    const raw = toRawRequest(request, { ...given, wallTime: parts.env.clock.wallNow() });
    refuseUpgrade(socket, parts.core.refuse(raw, fault));
  };
  sockets.once('headers', addHeaders);
  sockets.once('wsClientError', refuse);
  sockets.handleUpgrade(request, socket as Socket, head, (client) => {
    socket.off('error', ignore);
    openSocket(parts, { socket: client, stream: socket, grant, skewMs: plan.skewMs });
  });
  // Of the two, the one that did not happen is left.
  sockets.off('headers', addHeaders);
  sockets.off('wsClientError', refuse);
}

/**
 * Node has handed the socket over, and no longer closes it with the server: a client that keeps its side open would keep
 * the service from ending.
 */
function refuseUpgrade(socket: Duplex, answer: RawResponse): void {
  refuseOnSocket(socket, answer);
  (socket as Socket).destroySoon();
}

function openSocket(
  { streams, dialect, env, faults }: ServerParts,
  opened: { socket: WebSocket; stream: Duplex; grant: StreamGrant; skewMs: number },
): void {
  const { socket } = opened;
  const now = env.clock.monotonicNow();
  const plain = createSocketConnection({ ...opened, limits: dialect.stream, now });
  const port = createFaultyPort(plain.port, faults, () => plain.cut());
  const beat = (): void => {
    if (!port.isStalled) plain.beat();
  };
  const connection = { ...plain, port, beat };
  const seen = (): void => {
    connection.lastSeen = env.clock.monotonicNow();
  };
  const unwatch = faults.watch(port.victim);
  const gone = (): void => {
    unwatch();
    streams.drop(connection);
  };
  socket.on('close', gone);
  socket.on('error', gone);
  socket.on('ping', (data: Buffer) => {
    seen();
    if (!port.isStalled && socket.readyState === socket.OPEN) socket.pong(data);
  });
  socket.on('pong', seen);
  const session = streams.open(connection, env.clock.wallNow() + opened.skewMs);
  if (session === undefined) connection.cut();
  socket.on('message', (data: Buffer) => {
    seen();
    session?.receive(data.toString('utf8'), env.clock.wallNow());
  });
}
