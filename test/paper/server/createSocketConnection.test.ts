import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { defaultDialect } from '../../../src/contract/index.ts';
import type { StreamGrant } from '../../../src/paper/core/RawExchange.ts';
import { createSocketConnection } from '../../../src/paper/server/createSocketConnection.ts';
import type { StreamConnection } from '../../../src/paper/server/StreamConnection.ts';

interface Pair {
  connection: StreamConnection;
  /** The service's end. */
  stream: Duplex;
  received: string[];
  closed: Promise<unknown>;
}

const ends: Array<() => void> = [];
afterEach(() => ends.splice(0).forEach((end) => end()));

/** Both ends of a WebSocket over a real socket. */
async function open(): Promise<Pair> {
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  const accepted = Promise.withResolvers<Pick<Pair, 'connection' | 'stream'>>();
  server.on('upgrade', (request, stream, head) =>
    sockets.handleUpgrade(request, stream as never, head, (socket) => {
      const grant = {} as StreamGrant;
      const limits = defaultDialect.stream;
      const connection = createSocketConnection({ socket, stream, grant, limits, now: 0 });
      accepted.resolve({ connection, stream });
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  ends.push(() => {
    client.terminate();
    server.close();
  });
  const received: string[] = [];
  client.on('message', (data: Buffer) => received.push(data.toString()));
  const closed = once(client, 'close');
  return { ...(await accepted.promise), received, closed };
}

const TEXTS = Array.from({ length: 5 }, (_each, index) => ({ index }));
const SENT = TEXTS.map((text) => JSON.stringify(text));

test('the frames of a turn are written together at its end, in their order', async () => {
  const { connection, stream, received } = await open();
  for (const turn of [0, 1]) {
    const waiting = TEXTS.map((text) => {
      connection.port.control(text);
      return stream.writableLength;
    });
    // None has left before the last was added.
    expect(waiting).toEqual(waiting.toSorted((one, other) => one - other));
    expect(new Set(waiting).size).toBe(TEXTS.length);
    await Promise.resolve();
    expect(stream.writableLength).toBe(0);
    await expect
      .poll(() => received)
      .toEqual(
        Array(turn + 1)
          .fill(SENT)
          .flat(),
      );
  }
});

test.each(['cut', 'close'] as const)('what was sent in the turn of a %s arrives', async (end) => {
  const { connection, received, closed } = await open();
  for (const text of TEXTS) connection.port.control(text);
  if (end === 'cut') connection.cut();
  else connection.port.close(4_000, 'over');
  const [code] = (await closed) as [number];
  expect(received).toEqual(SENT);
  expect(code).toBe(end === 'cut' ? 1_006 : 4_000);
});
