import { expect, test } from 'vitest';
import { defaultDialect } from '../../src/contract/dialect.ts';
import { createVirtualEnv } from '../../src/env/createVirtualEnv.ts';
import type { LinkStatus } from '../../src/env/Link.ts';
import { silentLog, type Log } from '../../src/env/Log.ts';
import { decodeFrame } from '../../src/frames/decodeFrame.ts';
import { createSigner } from '../../src/wire/createSigner.ts';
import { createKeyedSocket } from '../../src/wire/createSocket.ts';
import { UnsendableValueError } from '../../src/wire/errors/UnsendableValueError.ts';
import type { ClockSample } from '../../src/wire/createClockOffset.ts';
import type { ConnectionEvents } from '../../src/wire/SocketConnection.ts';

/** The socket over connections whose states a test sets: full buffers and long waits are not for real lines. */

interface Line extends ConnectionEvents {
  isOpen: boolean;
  bufferedBytes: number;
  sent: string[];
  isClosed: boolean;
  keyId: string;
  /** How long its end takes. */
  ending: Promise<void>;
}

function setUp({ jitter = 0.5 } = {}) {
  const warnings: string[] = [];
  const log: Log = { ...silentLog, warn: (text) => void warnings.push(text) };
  const virtual = createVirtualEnv({ log });
  /** What keeps a process from its end. */
  const waits = new Set<object>();
  const timers: typeof virtual.timers = {
    ...virtual.timers,
    after(ms, run) {
      const wait = {};
      waits.add(wait);
      const cancel = virtual.timers.after(ms, () => {
        waits.delete(wait);
        run();
      });
      return () => {
        waits.delete(wait);
        cancel();
      };
    },
  };
  const env = { ...virtual, timers, random: { next: () => jitter } };
  const learned: ClockSample[] = [];
  const lines: Line[] = [];
  const signerOf = (keyId: string) =>
    createSigner({ keyId, secret: 's', dialect: defaultDialect, clock: env.clock });
  const statuses: LinkStatus[] = [];
  const socket = createKeyedSocket({
    wsUrl: 'ws://127.0.0.1:1/v1/stream',
    dialect: defaultDialect,
    signer: signerOf('first'),
    env: env as never,
    clockOffset: { offsetMs: () => 0, learn: (sample) => void learned.push(sample) },
    decode: (text) => decodeFrame(text, defaultDialect),
    connect({ headers }, events) {
      const line: Line = {
        ...events,
        isOpen: false,
        bufferedBytes: 0,
        sent: [],
        isClosed: false,
        ending: Promise.resolve(),
        keyId: ['first', 'second'].find((key) => Object.values(headers).includes(key)) ?? '',
      };
      lines.push(line);
      return {
        get isOpen() {
          return line.isOpen;
        },
        get bufferedBytes() {
          return line.bufferedBytes;
        },
        send: (text) => void line.sent.push(text),
        close() {
          line.isClosed = true;
          return line.ending;
        },
      };
    },
  });
  socket.open({ onFrame: () => {}, onFault: () => {}, onStatus: (one) => void statuses.push(one) });
  const opened = (line: Line): void => {
    line.isOpen = true;
    line.onOpen();
  };
  const lose = (line: Line, reason = 'closed_1006', retryAfterMs?: number): void => {
    line.isOpen = false;
    const refusal = retryAfterMs === undefined ? undefined : { serverTime: 0, retryAfterMs };
    line.onLost(reason, refusal as never);
  };
  /** How long it waits until the next attempt, up to a limit. */
  function waitOfNext(most: number): number {
    const [from, before] = [env.queue.now(), lines.length];
    while (lines.length === before && env.queue.now() - from < most)
      env.queue.advanceTo(env.queue.now() + 50);
    return env.queue.now() - from;
  }
  return {
    env,
    socket,
    lines,
    learned,
    waits,
    statuses,
    warnings,
    signerOf,
    opened,
    lose,
    waitOfNext,
  };
}

