/**
 * The cursor of a list's next page; undefined after the last. Some services end a list with an empty one, with which
 * the first page would come again, without end.
 */
export function nextCursor({
  next_cursor: cursor,
}: {
  next_cursor?: string | null | undefined;
}): string | undefined {
  return cursor === '' ? undefined : (cursor ?? undefined);
}
