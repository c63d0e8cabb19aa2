import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ServiceError } from '../core/ServiceError.ts';
import { refuseOnSocket } from './serveHttp.ts';
import type { ServerParts } from './ServerParts.ts';

/** What Node answers where it is not left to the service; to anything else 400. */
const NODE_STATUS: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};

/**
 * Ends a connection on which Node could read no request. A head that is too large is one, of which no more is known,
 * so that its refusal has an id (AUTH-7); what is no HTTP gets Node's own answer, as there is no request to name.
 */
export function answerBroken(
  { core, env }: Pick<ServerParts, 'core' | 'env'>,
  { code = '' }: NodeJS.ErrnoException,
  socket: Duplex,
): void {
  if (!socket.writable) return void socket.destroy();
  if (code !== 'HPE_HEADER_OVERFLOW') {
    const status = NODE_STATUS[code] ?? 400;
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
    return;
  }
  const unread = { method: '', target: '', headers: {}, bodyText: '', upgrade: false };
  const raw = { ...unread, wallTime: env.clock.wallNow() };
  const message = "The request's line and headers are too large.";
  const answer = core.refuse(raw, new ServiceError('payload_too_large', { message }));
  refuseOnSocket(socket, { ...answer, status: 431 });
}
