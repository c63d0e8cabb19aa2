import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { defaultDialect } from '../../src/contract/dialect.ts';
import { createLiveEnv } from '../../src/env/createLiveEnv.ts';
import { SocketConnection } from '../../src/wire/SocketConnection.ts';
import { closedPort, startTcp } from './startServer.ts';
import { startSocketServer } from './startSocketServer.ts';

/** The end of one connection, whatever it was doing: it resolves, says nothing more and leaves no timer behind. */

const live = createLiveEnv();

function connect(wsUrl: string) {
  const reported: string[] = [];
  const timers = new Set<object>();
  const connection = new SocketConnection(
    {
      url: new URL(wsUrl),
      headers: {},
      stream: defaultDialect.stream,
      env: {
        clock: live.clock,
        timers: {
          ...live.timers,
          after(ms, run) {
            const timer = {};
            timers.add(timer);
            const cancel = live.timers.after(ms, () => {
              timers.delete(timer);
              run();
            });
            return () => {
              timers.delete(timer);
              cancel();
            };
          },
        },
      },
    },
    {
      onOpen: () => void reported.push('open'),
      onText: (text) => void reported.push(text),
      onLost: (reason) => void reported.push(`lost: ${reason}`),
    },
  );
  return { connection, reported, timers };
}

type Connected = ReturnType<typeof connect>;

const STATES: ReadonlyArray<[state: string, reported: string[], reach: () => Promise<Connected>]> =
  [
    [
      'that connects to a silent host',
      [],
      async () => connect(`ws://127.0.0.1:${(await startTcp(() => {})).port}/`),
    ],
    [
      'that is open',
      ['open'],
      async () => {
        const { wsUrl } = await startSocketServer();
        const connected = connect(wsUrl);
        await expect.poll(() => connected.connection.isOpen).toBe(true);
        return connected;
      },
    ],
    [
      'that closes already',
      ['open'],
      async () => {
        const { wsUrl } = await startSocketServer();
        const connected = connect(wsUrl);
        await expect.poll(() => connected.connection.isOpen).toBe(true);
        void connected.connection.close();
        return connected;
      },
    ],
    [
      'that the service has ended',
      ['open', 'lost: closed_1006'],
      async () => {
        const server = await startSocketServer();
        const connected = connect(server.wsUrl);
        await expect.poll(() => connected.connection.isOpen).toBe(true);
        server.connections[0]!.terminate();
        await expect.poll(() => connected.reported).toHaveLength(2);
        return connected;
      },
    ],
    [
      'that found nobody',
      ['lost: connection_failed_ECONNREFUSED'],
      async () => {
        const connected = connect(`ws://127.0.0.1:${await closedPort()}/`);
        await expect.poll(() => connected.reported).toHaveLength(1);
        return connected;
      },
    ],
    [
      'whose peer does not answer the goodbye',
      ['open'],
      async () => {
        const server = await startSocketServer();
        const connected = connect(server.wsUrl);
        await expect.poll(() => connected.connection.isOpen).toBe(true);
        server.connections[0]!.pause();
        return connected;
      },
    ],
  ];

test.each(STATES)(
  'a connection %s is closed, and silent from then on',
  async (_name, reported, reach) => {
    const { connection, reported: heard, timers } = await reach();
    await connection.close();
    await connection.close();
    expect(connection.isOpen).toBe(false);
    await new Promise(setImmediate);
    expect(heard).toEqual(reported);
    expect(timers.size).toBe(0);
  },
);

test('what comes beside a goodbye, and a frame that is no text, reach nobody', async () => {
  const server = await startSocketServer();
  const closed = connect(server.wsUrl);
  await expect.poll(() => closed.connection.isOpen).toBe(true);
  server.connections[0]!.send('before');
  await expect.poll(() => closed.reported).toEqual(['open', 'before']);
  const closing = closed.connection.close();
  // It is on its way before the service hears the goodbye.
  server.connections[0]!.send('beside it');
  await closing;
  expect(closed.reported).toEqual(['open', 'before']);
  const binary = connect(server.wsUrl);
  await expect.poll(() => server.connections).toHaveLength(2);
  server.connections[1]!.send(Buffer.from('bytes'));
  server.connections[1]!.send('after them');
  await expect.poll(() => binary.reported).toEqual(['open', 'lost: binary_frame']);
  await expect.poll(() => server.connections[1]!.readyState).toBe(WebSocket.CLOSED);
  expect(binary.reported).toHaveLength(2);
  expect(binary.timers.size).toBe(0);
});
