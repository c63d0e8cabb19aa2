import { defaultDialect } from '../../contract/dialect.ts';
import { isErrorCode } from '../../contract/errorCodes.ts';
import { readEnvelope } from '../../contract/errorEnvelope.ts';
import type { ServiceResponse } from '../../contract/exchange.ts';
import { familyOf } from './faultFamilies.ts';
import { ServiceFaultError, type FaultFacts } from './ServiceFaultError.ts';

const REQUEST_ID = defaultDialect.headers.requestId.toLowerCase();

/**
 * The typed exception of a refusal (ERR-1). A body without the error envelope still becomes a
 * {@link ServiceFaultError}, with the code `unknown` and the status it came with (ERR-2).
 */
export function toServiceError(response: ServiceResponse): ServiceFaultError {
  const facts = readFault(response);
  const Family = isErrorCode(facts.code) ? familyOf(facts.code, facts.status) : ServiceFaultError;
  return new Family(facts, response);
}

/** The content of an error answer, for code that treats refusals as values. */
function readFault({ status, headers, body }: ServiceResponse): FaultFacts {
  const envelope = readEnvelope(body);
  if (envelope === undefined) {
    const message = `HTTP ${status} without an error envelope`;
    // The HTTP client also provides renamed headers under the framework's names.
    const requestId = headers[REQUEST_ID] ?? null;
    return { code: 'unknown', message, status, details: {}, requestId };
  }
  const { code, message, details } = envelope.error;
  return { code, message, status, details: details ?? {}, requestId: envelope.request_id };
}
