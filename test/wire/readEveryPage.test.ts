import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEveryPage, type PageQuery } from '../../src/wire/readEveryPage.ts';

const pages = fc.array(fc.array(fc.integer(), { maxLength: 3 }), { minLength: 1, maxLength: 5 });

// Rows, page after page, whichever way a service says that a page is the last.
test('each page is asked for once, with the cursor of the one before, and an empty cursor ends the list', async () => {
  await fc.assert(
    fc.asyncProperty(pages, fc.constantFrom(null, undefined, ''), async (rows, last) => {
      const asked: PageQuery[] = [];
      const found = await readEveryPage(3, async (query) => {
        asked.push(query);
        const at = Number(query.cursor ?? 0);
        if (asked.length > rows.length) throw new Error('asked once too often');
        return { items: rows[at]!, next_cursor: at + 1 < rows.length ? `${at + 1}` : last };
      });
      expect(found).toEqual(rows.flat());
      expect(asked).toEqual(
        rows.map((_rows, at) => (at === 0 ? { limit: 3 } : { limit: 3, cursor: `${at}` })),
      );
    }),
  );
});

test.each([1, 2, 3])(
  'a list whose page %i names itself as the next one is an error',
  async (at) => {
    let asked = 0;
    const read = readEveryPage(3, async ({ cursor }) => {
      asked += 1;
      const page = Number(cursor ?? 0);
      return { items: [page], next_cursor: `${Math.min(page + 1, at)}` };
    });
    await expect(read).rejects.toThrow(`names its page ${at} as the one that follows`);
    expect(asked).toBe(at + 1);
  },
);
