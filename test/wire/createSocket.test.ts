import { createHmac } from 'node:crypto';
import type { Socket } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDialect, defaultDialect } from '../../src/contract/dialect.ts';
import type { FrameFault, ServerFrame } from '../../src/contract/frames.ts';
import { createLiveEnv } from '../../src/env/createLiveEnv.ts';
import { createVirtualEnv, type VirtualEnv } from '../../src/env/createVirtualEnv.ts';
import type { LinkStatus } from '../../src/env/Link.ts';
import { decodeFrame } from '../../src/frames/decodeFrame.ts';
import { createClockOffset } from '../../src/wire/createClockOffset.ts';
import { createSigner } from '../../src/wire/createSigner.ts';
import {
  createKeyedSocket,
  createSocket,
  type SocketOptions,
} from '../../src/wire/createSocket.ts';
import { startSocketServer } from './startSocketServer.ts';
import { closedPort, startTcp } from './startServer.ts';

const SECRET = 'vs_canary_secret';
const live = createLiveEnv();

/** Headers of an answer that is sent when a clock that is ahead by this shows the time, to be asked again 5 s later. */
const datesAt = (byMs: number): string => {
  const [date, again] = [byMs, byMs + 5_000].map((ms) => new Date(Date.now() + ms).toUTCString());
  return `Date: ${date}\r\nRetry-After: ${again}`;
};

/** The machine's clocks with timers that fire at once where they only delay a reconnect. */
const eager = { ...live, random: { next: () => 0 } };

interface Received {
  frames: ServerFrame[];
  faults: FrameFault[];
  statuses: LinkStatus[];
}

function open(wsUrl: string, options: Partial<SocketOptions> = {}) {
  const dialect = options.dialect ?? defaultDialect;
  const signer = createSigner({ keyId: 'vk_1', secret: SECRET, dialect, clock: live.clock });
  const socket = createSocket({
    wsUrl,
    dialect,
    signer,
    env: eager,
    decode: (text) => decodeFrame(text, dialect),
    ...options,
  });
  const received: Received = { frames: [], faults: [], statuses: [] };
  socket.open({
    onFrame: (frame) => received.frames.push(frame),
    onFault: (fault) => received.faults.push(fault),
    onStatus: (status) => received.statuses.push(status),
  });
  onTestFinished(() => socket.close());
  return { socket, received };
}

const isOpen = ({ statuses }: Received) => statuses.at(-1)?.state === 'open';
const reasons = ({ statuses }: Received) =>
  statuses.flatMap((status) => (status.state === 'lost' ? [status.reason] : []));
const frame = (seq: number) =>
  JSON.stringify({ channel: 'x', params: {}, event: 'e', wallet: 'main', seq, ts: 1, data: seq });

