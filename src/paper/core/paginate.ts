import type { Page } from '../../contract/index.ts';
import { ServiceError } from './ServiceError.ts';

/**
 * A page of a list that doesn't change while it is read; the cursor is the position in it, opaque to
 * clients.
 *
 * @throws ServiceError `validation_failed` for a cursor that the service did not issue
 */
export function paginate<T>(
  items: readonly T[],
  query: Readonly<Record<string, unknown>>,
  defaultLimit: number,
): Page<T> {
  const limit = typeof query['limit'] === 'number' ? query['limit'] : defaultLimit;
  const start = readCursor(query['cursor']);
  const end = start + limit;
  const next = end < items.length ? Buffer.from(`at:${end}`).toString('base64url') : null;
  return { items: items.slice(start, end), next_cursor: next };
}

function readCursor(cursor: unknown): number {
  if (typeof cursor !== 'string') return 0;
  const place = /^at:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))?.[1];
  if (place !== undefined) return Number(place);
  throw new ServiceError('validation_failed', {
    message: 'cursor: not issued by this service.',
    details: {
      fields: [{ path: 'cursor', code: 'unknown_cursor', message: 'Not issued by this service.' }],
    },
  });
}
