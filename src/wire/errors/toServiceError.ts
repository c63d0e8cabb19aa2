import { isErrorCode } from '../../contract/errorCodes.ts';
import { errorEnvelope } from '../../contract/errorEnvelope.ts';
import type { ServiceResponse } from '../../contract/exchange.ts';
import { familyOf } from './faultFamilies.ts';
import { ServiceFaultError, type FaultFacts } from './ServiceFaultError.ts';

/**
 * The typed exception of a refusal (ERR-1). A body without the error envelope still becomes a
 * {@link ServiceFaultError}, with the code `unknown` and the status it came with (ERR-2).
 */
export function toServiceError(response: ServiceResponse): ServiceFaultError {
  const facts = readFault(response);
  const Family = isErrorCode(facts.code) ? familyOf(facts.code, facts.status) : ServiceFaultError;
  return new Family(facts, response);
}

const looseEnvelope = errorEnvelope.partial({ request_id: true });

/** What an error answer says, for code that treats refusals as values. */
export function readFault({ status, headers, body }: ServiceResponse): FaultFacts {
  const envelope = looseEnvelope.safeParse(body);
  const header = headers['x-request-id'] ?? null;
  if (!envelope.success) {
    const message = `HTTP ${status} without an error envelope`;
    return { code: 'unknown', message, status, details: {}, requestId: header };
  }
  const { code, message, details } = envelope.data.error;
  const requestId = envelope.data.request_id ?? header;
  return { code, message, status, details: details ?? {}, requestId };
}