describe('the upgrade', () => {
  test('AUTH-1, STR-1: it is signed like GET of its path with an empty body, and names the wallet', async () => {
    const server = await startSocketServer();
    const { received } = open(server.wsUrl, { wallet: 'sub-1' });
    await expect.poll(() => isOpen(received)).toBe(true);
    const { headers } = server.upgrades[0]!;
    const text = `${String(headers['x-service-timestamp'])}GET/v1/stream?compact=1`;
    expect(headers).toMatchObject({
      'x-service-api-key-id': 'vk_1',
      'x-service-signature': createHmac('sha256', SECRET).update(text).digest('hex'),
      'x-service-wallet': 'sub-1',
    });
    expect(headers).not.toHaveProperty('sec-websocket-extensions');
  });

  test('a refusal has status and code, teaches the clock, and the next attempt may succeed', async () => {
    const body = '{"error":{"code":"timestamp_out_of_window","message":"m"},"request_id":"r"}';
    const date = new Date(Date.now() - 3_600_000).toUTCString();
    const server = await startSocketServer({
      refuse: (socket, count) => {
        if (count > 1) return false;
        const head = `HTTP/1.1 401 Unauthorized\r\nDate: ${date}\r\nContent-Length: ${body.length}`;
        socket.end(`${head}\r\n\r\n${body}`);
        return true;
      },
    });
    const clockOffset = createClockOffset();
    const { received } = open(server.wsUrl, { clockOffset });
    await expect.poll(() => isOpen(received)).toBe(true);
    expect(reasons(received)).toEqual(['refused_401_timestamp_out_of_window']);
    expect(Math.abs(clockOffset.offsetMs() + 3_600_000)).toBeLessThan(2_000);
  });

  test('a gateway’s refusal teaches no clock', async () => {
    const date = new Date(Date.now() - 3_600_000).toUTCString();
    const server = await startSocketServer({
      refuse: (socket, count) => {
        if (count > 1) return false;
        socket.end(`HTTP/1.1 503 Unavailable\r\nDate: ${date}\r\nContent-Length: 5\r\n\r\nlater`);
        return true;
      },
    });
    const clockOffset = createClockOffset();
    const { received } = open(server.wsUrl, { clockOffset });
    await expect.poll(() => isOpen(received)).toBe(true);
    expect(reasons(received)).toEqual(['refused_503']);
    expect(clockOffset.offsetMs()).toBe(0);
  });

  test.each([
    ['its header', 'Retry-After: 7', '{}', 7_000],
    [
      'its envelope',
      'X: y',
      '{"error":{"code":"rate_limited","message":"m","details":{"retry_after_seconds":9}},"request_id":"r"}',
      9_000,
    ],
    [
      'its envelope, not its header',
      'Retry-After: 7',
      '{"error":{"code":"rate_limited","message":"m","details":{"retry_after_seconds":9}},"request_id":"r"}',
      9_000,
    ],
    ['a proxy’s page', 'Retry-After: 4', '<html>slow down</html>', 4_000],
    ['nothing', 'X: y', '<html>slow down</html>', 0],
    // The machine's clock is right, slow or fast: a date is compared with that of the answer.
    ['a date', datesAt(0), '{}', 5_000],
    ['a date, by a slow machine', datesAt(600_000), '{}', 5_000],
    ['a date, by a fast machine', datesAt(-600_000), '{}', 5_000],
  ])('LIM-2: a 429 is waited out as stated by %s', async (_by, header, body, delayMs) => {
    const server = await startSocketServer({
      refuse: (socket) => {
        const head = `HTTP/1.1 429 Too Many Requests\r\n${header}\r\nContent-Length: ${body.length}`;
        socket.end(`${head}\r\n\r\n${body}`);
        return true;
      },
    });
    const delays: number[] = [];
    const warn = (_text: string, fields?: { delay_ms?: unknown }) =>
      void delays.push(Number(fields?.delay_ms));
    const env = { ...eager, log: { ...eager.log, warn } };
    const { socket, received } = open(server.wsUrl, { env });
    await expect.poll(() => reasons(received).length).toBeGreaterThan(0);
    expect(delays[0]).toBe(delayMs);
    await socket.close();
  });

  test.each([
    [7, 7_000],
    // Nobody keeps a bot blind for a day.
    [86_400, 300_000],
  ])('LIM-2: the spread of many clients comes on top of a wait of %i s', async (asked, least) => {
    const server = await startSocketServer({
      refuse: (socket) => {
        const head = `HTTP/1.1 429 Too Many Requests\r\nRetry-After: ${asked}\r\nContent-Length: 2`;
        socket.end(`${head}\r\n\r\n{}`);
        return true;
      },
    });
    const delays: number[] = [];
    const warn = (_text: string, fields?: { delay_ms?: unknown }) =>
      void delays.push(Number(fields?.delay_ms));
    const env = { ...live, random: { next: () => 0.5 }, log: { ...live.log, warn } };
    const { socket, received } = open(server.wsUrl, { env });
    await expect.poll(() => reasons(received).length).toBeGreaterThan(0);
    // Half of the first ceiling of 250 ms.
    expect(delays[0]).toBe(least + 125);
    await socket.close();
  });

  test('a refusal whose body does not end is one as soon as enough of it came', async () => {
    const server = await startSocketServer({
      refuse(socket) {
        const head = 'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\nContent-Length: 9000000';
        socket.write(`${head}\r\n\r\n${'x'.repeat(70_000)}`);
        return true;
      },
    });
    const delays: number[] = [];
    const warn = (_text: string, fields?: { delay_ms?: unknown }) =>
      void delays.push(Number(fields?.delay_ms));
    const env = { ...eager, log: { ...eager.log, warn } };
    const { socket, received } = open(server.wsUrl, { env });
    await expect.poll(() => reasons(received)).toEqual(['refused_429']);
    expect(delays).toEqual([7_000]);
    await socket.close();
  });

  test('a redirect is a refusal', async () => {
    const server = await startSocketServer({
      refuse: (socket, count) => {
        if (count > 1) return false;
        socket.end(
          'HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n',
        );
        return true;
      },
    });
    const { received } = open(server.wsUrl);
    await expect.poll(() => isOpen(received)).toBe(true);
    expect(reasons(received)).toEqual(['refused_302']);
  });

  test('connection refused, and a server that never finishes the handshake', async () => {
    const unreachable = open(`ws://127.0.0.1:${await closedPort()}/v1/stream`);
    await expect
      .poll(() => reasons(unreachable.received)[0])
      .toBe('connection_failed_ECONNREFUSED');
    await unreachable.socket.close();

    const drip = await startTcp((socket) => {
      // A head that is right so far, and never ends: each byte of it is a sign of life.
      socket.write('HTTP/1.1 101 Switching Protocols\r\nX-Slow: ');
      const timer = setInterval(() => socket.write('x'), 5);
      socket.on('close', () => clearInterval(timer));
    });
    const slow = open(`ws://127.0.0.1:${drip.port}/`, { handshakeTimeoutMs: 60 });
    await expect.poll(() => reasons(slow.received).length).toBeGreaterThan(0);
    expect(reasons(slow.received)[0]).toBe('handshake_timeout');
  });

  test('plain text is for this machine only', () => {
    expect(() => open('ws://example.com/v1/stream')).toThrow('use wss');
  });
});

