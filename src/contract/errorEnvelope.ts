import { z } from 'zod';
import { ERROR_CODES, isErrorCode } from './errorCodes.ts';

/** One field's fault inside `validation_failed`; `path` is dotted (`stop_loss.offset.mult`). */
export interface FieldIssue {
  path: string;
  code: string;
  message: string;
}

/** A service that is not ours may leave the message out. */
const fieldIssue = z.looseObject({
  path: z.string(),
  code: z.string(),
  message: z.string().catch(''),
});

/** The faults by field of a refusal's details, as far as they can be read: details have no shape of their own. */
export function readFieldIssues(details: ServiceFault['details']): readonly FieldIssue[] {
  const fields = details?.['fields'];
  if (!Array.isArray(fields)) return [];
  return fields.flatMap((field) => fieldIssue.safeParse(field).data ?? []);
}

/** `{code, message, details}` as REST and WebSocket carry it (ERR-1); unknown codes pass (ERR-2). */
export const serviceFault = z.looseObject({
  code: z.string(),
  message: z.string(),
  details: z.looseObject({}).nullish(),
});
export type ServiceFault = z.infer<typeof serviceFault>;

/** The error body of every non-2xx answer (AUTH-7, conventions §1). */
export const errorEnvelope = z.looseObject({ error: serviceFault, request_id: z.string() });
export type ErrorEnvelope = z.infer<typeof errorEnvelope>;

/**
 * The service's refusal in an unsuccessful response, or undefined. A proxy, a gateway or a load balancer
 * may also answer in JSON without knowing what the service did: only the whole envelope, with its request
 * id, is the service's (AUTH-7).
 */
export function readEnvelope(body: unknown): ErrorEnvelope | undefined {
  const parsed = errorEnvelope.safeParse(body);
  return parsed.success && parsed.data.request_id !== '' ? parsed.data : undefined;
}

/**
 * Statuses that leave open whether the request was executed: a timeout on the way, or an abandoned
 * caller.
 */
const PROVES_NOTHING: readonly number[] = [408, 425, 499];

/** What an unsuccessful response proves about its request. */
export type Refusal =
  /** The service refused it for a known reason: nothing was executed. */
  | { kind: 'refused'; fault: ServiceFault }
  /** The service's envelope with an unknown code (ERR-2): likely refused, not proven. */
  | { kind: 'doubtful'; fault: ServiceFault }
  /** No response of the service, or one that leaves it open. */
  | { kind: 'silent'; code: string };

/** Reads a refusal, and accepts only one that the service wrote. */
export function readRefusal(status: number, body: unknown): Refusal {
  const envelope = readEnvelope(body);
  if (envelope === undefined) return { kind: 'silent', code: 'without an envelope' };
  const { error: fault } = envelope;
  const isClientFault = status >= 400 && status < 500 && !PROVES_NOTHING.includes(status);
  if (!isClientFault) return { kind: 'silent', code: fault.code };
  if (!isErrorCode(fault.code)) return { kind: 'doubtful', fault };
  // A code of an internal failure with a status of refusal is contradictory.
  if (ERROR_CODES[fault.code].status >= 500) return { kind: 'silent', code: fault.code };
  return { kind: 'refused', fault };
}
