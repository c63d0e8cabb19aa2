import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createDialect, defaultDialect } from '../../../src/contract/index.ts';
import { createLiveEnv, type Env } from '../../../src/env/index.ts';
import { RESTING_ORDER } from '../core/openTestService.ts';
import { openTestServer, type TestServer, type TestSocket } from './openTestServer.ts';

let server: TestServer;
afterEach(() => server.close());

const { slowConsumerFrames } = defaultDialect.stream;
const advance = (bars: number) =>
  server.control('POST', '/paper/replay/advance', { bars, interval: '1m' });

/** A real event loop that counts the turns waited for. */
function countTurns(): { env: Env; turns: () => number } {
  let turns = 0;
  const live = createLiveEnv();
  const after: Env['timers']['after'] = (delayMs, run) => {
    if (delayMs === 0) turns++;
    return live.timers.after(delayMs, run);
  };
  return { env: { ...live, timers: { after } }, turns: () => turns };
}

/** Subscribes to all market channels, and reads nothing. */
async function openDeaf(): Promise<TestSocket> {
  const socket = await server.openSocket();
  const params = { symbol: 'BTC', interval: '1m', include_forming: true };
  socket.send({ id: 'bars', op: 'subscribe', channel: 'candles', params });
  socket.send({ id: 'price', op: 'subscribe', channel: 'price', params: { symbol: 'BTC' } });
  await socket.until(({ id }) => id === 'price');
  socket.socket.pause();
  return socket;
}

describe('a subscriber that stops reading', () => {
  test('delays the others once, is dropped at once and loses its socket within 2 s', async () => {
    const { env, turns } = countTurns();
    // The system's socket buffers would hide it for thousands of bars.
    const dialect = createDialect({ stream: { slowConsumerBytes: 256 * 1024 } });
    server = await openTestServer({}, { dialect, env });
    const deaf = await openDeaf();
    const peers = await Promise.all([1, 2].map(() => server.openSocket()));
    for (const peer of peers) {
      peer.send({ id: 'p', op: 'subscribe', channel: 'price', params: { symbol: 'BTC' } });
      await peer.until(({ id }) => id === 'p');
    }
    for (let step = 0; step < 50; step++) {
      // Snapshots fill the system's socket buffers.
      const params = { symbol: 'BTC', interval: '1m', limit: 5_000 };
      for (let more = 0; more < 20; more++) {
        deaf.send({ id: 'more', op: 'subscribe', channel: 'candles', params });
      }
      await advance(20);
    }
    // Two waits of 200 turns: the replay's, and that for the subscriber itself to catch up.
    expect(turns()).toBeLessThan(1_000);
    for (const peer of peers) {
      expect(peer.socket.readyState).toBe(peer.socket.OPEN);
      expect(peer.messages.filter(({ event }) => event === 'tick').length).toBeGreaterThan(2_900);
    }
    const raw = (deaf.socket as unknown as { _socket: Socket })._socket;
    // The service may reset a connection that it drops; to a waiting once() that is an error.
    const ended = new Promise<unknown>((resolve) => {
      for (const event of ['close', 'end', 'error']) raw.once(event, resolve);
    });
    deaf.socket.resume();
    await Promise.race([ended, deaf.closed]);
  });
});

describe('a burst of one instant does not close a reading subscriber', () => {
  test('more frames than the buffer limit, from one request', async () => {
    server = await openTestServer({ limits: 'off' });
    const socket = await server.openSocket();
    socket.send({ id: 'a', op: 'subscribe', channel: 'account.state' });
    await socket.until(({ event }) => event === 'snapshot');
    const orders = slowConsumerFrames + 100;
    for (let placed = 0; placed < orders; placed += 100) {
      const hundred = Array.from({ length: 100 }, () =>
        server.ask('/v1/order', { body: { ...RESTING_ORDER, size: 0.001 } }),
      );
      for (const { status, body } of await Promise.all(hundred)) {
        expect(status, JSON.stringify(body)).toBe(201);
      }
    }
    await server.ask('/v1/orders', { method: 'DELETE' });
    await advance(1);
    await socket.until(({ event }) => event === 'advanced');
    const cancelled = socket.messages.filter(({ data }) => data?.status === 'cancelled');
    expect(cancelled).toHaveLength(orders);
    expect(socket.socket.readyState).toBe(socket.socket.OPEN);
  });
});
