import type { ServerResponse } from 'node:http';

/** A refusal or a failure, as every route answers it. */
export interface RouteFault {
  status: number;
  /** One of a few fixed terms, for programs. */
  code: string;
  message: string;
}

/** Of every answer: nothing is stored, framed or guessed, and no other site may read it. */
const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

export function sendText(
  response: ServerResponse,
  {
    status = 200,
    type = 'text/plain; charset=utf-8',
    text,
    headers = {},
  }: {
    status?: number;
    type?: string;
    text: string | Uint8Array;
    headers?: Readonly<Record<string, string>>;
  },
): void {
  response.writeHead(status, { ...HEADERS, 'content-type': type, ...headers });
  response.end(text);
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  const type = 'application/json; charset=utf-8';
  sendText(response, { status, type, text: `${JSON.stringify(value)}\n` });
}

export function sendFault(
  response: ServerResponse,
  { status, code, message }: RouteFault,
  headers: Readonly<Record<string, string>> = {},
): void {
  const type = 'application/json; charset=utf-8';
  const text = `${JSON.stringify({ error: { code, message } })}\n`;
  sendText(response, { status, type, text, headers });
}

/** The head of an answer that goes on: server-sent events. */
export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream; charset=utf-8' });
  response.flushHeaders();
}

export const notFound = (message: string): RouteFault => ({
  status: 404,
  code: 'not_found',
  message,
});
