import { expect, test } from 'vitest';
import type { JournalReader } from '../../../src/journal/index.ts';
import { findLife } from '../../../src/operate/journal/index.ts';

/** A journal of these keys. */
const readerOf = (keys: readonly string[]): JournalReader =>
  ({
    life: async (key: string) =>
      keys.includes(key) ? { intent: { key }, entries: [] } : undefined,
    keysLike: async (start: string, limit: number) =>
      keys.filter((key) => key.startsWith(start)).slice(0, limit),
  }) as never;

test.each([2, 3, 4, 5, 6, 9])(
  'of %d keys that begin alike five are shown, and that there are more',
  async (count) => {
    const keys = Array.from({ length: count }, (_none, at) => `ab${at}`);
    const found = await findLife(readerOf([...keys, 'b0']), 'ab', 'bot.yaml');
    expect(String(found).split('\n').slice(1)).toEqual([
      ...keys.slice(0, 5).map((key) => `  ${key}`),
      ...(count > 5 ? ['  …'] : []),
    ]);
  },
);

test('a key by itself, or its only start, is an intent, though another key goes on from it', async () => {
  const reader = readerOf(['ab', 'abc', 'xy']);
  for (const [key, found] of [
    ['ab', 'ab'],
    ['abc', 'abc'],
    ['x', 'xy'],
  ] as const)
    expect(await findLife(reader, key)).toMatchObject({ intent: { key: found } });
  expect(await findLife(reader, 'abcd')).toMatch(/^No intent's key starts with abcd\./);
  expect(await findLife(reader, ' ')).toMatch(/^KEY is empty\./);
});
