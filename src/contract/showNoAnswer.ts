import type { UnreadResponse } from './exchange.ts';

/** A content type as HTTP allows it; anything else is not repeated, since anyone may have written it. */
const MEDIA_TYPE = /^[\w.+-]{1,40}\/[\w.+-]{1,60}$/;

/** The part of an exchange without an answer that says why. */
interface Lost {
  reason: string;
  unread?: UnreadResponse | undefined;
}

/**
 * Why a request has no answer, in words for a log or a journal: `429 text/html, which is not the service's answer`.
 * A fault of the connection keeps its code (`timeout`, `connection_lost`). The field `reason` of the exchange is for
 * programs.
 */
export function showNoAnswer({ reason, unread }: Lost): string {
  if (unread === undefined) return reason;
  switch (reason) {
    case 'unreadable_body':
      return showUnreadable(unread);
    case 'redirected':
      return `${unread.status} to another address, which is not followed`;
    case 'not_normalised':
      return `${unread.status} ${showType(unread)}, which the dialect can't read`;
    default:
      return reason;
  }
}

function showUnreadable(unread: UnreadResponse): string {
  const { status, isEmpty } = unread;
  const type = showType(unread);
  if (isEmpty) return `${status} with an empty body, which is not the service's answer`;
  if (type.endsWith('json')) return `${status} ${type}, which is cut off or is not JSON`;
  return `${status} ${type}, which is not the service's answer`;
}

function showType({ headers }: UnreadResponse): string {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (type.trim() === '') return 'without a content type';
  return MEDIA_TYPE.test(type.trim()) ? type.trim().toLowerCase() : 'of an odd content type';
}