describe('frames', () => {
  test('they arrive in order, and a bad one is a fault between them', async () => {
    const server = await startSocketServer({
      onConnection: (socket) => {
        socket.send(frame(1));
        socket.send('{"channel":');
        socket.send(frame(2));
      },
    });
    const { received } = open(server.wsUrl);
    await expect.poll(() => received.frames.length).toBe(2);
    expect(received.frames.map(({ frame }) => (frame as { seq?: number }).seq)).toEqual([1, 2]);
    expect(received.faults).toMatchObject([{ reason: 'not_json', text: '{"channel":' }]);
  });

  test('a frame beyond the cap, and a binary one, end the connection', async () => {
    const server = await startSocketServer({
      onConnection: (socket, count) => {
        if (count === 1) socket.send('x'.repeat(2_000));
        if (count === 2) socket.send(Buffer.from('{}'), { binary: true });
      },
    });
    const { received } = open(server.wsUrl, { maxPayloadBytes: 1_000 });
    await expect.poll(() => reasons(received)).toEqual(['frame_too_large', 'binary_frame']);
  });
});

test('frames that wait are handled with turns for everything else in between', async () => {
  const count = 3_000;
  const server = await startSocketServer({
    onConnection(socket) {
      for (let seq = 1; seq <= count; seq++) socket.send(frame(seq).padEnd(1_000));
    },
  });
  let [seen, sinceTurn, longest] = [0, 0, 0];
  const turn = (): void => {
    sinceTurn = 0;
    if (seen < count) setImmediate(turn);
  };
  setImmediate(turn);
  const signer = createSigner({
    keyId: 'vk_1',
    secret: SECRET,
    dialect: defaultDialect,
    clock: live.clock,
  });
  const socket = createSocket({
    wsUrl: server.wsUrl,
    dialect: defaultDialect,
    signer,
    env: live,
    decode: (text) => decodeFrame(text, defaultDialect),
  });
  onTestFinished(() => socket.close());
  socket.open({
    onFrame() {
      seen++;
      longest = Math.max(longest, ++sinceTurn);
      // A bot that does not keep up.
      for (const begun = performance.now(); performance.now() - begun < 1;);
    },
    onFault: () => {},
    onStatus: () => {},
  });
  await expect.poll(() => seen, { timeout: 30_000 }).toBe(count);
  // As many as the time and one piece of the system's buffer hold, and not all that waits there (some 300).
  expect(longest).toBeLessThan(200);
});

