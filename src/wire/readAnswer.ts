import type { Exchange } from '../contract/exchange.ts';

/** The bytes of a complete answer. */
export interface RawAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

/** A complete answer that can't be read: a proxy's page, a redirect, broken JSON. */
export class UnreadableAnswerError extends Error {
  override readonly name = 'UnreadableAnswerError';
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The start of its text. */
  readonly text: string;

  constructor({ status, headers }: Omit<RawAnswer, 'body'>, text: string, cause?: unknown) {
    super(`HTTP ${status} with a body that is not JSON`, { cause });
    this.status = status;
    this.headers = headers;
    this.text = text.slice(0, 500);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Turns bytes into an answer. The service sends JSON only, so anything else did not come from the service: it
 * is no answer, whatever its status, and the request's outcome is unknown.
 */
export function readAnswer({ status, headers, body }: RawAnswer): Exchange {
  try {
    return { kind: 'answered', response: { status, headers, body: JSON.parse(utf8.decode(body)) } };
  } catch (cause) {
    const reason = status >= 300 && status < 400 ? 'redirected' : 'unreadable_body';
    const text = Buffer.from(body).toString('latin1');
    const error = new UnreadableAnswerError({ status, headers }, text, cause);
    const unread = { status, headers, isEmpty: body.length === 0 };
    return { kind: 'no_answer', reason, cause: error, unread };
  }
}
