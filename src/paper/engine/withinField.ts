import { faultOfFields, type FieldIssue } from '../../contract/index.ts';
import { ServiceError } from '../core/ServiceError.ts';

/**
 * Carries out a check of a part of a request, so that its refusal says where in the request the part stands: the
 * paths of fields begin there, and a refusal without fields has it as `path` in its details.
 *
 * @throws ServiceError
 */
export function withinField<T>(place: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw placed(error, place);
  }
}

function placed({ code, status, message, details }: ServiceError, place: string): ServiceError {
  const below = (path: unknown): string =>
    typeof path === 'string' && path !== '' ? `${place}.${path}` : place;
  const asPrecondition = status === 422;
  const { fields, path } = details as { fields?: FieldIssue[]; path?: string };
  if (fields === undefined) {
    const placedDetails = { ...details, path: below(path) };
    return new ServiceError(code, { message, asPrecondition, details: placedDetails });
  }
  const fault = faultOfFields(fields.map((field) => ({ ...field, path: below(field.path) })));
  return new ServiceError(code, { ...fault, details: { ...details, ...fault.details } });
}