describe('commands (STR-6)', () => {
  test('each is answered by its correlation id, whatever the order', async () => {
    const waiting: Array<Record<string, unknown>> = [];
    const server = await startSocketServer({
      onMessage: (socket, message) => {
        waiting.push(message);
        if (waiting.length < 2) return;
        for (const { id, command } of waiting.toReversed()) {
          const base = { type: 'result', id, wallet: 'main', request_id: `req-${String(id)}` };
          const answer =
            command === 'get_orders'
              ? { ...base, ok: true, data: { items: [] }, weight: 2 }
              : { ...base, ok: false, error: { code: 'would_cross', message: 'no' } };
          socket.send(JSON.stringify(answer));
        }
      },
    });
    const { socket, received } = open(server.wsUrl);
    await expect.poll(() => isOpen(received)).toBe(true);
    const [read, placed] = await Promise.all([
      socket.command('get_orders', { symbol: 'BTC' }),
      socket.command('place_order', { size: 1 }, { wallet: 'w', idempotencyKey: 'k' }),
    ]);
    expect(server.messages[1]).toMatchObject({
      op: 'command',
      command: 'place_order',
      args: { size: 1 },
      wallet: 'w',
      idempotency_key: 'k',
    });
    expect(read).toMatchObject({
      kind: 'answered',
      response: {
        status: 200,
        headers: { 'x-service-weight': '2', 'x-service-wallet-resolved': 'main' },
        body: { items: [] },
      },
    });
    expect(placed).toMatchObject({
      kind: 'answered',
      response: { status: 422, body: { error: { code: 'would_cross' } } },
    });
    expect(received.frames).toEqual([]);
  });

  test('an unknown refusal is inconclusive: it counts as 500', async () => {
    const server = await startSocketServer({
      onMessage: (socket, { id }) => {
        const error = { code: 'moon_phase', message: 'm' };
        socket.send(JSON.stringify({ type: 'error', id, error, request_id: null }));
      },
    });
    const { socket, received } = open(server.wsUrl);
    await expect.poll(() => isOpen(received)).toBe(true);
    expect(await socket.command('execute', {})).toMatchObject({
      kind: 'answered',
      response: { status: 500, body: { error: { code: 'moon_phase' } } },
    });
  });

  test('without a connection it is not sent; with the connection lost after the write it is unknown', async () => {
    const server = await startSocketServer({ onMessage: (socket) => socket.terminate() });
    const { socket, received } = open(server.wsUrl);
    expect(await socket.command('get_orders', {})).toEqual({
      kind: 'not_sent',
      reason: 'not_connected',
    });
    await expect.poll(() => isOpen(received)).toBe(true);
    expect(await socket.command('execute', {})).toEqual({
      kind: 'no_answer',
      reason: 'connection_lost',
    });
    await socket.close();
    expect(await socket.command('execute', {})).toEqual({ kind: 'not_sent', reason: 'closed' });
  });

  test('LIM-3: without a result within the time it is unknown, and a late result is passed on', async () => {
    const late: Array<() => void> = [];
    const server = await startSocketServer({
      onMessage: (socket, { id }) => {
        late.push(() => socket.send(JSON.stringify({ type: 'result', id, ok: true, data: 1 })));
      },
    });
    const { socket, received } = open(server.wsUrl);
    await expect.poll(() => isOpen(received)).toBe(true);
    expect(await socket.command('get_fills', {}, { timeoutMs: 20 })).toEqual({
      kind: 'no_answer',
      reason: 'timeout',
    });
    late[0]!();
    await expect.poll(() => received.frames).toMatchObject([{ kind: 'result' }]);
  });

  test('closing makes pending commands unknown', async () => {
    const server = await startSocketServer();
    const { socket, received } = open(server.wsUrl);
    await expect.poll(() => isOpen(received)).toBe(true);
    const waiting = socket.command('execute', {});
    await socket.close();
    expect(await waiting).toEqual({ kind: 'no_answer', reason: 'closed' });
    expect(received.statuses.at(-1)).toEqual({ state: 'closed' });
  });
});

/** Advances virtual time in steps small enough for real sockets to follow between them. */
async function advance(env: VirtualEnv, byMs: number): Promise<void> {
  const until = env.queue.now() + byMs;
  while (env.queue.now() < until) {
    env.queue.advanceTo(Math.min(until, env.queue.now() + 250));
    await new Promise(setImmediate);
  }
}

