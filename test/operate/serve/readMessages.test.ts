import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readMessages, type ServerMessage } from '../../../src/operate/serve/page/readMessages.ts';

/** The bytes in parts that end anywhere, also within a character. */
function streamOf(bytes: Uint8Array, cuts: readonly number[]): ReadableStream<Uint8Array> {
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((a, b) => a - b);
  const parts = [...ends, bytes.length].map((end, at) => bytes.slice(ends[at - 1] ?? 0, end));
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

const words = fc.string({ unit: fc.constantFrom('a', ': ', ':', ' ', 'é', '中', '😀', '"') });
const message = fc.record({
  event: fc.constantFrom('view', 'change', 'beat'),
  id: fc.option(fc.nat().map(String), { nil: undefined }),
  data: words.map((text) => JSON.stringify({ text })),
});

test('what is sent arrives, each message once, however the network cuts it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(message), { maxLength: 6 }),
      fc.array(fc.nat(), { maxLength: 12 }),
      async (sent, cuts) => {
        // A line that begins with a colon is a comment: a sign of life and nothing more.
        const blocks = sent.map((one) =>
          one === null
            ? ': beat\n\n'
            : `event: ${one.event}\n${one.id === undefined ? '' : `id: ${one.id}\n`}data: ${one.data}\n\n`,
        );
        // What is not ended yet has not arrived.
        const bytes = new TextEncoder().encode(`${blocks.join('')}event: view\ndata: {}`);
        const got: Array<ServerMessage | null> = [];
        await readMessages(streamOf(bytes, cuts), (one) => void got.push(one));
        expect(got).toEqual(sent);
      },
    ),
  );
});

test('a message that never ends breaks the connection before it fills the memory', async () => {
  let sent = 0;
  const part = new Uint8Array(2 ** 20).fill(97);
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      if (sent > 64) controller.close();
      else controller.enqueue(part);
    },
  });
  const got: unknown[] = [];
  const read = readMessages(endless, (one) => void got.push(one));
  await expect(read).rejects.toThrow('a message without an end');
  expect(sent).toBeLessThan(32);
  expect(got).toEqual([]);
});
