import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { hostOf, isLoopback, type Dialect } from '../../contract/index.ts';
import type { PaperCore } from '../core/PaperCore.ts';
import type { RawRequest, RawResponse } from '../core/RawExchange.ts';
import type { ReadBody } from './readBody.ts';

/** A request in the core's form. Node joins repeated headers, as HTTP defines. */
export function toRawRequest(
  request: IncomingMessage,
  options: ReadBody & { wallTime: number; upgrade: boolean },
): RawRequest {
  return {
    method: request.method ?? '',
    target: request.url ?? '',
    // Only Set-Cookie could be a list, and requests don't use it.
    headers: request.headers as RawRequest['headers'],
    bodyText: options.text,
    ...(options.bytes === undefined ? {} : { bodyBytes: options.bytes }),
    bodyTooLarge: options.tooLarge,
    upgrade: options.upgrade,
    wallTime: options.wallTime,
  };
}

/**
 * The body goes out as text, so that head and body are one write on the socket; as Latin-1 if it is
 * ASCII, which gives the same bytes and saves the encoding.
 */
export function writeResponse(response: ServerResponse, answer: RawResponse): void {
  const { status, headers, bodyText } = answer;
  const bytes = Buffer.byteLength(bodyText);
  response.writeHead(status, { ...headers, 'content-length': bytes });
  response.end(bodyText, bytes === bodyText.length ? 'latin1' : 'utf8');
}

/** Promises the whole body, sends half of it, and breaks off. */
export function truncateResponse(response: ServerResponse, answer: RawResponse): void {
  const bytes = Buffer.from(answer.bodyText, 'utf8');
  response.writeHead(answer.status, { ...answer.headers, 'content-length': bytes.length });
  response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy());
}

/** A refusal on the bare socket, where Node has no response to write to. The connection ends with it. */
export function refuseOnSocket(socket: Duplex, answer: RawResponse): void {
  const bytes = Buffer.from(answer.bodyText, 'utf8');
  const headers = {
    ...answer.headers,
    'content-length': String(bytes.length),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const status = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`;
  socket.end(Buffer.concat([Buffer.from([status, ...lines, '', ''].join('\r\n')), bytes]));
}

/** A foreign page that is open in a browser on this machine must not drive the service either. */
export function isForeignPage({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers.origin !== undefined && !isLoopback(URL.parse(headers.origin)?.hostname);
}

/**
 * Whether the Host header is not a name of this machine: then a foreign page has rebound its own name to
 * this address (DNS rebinding), and a browser treats the service as a part of that page.
 */
export function isRebound({
  headers: { host = '' },
  socket: { localAddress = '' },
}: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  if (host !== lastOwn.host || localAddress !== lastOwn.localAddress) {
    if (isLoopback(localAddress) && !isLoopback(hostOf(host))) return true;
    lastOwn = { host, localAddress };
  }
  return false;
}

/** The last pair that is not rebound: a client sends the same one with each of its requests. */
let lastOwn = { host: '', localAddress: '' };

/** The answer to such a request, with the envelope. */
export function reboundRefusal({
  core,
  dialect,
}: {
  core: Pick<PaperCore, 'nextRequestId'>;
  dialect: Pick<Dialect, 'headers'>;
}): RawResponse {
  const requestId = core.nextRequestId();
  return {
    status: 403,
    headers: {
      'content-type': 'application/json',
      [dialect.headers.requestId.toLowerCase()]: requestId,
    },
    bodyText: JSON.stringify({
      error: {
        code: 'loopback_only',
        message:
          'This service answers to localhost, 127.0.0.1 and [::1]; the Host header names another.',
        details: {},
      },
      request_id: requestId,
    }),
  };
}
