import { createHmac } from 'node:crypto';
import type { NextRequest } from '../HttpLoad.ts';

export interface Credentials {
  keyId: string;
  secret: string;
}

export interface PlainRequest {
  method: string;
  path: string;
  body: string;
}

/** The three headers of a signed request, and what its body needs. */
export function signedHeaders(
  { method, path, body }: PlainRequest,
  { keyId, secret }: Credentials,
): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1_000);
  const text = `${timestamp}${method}${path}${body}`;
  return {
    'x-service-api-key-id': keyId,
    'x-service-timestamp': String(timestamp),
    'x-service-signature': createHmac('sha256', secret).update(text).digest('hex'),
    ...(body === ''
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(body.length) }),
  };
}

/**
 * A signed request as bytes, signed again each second: the same request keeps its signature as long as
 * its timestamp is the same, so signing costs the load generator nothing.
 */
export function signedRequest(request: PlainRequest, credentials: Credentials): NextRequest {
  const { method, path, body } = request;
  let bytes = Buffer.alloc(0);
  let signedAt = 0;
  return () => {
    const second = Math.floor(Date.now() / 1_000);
    if (second === signedAt) return bytes;
    signedAt = second;
    const headers = Object.entries(signedHeaders(request, credentials));
    const lines = headers.map(([name, value]) => `${name}: ${value}`);
    const head = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', ...lines, '', body];
    bytes = Buffer.from(head.join('\r\n'));
    return bytes;
  };
}
