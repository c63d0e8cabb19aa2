import type { ServiceFault } from '../../contract/index.ts';
import type { Log } from '../../env/index.ts';
import { ServiceError } from './ServiceError.ts';

export interface Fault {
  status: number;
  fault: ServiceFault;
}

/**
 * A refusal in its envelope. Any other exception is a defect of the service: it is logged, and the caller
 * sees only `internal`.
 *
 * @param where the operation, for the log
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
