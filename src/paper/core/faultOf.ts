import type { ServiceFault } from '../../contract/index.ts';
import type { Log } from '../../env/index.ts';
import { ServiceError } from './ServiceError.ts';

export interface Fault {
  status: number;
  fault: ServiceFault;
}

/**
 * A refusal as the envelope carries it. Anything else that was thrown is our own mistake: it is
 * logged, and the caller learns no more than `internal`.
 *
 * @param where what was being done, for the log
 */
export function faultOf(error: unknown, log: Log, where: string): Fault {
  if (!(error instanceof ServiceError)) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    log.error('A request failed inside the service', { where, stack });
  }
  const known = error instanceof ServiceError ? error : new ServiceError('internal');
  const { code, message, details, status } = known;
  return { status, fault: { code, message, details: { ...details } } };
}
