import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RawRequest, RawResponse } from '../core/RawExchange.ts';

/** A request as the core takes it. Headers that came twice are joined, as HTTP reads them. */
export function toRawRequest(
  request: IncomingMessage,
  options: { text: string; tooLarge: boolean; wallTime: number; upgrade: boolean },
): RawRequest {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return {
    method: request.method ?? '',
    target: request.url ?? '',
    headers,
    bodyText: options.text,
    bodyTooLarge: options.tooLarge,
    upgrade: options.upgrade,
    wallTime: options.wallTime,
  };
}

export function writeResponse(response: ServerResponse, answer: RawResponse): void {
  const bytes = Buffer.from(answer.bodyText, 'utf8');
  response.writeHead(answer.status, { ...answer.headers, 'content-length': bytes.length });
  response.end(bytes);
}

/** Promises the whole body, sends half of it, and breaks off. */
export function truncateResponse(response: ServerResponse, answer: RawResponse): void {
  const bytes = Buffer.from(answer.bodyText, 'utf8');
  response.writeHead(answer.status, { ...answer.headers, 'content-length': bytes.length });
  response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy());
}

/** A refused upgrade is answered as HTTP, with the envelope, on the socket that asked for it. */
export function refuseUpgrade(socket: Duplex, answer: RawResponse): void {
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

/** Whether a peer is on this machine. */
export function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false;
  const plain = address.replace(/^::ffff:/, '');
  return plain === '::1' || plain.startsWith('127.');
}

/** A page from elsewhere, open in a browser on this machine, may not drive the service either. */
export function isForeignPage(request: IncomingMessage): boolean {
  const { origin } = request.headers;
  if (origin === undefined) return false;
  const host = URL.parse(origin)?.hostname.replace(/^\[|\]$/g, '');
  return host !== 'localhost' && !isLoopback(host);
}
