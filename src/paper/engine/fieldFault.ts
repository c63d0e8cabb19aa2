import { ServiceError } from '../core/ServiceError.ts';

/** `validation_failed` on one field (RULE-2). */
export function fieldFault(path: string, code: string, message: string): ServiceError {
  const fields = [{ path, code, message }];
  return new ServiceError('validation_failed', {
    message: `${path}: ${message}`,
    details: { fields },
  });
}
