import {
  defaultDialect,
  ERROR_CODES,
  isErrorCode,
  statusOf,
  type EndpointId,
} from '../../src/contract/index.ts';
import type { Reply } from './RawHttp.ts';

/** Faults of a response; empty if valid. */
export type Faults = string[];

type Answer = Extract<Reply, { kind: 'answer' }>;

/** Whether an answer conforms to the contract: envelope, code, status, request id, record. */
export function checkAnswer(
  answer: Answer,
  known: { endpoint: EndpointId | null; noBody?: boolean },
): Faults {
  const faults: Faults = [];
  const { status, headers, body } = answer;
  if (status >= 500) faults.push(`status ${status}`);
  const requestId = headers['x-request-id'];
  if (requestId === undefined || requestId === '') faults.push('no X-Request-Id');
  if (status === 101 || headers['content-type'] === 'text/event-stream') return faults;
  if (known.noBody === true) return faults;
  if (headers['content-type'] !== 'application/json') faults.push('not application/json');
  const json = parse(body);
  if (json === undefined) return [...faults, `no JSON: ${body.slice(0, 200)}`];
  if (status >= 400) return [...faults, ...checkEnvelope(json, status, requestId)];
  if (known.endpoint !== null) faults.push(...checkRecord(known.endpoint, json));
  return faults;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** `{"error": {"code", "message", "details"}, "request_id"}`, its code from the table (AUTH-7, ERR-1). */
export function checkEnvelope(json: unknown, status: number | null, requestId?: string): Faults {
  const { error, request_id: named } = (json ?? {}) as Record<string, unknown>;
  const faults = checkError(error, status);
  if (typeof named !== 'string' || named === '') faults.push('no request_id in the envelope');
  // A replay carries the first answer's request id in its body.
  if (requestId !== undefined && typeof named === 'string' && !/^req_|^paper$/.test(named)) {
    faults.push(`request_id ${named}`);
  }
  return faults;
}

/** An error as REST and WebSocket carry it. `status` null: over a socket there is none. */
export function checkError(error: unknown, status: number | null): Faults {
  const { code, message, details } = (error ?? {}) as Record<string, unknown>;
  const faults: Faults = [];
  if (typeof code !== 'string' || !isErrorCode(code)) return [`unknown code ${String(code)}`];
  if (status === null && ERROR_CODES[code].status >= 500) faults.push(`code ${code}`);
  // A head that is too large has HTTP's own status.
  const head = code === 'payload_too_large' ? [431] : [];
  const allowed = [statusOf(code), statusOf(code, true), ...head];
  if (status !== null && !allowed.includes(status)) faults.push(`${code} with status ${status}`);
  if (typeof message !== 'string' || message === '') faults.push('no message');
  if (typeof details !== 'object' || details === null) faults.push('no details');
  if (code === 'validation_failed' && !hasFields(details)) faults.push('validation without fields');
  return faults;
}

function hasFields(details: unknown): boolean {
  const { fields } = (details ?? {}) as { fields?: unknown };
  if (!Array.isArray(fields) || fields.length === 0) return false;
  return fields.every((field: unknown) => {
    const { path, code, message } = field as Record<string, unknown>;
    return [path, code, message].every((part) => typeof part === 'string');
  });
}

/** A success is a record of the endpoint's shape. */
export function checkRecord(endpoint: EndpointId, json: unknown): Faults {
  const parsed = defaultDialect.endpoints[endpoint].response.safeParse(json);
  if (parsed.success) return [];
  const [issue] = parsed.error.issues;
  return [`record: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`];
}
