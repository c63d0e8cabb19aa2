import type { FieldIssue } from '../../contract/index.ts';
import type { FieldPath } from './repeatedFields.ts';
import { ServiceError } from './ServiceError.ts';

/**
 * Refuses a document in which a field stands twice: one of the two would be dropped (RULE-1), as with a name that a query
 * has twice.
 *
 * @throws ServiceError `validation_failed` with each field
 */
export function requireFieldsOnce(repeated: readonly FieldPath[]): void {
  if (repeated.length === 0) return;
  const paths = [...new Set(repeated.map((path) => path.join('.')))];
  const fields = paths.map((path): FieldIssue => {
    return { path, code: 'repeated_field', message: `${path} stands more than once.` };
  });
  const message = fields.map((field) => field.message).join(' ');
  throw new ServiceError('validation_failed', { message, details: { fields } });
}