describe('silence', () => {
  test('the client pings every 5 s, and 15 s without pong or frame is a stall', async () => {
    const env = createVirtualEnv({ seed: 1 });
    const server = await startSocketServer({ autoPong: false });
    let pings = 0;
    const { received } = open(server.wsUrl, { env });
    await expect.poll(() => isOpen(received)).toBe(true);
    server.connections[0]!.on('ping', () => (pings += 1));
    await advance(env, 14_999);
    expect(reasons(received)).toEqual([]);
    await expect.poll(() => pings).toBe(2);
    await advance(env, 1);
    expect(reasons(received)).toEqual(['stalled']);
  });

  test('a frame resets the stall timer', async () => {
    const env = createVirtualEnv({ seed: 1 });
    const server = await startSocketServer({ autoPong: false });
    const { received } = open(server.wsUrl, { env });
    await expect.poll(() => isOpen(received)).toBe(true);
    await advance(env, 8_000);
    server.connections[0]!.send(frame(1));
    await expect.poll(() => received.frames.length).toBe(1);
    await advance(env, 14_999);
    expect(reasons(received)).toEqual([]);
    await advance(env, 1);
    expect(reasons(received)).toEqual(['stalled']);
  });

  test('so does a ping of the server', async () => {
    const env = createVirtualEnv({ seed: 1 });
    const server = await startSocketServer({ autoPong: false });
    const { received } = open(server.wsUrl, { env });
    await expect.poll(() => isOpen(received)).toBe(true);
    await advance(env, 8_000);
    const answered = new Promise((resolve) => server.connections[0]!.once('pong', resolve));
    server.connections[0]!.ping();
    await answered;
    await advance(env, 14_999);
    expect(reasons(received)).toEqual([]);
    await advance(env, 1);
    expect(reasons(received)).toEqual(['stalled']);
  });

  test('a half-open connection is detected too', async () => {
    const env = createVirtualEnv({ seed: 1 });
    const server = await startSocketServer();
    const { received } = open(server.wsUrl, { env });
    await expect.poll(() => isOpen(received)).toBe(true);
    server.connections[0]!.pause();
    await advance(env, 15_000);
    expect(reasons(received)).toEqual(['stalled']);
  });

  test('a server that pongs stays alive', async () => {
    const env = createVirtualEnv({ seed: 1 });
    const dialect = createDialect({ stream: { clientPingMs: 1_000, clientStallMs: 3_000 } });
    const server = await startSocketServer();
    const { received } = open(server.wsUrl, { env, dialect });
    await expect.poll(() => isOpen(received)).toBe(true);
    for (let second = 0; second < 30; second++) {
      const pong = new Promise((resolve) => server.connections[0]!.once('ping', resolve));
      await advance(env, 1_000);
      await pong;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(reasons(received)).toEqual([]);
  });
});

/** A virtual environment that notes how long each reconnect waits, at six tenths of its ceiling. */
function envWithWaits() {
  const env = createVirtualEnv();
  const waits: number[] = [];
  const { clientPingMs, clientStallMs } = defaultDialect.stream;
  const otherTimers = new Set([clientPingMs, clientStallMs, 10_000]);
  const timers = {
    after: (delayMs: number, run: () => void) => {
      if (!otherTimers.has(delayMs)) waits.push(delayMs);
      return env.timers.after(delayMs, run);
    },
  };
  return { env: { ...env, timers, random: { next: () => 0.6 } }, waits };
}

const attempts = ({ statuses }: Received) =>
  statuses.flatMap((status) => (status.state === 'connecting' ? [status.attempt] : []));

describe('reconnecting', () => {
  test('attempts are single-flight, jittered, and spread up to the cap of 30 s', async () => {
    const { env, waits } = envWithWaits();
    const { received } = open(`ws://127.0.0.1:${await closedPort()}/v1/stream`, { env });
    for (let attempt = 1; attempt <= 9; attempt++) {
      await expect.poll(() => reasons(received).length).toBe(attempt);
      env.queue.advanceTo(env.queue.now() + waits.at(-1)!);
    }
    const expected = [150, 300, 600, 1_200, 2_400, 4_800, 9_600, 18_000, 18_000];
    expect(waits.slice(0, 9)).toEqual(expected);
    expect(attempts(received).slice(0, 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('a service that accepts and drops at once does not shorten the waits', async () => {
    const { env, waits } = envWithWaits();
    const server = await startSocketServer({ onConnection: (socket) => socket.close(4000) });
    const { received } = open(server.wsUrl, { env });
    for (let count = 1; count <= 4; count++) {
      await expect.poll(() => reasons(received).length).toBe(count);
      env.queue.advanceTo(env.queue.now() + waits.at(-1)!);
    }
    expect(waits).toEqual([150, 300, 600, 1_200]);
    expect(reasons(received)[0]).toBe('closed_4000');
  });

  test('a reconnect says how long the connection was lost, over all attempts', async () => {
    const { env, waits } = envWithWaits();
    const refuse = (socket: Socket, count: number): boolean => {
      if (count <= 7) socket.destroy();
      return count <= 7;
    };
    const server = await startSocketServer({ refuse });
    const said: string[] = [];
    const log = { ...env.log, warn: (text: string) => void said.push(text) };
    const { received } = open(server.wsUrl, { env: { ...env, log } });
    for (let count = 1; count <= 7; count++) {
      await expect.poll(() => reasons(received).length).toBe(count);
      env.queue.advanceTo(env.queue.now() + waits.at(-1)!);
    }
    await expect.poll(() => isOpen(received)).toBe(true);
    // 150 ms, and twice as long each time.
    expect(said.at(-1)).toBe('socket reconnected after 19 s');
  });

  test('after a healthy period the attempts count from one again', async () => {
    const env = createVirtualEnv();
    const server = await startSocketServer();
    const { received } = open(server.wsUrl, { env: { ...env, random: { next: () => 0 } } });
    await expect.poll(() => isOpen(received)).toBe(true);
    env.queue.advanceTo(env.queue.now() + 14_000);
    server.connections[0]!.send(frame(1));
    await expect.poll(() => received.frames.length).toBe(1);
    env.queue.advanceTo(env.queue.now() + 2_000);
    server.connections[0]!.terminate();
    await expect.poll(() => reasons(received)).toEqual(['closed_1006']);
    env.queue.advanceTo(env.queue.now());
    expect(received.statuses.at(-1)).toEqual({ state: 'connecting', attempt: 1 });
  });

  test('a closed socket stays closed', async () => {
    const server = await startSocketServer();
    const { socket, received } = open(server.wsUrl);
    await expect.poll(() => isOpen(received)).toBe(true);
    await Promise.all([socket.close(), socket.close()]);
    expect(received.statuses.filter(({ state }) => state === 'closed')).toHaveLength(1);
    expect(server.upgrades).toHaveLength(1);
    expect(socket.send({ id: '1', op: 'subscribe', channel: 'price' })).toBe(false);
  });

  test('a connection that its socket closes is told as lost by nobody', async () => {
    const server = await startSocketServer();
    const { socket, received } = open(server.wsUrl);
    await expect.poll(() => isOpen(received)).toBe(true);
    await socket.close();
    expect(received.statuses.map(({ state }) => state)).toEqual(['connecting', 'open', 'closed']);
  });

  test('a connection that a next key replaces ends without ending that one', async () => {
    const server = await startSocketServer();
    const received: string[] = [];
    let frames = 0;
    const signer = createSigner({
      keyId: 'vk_2',
      secret: SECRET,
      dialect: defaultDialect,
      clock: live.clock,
    });
    const socket = createKeyedSocket({
      wsUrl: server.wsUrl,
      dialect: defaultDialect,
      signer,
      env: eager,
      decode: (text) => decodeFrame(text, defaultDialect),
    });
    onTestFinished(() => socket.close());
    socket.open({
      onFrame: () => void frames++,
      onFault: () => {},
      onStatus: (status) =>
        received.push(status.state === 'lost' ? `lost: ${status.reason}` : status.state),
    });
    await expect.poll(() => received.at(-1)).toBe('open');
    const prepared = await socket.prepare(signer);
    if ('refused' in prepared) throw new Error(prepared.refused);
    prepared.use();
    await expect.poll(() => server.connections[0]!.readyState).toBe(WebSocket.CLOSED);
    // The next connection has had its turn by then, and so has the end of the first.
    server.connections[1]!.send(frame(1));
    await expect.poll(() => frames).toBe(1);
    expect(received).toEqual(['connecting', 'open', 'lost: key_changed', 'open']);
    expect(server.upgrades).toHaveLength(2);
  });

  test('it can be closed while connecting, and while waiting to reconnect', async () => {
    const silent = await startTcp(() => {});
    const connecting = open(`ws://127.0.0.1:${silent.port}/`);
    await connecting.socket.close();
    expect(connecting.received.statuses.at(-1)).toEqual({ state: 'closed' });
    const env = createVirtualEnv({ seed: 3 });
    const waiting = open(`ws://127.0.0.1:${await closedPort()}/`, { env });
    await expect.poll(() => reasons(waiting.received).length).toBe(1);
    await waiting.socket.close();
    env.queue.advanceTo(60_000);
    expect(waiting.received.statuses.at(-1)).toEqual({ state: 'closed' });
  });
});

test('nothing that prints a socket shows the secret', async () => {
  const server = await startSocketServer();
  const { socket, received } = open(server.wsUrl);
  await expect.poll(() => isOpen(received)).toBe(true);
  expect(inspect(socket, { depth: null, showHidden: true })).not.toContain(SECRET);
});