test('LIM-3: nothing is written to a full buffer, nor beside a thousand commands without a result', async () => {
  const { socket, lines, opened } = setUp();
  const [line] = lines as [Line];
  expect(await socket.command('orders.list', {})).toEqual({
    kind: 'not_sent',
    reason: 'not_connected',
  });
  opened(line);
  line.bufferedBytes = 4 * 1024 * 1024;
  const all = [socket.command('orders.list', {})];
  line.bufferedBytes += 1;
  const full = { kind: 'not_sent', reason: 'backpressure' };
  expect(await socket.command('orders.list', {})).toEqual(full);
  line.bufferedBytes = 0;
  while (all.length < 1_000) all.push(socket.command('orders.list', {}));
  const many = { kind: 'not_sent', reason: 'too_many_pending' };
  expect(await socket.command('orders.list', {})).toEqual(many);
  expect(line.sent).toHaveLength(1_000);
  await socket.close();
  // What was written has no answer: it may have been executed.
  expect(new Set((await Promise.all(all)).map(({ kind }) => kind))).toEqual(new Set(['no_answer']));
});

test('a requested wait is kept, but five minutes at most', () => {
  const { lines, lose, waitOfNext } = setUp({ jitter: 0 });
  lose(lines[0]!, 'refused_429', 7_000);
  expect(waitOfNext(60_000)).toBe(7_000);
  lose(lines[1]!, 'refused_429', 86_400_000);
  expect(waitOfNext(400_000)).toBe(300_000);
});

test('the waits grow while connections fail, and begin anew after one that lived', () => {
  const { env, lines, opened, lose, waitOfNext } = setUp();
  const waits: number[] = [];
  for (let count = 0; count < 4; count++) {
    lose(lines.at(-1)!);
    waits.push(waitOfNext(60_000));
  }
  expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  expect(waits[3]).toBeGreaterThan(2 * waits[0]!);
  opened(lines.at(-1)!);
  env.queue.advanceTo(env.queue.now() + defaultDialect.stream.clientStallMs);
  lose(lines.at(-1)!);
  expect(waitOfNext(60_000)).toBe(waits[0]);
});

test('a next key takes over once it is accepted, and the old connection is closed', async () => {
  const { socket, lines, statuses, signerOf, opened } = setUp();
  opened(lines[0]!);
  const prepared = socket.prepare(signerOf('second'));
  expect([lines[1]!.keyId, lines[0]!.isClosed]).toEqual(['second', false]);
  opened(lines[1]!);
  const next = await prepared;
  if ('refused' in next) throw new Error(next.refused);
  const pending = socket.command('orders.list', {});
  next.use();
  expect([lines[0]!.isClosed, lines[1]!.isClosed]).toEqual([true, false]);
  expect((await pending).kind).toBe('no_answer');
  expect(statuses.slice(-2).map(({ state }) => state)).toEqual(['lost', 'open']);
});

test('a key that is changed while the socket waits to reconnect has one connection', async () => {
  const { env, socket, lines, statuses, signerOf, opened, lose } = setUp();
  opened(lines[0]!);
  lose(lines[0]!);
  const prepared = socket.prepare(signerOf('second'));
  opened(lines[1]!);
  const next = await prepared;
  if ('refused' in next) throw new Error(next.refused);
  next.use();
  env.queue.advanceTo(env.queue.now() + 60_000);
  expect(lines).toHaveLength(2);
  expect(lines[1]!.isClosed).toBe(false);
  // It was lost once.
  expect(statuses.map(({ state }) => state)).toEqual(['connecting', 'open', 'lost', 'open']);
});

test('a connection of a next key that is lost before it is used does not take over: another one is opened', async () => {
  const { socket, lines, signerOf, opened, lose } = setUp();
  opened(lines[0]!);
  const prepared = socket.prepare(signerOf('second'));
  opened(lines[1]!);
  const next = await prepared;
  if ('refused' in next) throw new Error(next.refused);
  lose(lines[1]!);
  next.use();
  expect([lines[0]!.isClosed, lines.length]).toEqual([true, 3]);
  opened(lines[2]!);
  const pending = socket.command('orders.list', {});
  expect(lines[2]!.sent).toHaveLength(1);
  await socket.close();
  expect((await pending).kind).toBe('no_answer');
});

