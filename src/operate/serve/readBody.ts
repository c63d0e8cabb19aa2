import type { IncomingMessage } from 'node:http';
import type { RouteFault } from './answer.ts';

const MOST_BYTES = 16 * 1_024;

const TOO_LARGE: RouteFault = {
  status: 413,
  code: 'too_large',
  message: `A body has at most ${MOST_BYTES} bytes.`,
};
const NO_JSON: RouteFault = {
  status: 400,
  code: 'invalid_json',
  message: 'The body is JSON in UTF-8, with content-type: application/json.',
};

/** The JSON of a POST, or why there is none. */
export async function readBody(
  request: IncomingMessage,
): Promise<{ body: unknown } | { fault: RouteFault }> {
  // A form of another site can't send this type without asking first.
  const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  if (type !== 'application/json') return { fault: { ...NO_JSON, status: 415 } };
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) return { fault: TOO_LARGE };
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MOST_BYTES) return { fault: TOO_LARGE };
    parts.push(part);
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
    return { body: JSON.parse(text) };
  } catch {
    return { fault: NO_JSON };
  }
}
