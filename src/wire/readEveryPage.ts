import { withCode } from '../contract/failures/withCode.ts';
import { nextCursor } from '../contract/nextCursor.ts';

/** Which part of a list is asked for. */
export interface PageQuery {
  limit: number;
  cursor?: string;
}

interface Page<Item> {
  items: readonly Item[];
  next_cursor?: string | null | undefined;
}

/**
 * Every row of a list, page after page: what is not on the first page is there all the same.
 *
 * @param limit rows a page, `limits.pageMax` of the dialect
 * @throws what a read throws; an error for a page that names itself as the next one
 */
export async function readEveryPage<Item>(
  limit: number,
  read: (query: PageQuery) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  let query: PageQuery | undefined = { limit };
  while (query !== undefined) {
    const page: Page<Item> = await read(query);
    items.push(...page.items);
    const cursor = nextCursor(page);
    if (cursor !== undefined && cursor === query.cursor)
      throw withCode(
        'TRIMTAB_WIRE_UNEXPECTED_RESPONSE',
        new Error(`A list names its page ${cursor} as the one that follows it: it has no end.`),
      );
    query = cursor === undefined ? undefined : { limit, cursor };
  }
  return items;
}
