import { createHmac } from 'node:crypto';
import { defaultDialect } from '../../src/contract/index.ts';
import { encodeJson } from './encodeJson.ts';
import type { ShapedRequest } from './ShapedRequest.ts';

export type HeaderList = Array<[name: string, value: string]>;

/** A request as HTTP parts; `bytes` come last, so that every part can be changed before. */
export interface HttpParts {
  method: string;
  target: string;
  headers: HeaderList;
  body: Buffer;
}

export interface Credentials {
  keyId: string;
  secret: string;
}

/** The parts of a shaped request, not signed yet. */
export function toHttp(request: ShapedRequest): HttpParts {
  const { method, path } = defaultDialect.endpoints[request.endpoint];
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(wellFormed(plainText(request.pathParams[name]))),
  );
  const pairs = Object.entries(request.query).map(
    ([name, value]) =>
      `${encodeURIComponent(wellFormed(name))}=${encodeURIComponent(wellFormed(plainText(value)))}`,
  );
  const target = `/v1${filled}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
  const text = request.body === undefined ? '' : encodeJson(request.body);
  const headers: HeaderList = [['host', 'localhost']];
  if (text !== '') headers.push(['content-type', 'application/json']);
  return { method, target, headers, body: Buffer.from(text, 'utf8') };
}

/** A path or query holds text; a lone surrogate can't be written in it. */
const wellFormed = (text: string): string => text.toWellFormed();

function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : encodeJson(value);
}

/** Adds the three headers of a signed request (AUTH-1), over its current content. */
export function sign(parts: HttpParts, { keyId, secret }: Credentials, wallTime: number): void {
  const timestamp = String(Math.floor(wallTime / 1_000));
  const text = timestamp + parts.method + parts.target + parts.body.toString('utf8');
  const signature = createHmac('sha256', secret).update(text).digest('hex');
  parts.headers.push(
    ['x-service-api-key-id', keyId],
    ['x-service-timestamp', timestamp],
    ['x-service-signature', signature],
  );
}

/** The bytes of the request; a length is added unless the headers have one. */
export function toBytes({ method, target, headers, body }: HttpParts): Buffer {
  const framed = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  const all: HeaderList =
    framed || (body.length === 0 && method === 'GET')
      ? headers
      : [...headers, ['content-length', String(body.length)]];
  const lines = all.map(([name, value]) => `${name}: ${value}`);
  const head = `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
}