test('a next key that comes after the end leaves no connection', async () => {
  const { socket, lines, signerOf, opened } = setUp();
  opened(lines[0]!);
  const prepared = socket.prepare(signerOf('second'));
  opened(lines[1]!);
  const next = await prepared;
  if ('refused' in next) throw new Error(next.refused);
  await socket.close();
  next.use();
  expect(lines.map(({ isClosed }) => isClosed)).toEqual([true, true]);
});

test('a socket is closed when its connection has said goodbye, and no earlier', async () => {
  const { socket, lines, opened, statuses } = setUp();
  opened(lines[0]!);
  const goodbye = Promise.withResolvers<void>();
  lines[0]!.ending = goodbye.promise;
  let isOver = false;
  const closing = socket.close().then(() => (isOver = true));
  await new Promise(setImmediate);
  expect([lines[0]!.isClosed, isOver, statuses.at(-1)!.state]).toEqual([true, false, 'open']);
  goodbye.resolve();
  await closing;
  expect(statuses.at(-1)).toEqual({ state: 'closed' });
});

test('a socket that is closed while it waits to reconnect keeps no process from its end', async () => {
  const { socket, lines, lose, waits, env } = setUp();
  lose(lines[0]!);
  expect(waits.size).toBe(1);
  await socket.close();
  expect(waits.size).toBe(0);
  env.queue.advanceTo(env.queue.now() + 600_000);
  expect(lines).toHaveLength(1);
});

test('the service’s clock is learned to the second of a refused upgrade’s date', () => {
  const { lines, learned, env } = setUp();
  const sentAt = env.clock.wallNow();
  env.queue.advanceTo(env.queue.now() + 70);
  lines[0]!.onLost('refused_401_timestamp_out_of_window', { serverTime: 5_000 });
  const times = { sentAt, receivedAt: sentAt + 70 };
  expect(learned).toEqual([
    { serverTime: 5_000, resolutionMs: 1_000, isTimeRefused: true, ...times },
  ]);
});

test('each reconnect says how long its own outage was', () => {
  const { env, lines, warnings, opened, lose, waitOfNext } = setUp({ jitter: 0 });
  opened(lines[0]!);
  for (const seconds of [3, 2]) {
    lose(lines.at(-1)!);
    waitOfNext(1_000);
    env.queue.advanceTo(env.queue.now() + 1_000 * seconds - 50);
    opened(lines.at(-1)!);
    env.queue.advanceTo(env.queue.now() + 60_000);
  }
  const reconnects = warnings.filter((text) => text.startsWith('socket reconnected'));
  expect(reconnects).toEqual(['socket reconnected after 3 s', 'socket reconnected after 2 s']);
});

test('a subscription that JSON can’t carry is refused where it is written', () => {
  const { socket, lines, opened } = setUp();
  const subscribe = (depth: number): boolean =>
    socket.send({
      id: 'one',
      op: 'subscribe',
      channel: 'orderbook',
      params: { symbol: 'BTC', depth },
    });
  // Also while there is no connection: the mistake is not of the line.
  expect(() => subscribe(NaN)).toThrow(UnsendableValueError);
  opened(lines[0]!);
  expect(() => subscribe(NaN)).toThrow('params.depth');
  expect([subscribe(5), lines[0]!.sent.length]).toEqual([true, 1]);
});

test('a key that is refused does not take over, not even of a connection that is down', async () => {
  for (const isUp of [true, false]) {
    for (const reason of ['refused_401_unknown_key', 'closed_1006']) {
      const { socket, lines, signerOf, opened, lose } = setUp();
      if (isUp) opened(lines[0]!);
      const prepared = socket.prepare(signerOf('second'));
      lose(lines[1]!, reason);
      const isRefused = isUp || reason.startsWith('refused');
      expect('refused' in (await prepared), `${isUp} ${reason}`).toBe(isRefused);
      expect(lines[0]!.isClosed).toBe(false);
    }
  }
});
