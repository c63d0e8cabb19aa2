import { defaultDialect, type Dialect } from '../contract/dialect.ts';
import { readEnvelope, type ErrorEnvelope } from '../contract/errorEnvelope.ts';
import { readRetryAfterMs } from '../contract/readRetryAfterMs.ts';

type Speech = Pick<Dialect, 'shapes'>;

/** `refused_401_unknown_key`: status and code of a stream's refusal, for a status line. */
export function nameRefusal(
  status: number,
  body: string,
  dialect: Speech = defaultDialect,
): string {
  const code = readBody(status, body, dialect)?.error.code ?? '';
  return code === '' ? `refused_${status}` : `refused_${status}_${code}`;
}

/** Status and code of a text from {@link nameRefusal}, the code empty if there was none. */
export function readNamedRefusal(reason: string): { status: number; code: string } | undefined {
  const [, status, code = ''] = /^refused_(\d+)(?:_(.+))?$/.exec(reason) ?? [];
  return status === undefined ? undefined : { status: Number(status), code };
}

/** Milliseconds that a refusal asks to wait (LIM-2): by its envelope, else by its header. */
export function retryAfterOf(refusal: {
  body: string;
  header: string | undefined;
  /** Epoch milliseconds, for a header that holds a date. */
  now: number;
  dialect?: Speech;
}): number | undefined {
  const { body, dialect = defaultDialect } = refusal;
  const details = readBody(429, body, dialect)?.error.details;
  const asked = details?.['retry_after_seconds'] ?? refusal.header;
  return readRetryAfterMs(asked, refusal.now);
}

/** Nothing if a proxy or a gateway wrote the body: its codes are not the service's. */
function readBody(status: number, text: string, { shapes }: Speech): ErrorEnvelope | undefined {
  try {
    const answer = { status, headers: {}, body: JSON.parse(text) as unknown };
    return readEnvelope(shapes.fromWire('streams.websocket', answer).body);
  } catch {
    return undefined;
  }
}
