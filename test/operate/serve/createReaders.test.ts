import { expect, test } from 'vitest';
import type { JournalReader } from '../../../src/journal/index.ts';
import { createReaders } from '../../../src/operate/serve/createReaders.ts';

/** Readers by number, and those that were closed. */
function setUp() {
  const closed: number[] = [];
  let opened = 0;
  const readers = createReaders(() => {
    const id = ++opened;
    return Promise.resolve({ id, close: async () => void closed.push(id) } as never);
  });
  const idOf = (reader: JournalReader): number => (reader as unknown as { id: number }).id;
  return { readers, closed, idOf };
}

test('requests share a reader, which is closed with the server', async () => {
  const { readers, closed, idOf } = setUp();
  const read = () => readers.read((reader) => Promise.resolve(idOf(reader)));
  expect(await Promise.all([read(), read()])).toEqual([1, 1]);
  expect(await read()).toBe(1);
  expect(closed).toEqual([]);
  await readers.close();
  await readers.close();
  expect(closed).toEqual([1]);
});

test('a request that fails leaves the reader to those that read from it, and the next opens another', async () => {
  const { readers, closed, idOf } = setUp();
  const slow = Promise.withResolvers<void>();
  const reading = readers.read(async (reader) => {
    await slow.promise;
    return idOf(reader);
  });
  const failing = readers.read(() => Promise.reject(new Error('no such cursor')));
  await expect(failing).rejects.toThrow('no such cursor');
  expect(closed).toEqual([]);
  expect(await readers.read((reader) => Promise.resolve(idOf(reader)))).toBe(2);
  slow.resolve();
  expect(await reading).toBe(1);
  expect(closed).toEqual([1]);
  await readers.close();
  expect(closed).toEqual([1, 2]);
});

test('a reader that can’t be opened is tried again with the next request', async () => {
  let isAway = true;
  const readers = createReaders(() =>
    isAway
      ? Promise.reject(new Error('away'))
      : Promise.resolve({ close: () => Promise.resolve() } as never),
  );
  await expect(readers.read(() => Promise.resolve())).rejects.toThrow('away');
  isAway = false;
  expect(await readers.read(() => Promise.resolve('read'))).toBe('read');
  await readers.close();
});
