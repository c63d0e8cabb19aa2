import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { defaultDialect } from '../../src/contract/dialect.ts';
import type { FrameFault, ServerFrame } from '../../src/contract/frames.ts';
import { createLiveEnv } from '../../src/env/createLiveEnv.ts';
import { createVirtualEnv } from '../../src/env/createVirtualEnv.ts';
import type { LinkStatus, Subscription } from '../../src/env/Link.ts';
import { decodeFrame } from '../../src/frames/decodeFrame.ts';
import { createEventStream, type EventStreamOptions } from '../../src/wire/createEventStream.ts';
import { createSigner } from '../../src/wire/createSigner.ts';
import { createSseParser, type SseEvent } from '../../src/wire/createSseParser.ts';
import { toSseChannels } from '../../src/wire/toSseChannels.ts';
import { startPaper } from './startPaper.ts';
import { closedPort, startHttp } from './startServer.ts';

const env = createLiveEnv();
const price: Subscription = { channel: 'price', params: { symbol: 'BTC' } };

function open(
  baseUrl: string,
  options: Partial<EventStreamOptions> & { secret?: string; keyId?: string } = {},
) {
  const { secret = 'vs_1', keyId = 'vk_1', dialect = defaultDialect, ...rest } = options;
  const signer = createSigner({ keyId, secret, dialect, clock: env.clock });
  const frames: ServerFrame[] = [];
  const faults: FrameFault[] = [];
  const statuses: LinkStatus[] = [];
  const stream = createEventStream(
    {
      baseUrl,
      subscriptions: [price],
      dialect,
      signer,
      env,
      decode: (text) => decodeFrame(text, dialect),
      ...rest,
    },
    {
      onFrame: (frame) => frames.push(frame),
      onFault: (fault) => faults.push(fault),
      onStatus: (status) => statuses.push(status),
    },
  );
  onTestFinished(() => stream.close());
  return { stream, frames, faults, statuses };
}

const tick = (seq: number) =>
  JSON.stringify({ channel: 'x', params: {}, event: 'e', wallet: 'ü', seq, ts: 1, data: null });

test('STR-1: the paper service’s frames arrive as server-sent events', async () => {
  const { server, controls, dialect } = await startPaper();
  const { baseUrl, keyId, secret } = server;
  const candles = {
    channel: 'candles',
    params: { symbol: 'HYPE/USDC', interval: '1m', limit: 2 },
  };
  const { frames, statuses } = open(baseUrl, {
    keyId,
    secret,
    dialect,
    subscriptions: [price, candles],
  });
  await expect.poll(() => statuses.at(-1)?.state).toBe('open');
  await controls.advance({ bars: 1, interval: '1m' });
  const seen = () =>
    frames.flatMap((frame) =>
      frame.kind === 'stream' ? [`${frame.frame.channel} ${frame.frame.event}`] : [],
    );
  await expect
    .poll(seen)
    .toEqual(
      expect.arrayContaining([
        '_meta welcome',
        'candles snapshot',
        'candles bar_closed',
        'price tick',
      ]),
    );
});

test('a refusal has status and code', async () => {
  const { server, dialect } = await startPaper();
  const { statuses } = open(server.baseUrl, {
    keyId: server.keyId,
    secret: 'vs_wrong',
    dialect,
  });
  await expect
    .poll(() => statuses.at(-1))
    .toEqual({
      state: 'lost',
      reason: 'refused_401_invalid_signature',
    });
});

test('it is signed, names its wallet, and leaves no timer at its end', async () => {
  const virtual = createVirtualEnv();
  const asked: Array<Record<string, unknown>> = [];
  const { url } = await startHttp(({ headers }, response) => {
    asked.push(headers);
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(': alive\n\n');
  });
  const { stream, statuses } = open(url, { env: virtual, wallet: 'second' });
  await expect.poll(() => statuses.at(-1)?.state).toBe('open');
  const name = defaultDialect.headers.wallet.toLowerCase();
  expect(asked).toMatchObject([{ [name]: 'second', 'x-service-api-key-id': 'vk_1' }]);
  expect(virtual.queue.nextTime()).toBe(45_000);
  await stream.close();
  expect([virtual.queue.nextTime(), statuses.at(-1)]).toEqual([undefined, { state: 'closed' }]);
});

describe('a misbehaving server', () => {
  test('torn pieces, comments and a bad frame do not disturb the frames between them', async () => {
    const text = `: alive\n\nevent: x\ndata: ${tick(1)}\n\ndata: nonsense\n\ndata: ${tick(2)}\n\n`;
    const { url } = await startHttp((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      const bytes = Buffer.from(text);
      const write = (index: number): void => {
        if (index >= bytes.length) return void response.end();
        response.write(bytes.subarray(index, index + 1), () => setImmediate(write, index + 1));
      };
      write(0);
    });
    const { frames, faults, statuses } = open(url);
    await expect.poll(() => statuses.at(-1)).toEqual({ state: 'lost', reason: 'closed' });
    expect(frames.map(({ frame }) => (frame as { wallet?: string }).wallet)).toEqual(['ü', 'ü']);
    expect(faults).toMatchObject([{ reason: 'not_json' }]);
  });

  test('silence is a stall, and a comment resets it', async () => {
    const virtual = createVirtualEnv();
    const writers: Array<(text: string) => void> = [];
    const { url } = await startHttp((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(`data: ${tick(1)}\n\n`);
      writers.push((text) => response.write(text));
    });
    const { frames, statuses } = open(url, { env: virtual });
    await expect.poll(() => frames.length).toBe(1);
    virtual.queue.advanceTo(44_000);
    writers[0]!(`: alive\n\ndata: ${tick(2)}\n\n`);
    await expect.poll(() => frames.length).toBe(2);
    virtual.queue.advanceTo(44_000 + 44_999);
    expect(statuses.at(-1)).toEqual({ state: 'open' });
    virtual.queue.advanceTo(44_000 + 45_000);
    expect(statuses.at(-1)).toEqual({ state: 'lost', reason: 'stalled' });
  });

  test('a server that accepts and never answers is a stall, too', async () => {
    const virtual = createVirtualEnv();
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    const { url } = await startHttp(() => resolve());
    const { statuses } = open(url, { env: virtual });
    await arrived;
    virtual.queue.advanceTo(44_999);
    expect(statuses.at(-1)).toEqual({ state: 'connecting', attempt: 1 });
    virtual.queue.advanceTo(45_000);
    expect(statuses.at(-1)).toEqual({ state: 'lost', reason: 'stalled' });
  });

  test('of events that come together none arrives after the end', async () => {
    const { url } = await startHttp((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write([1, 2, 3].map((seq) => `data: ${tick(seq)}\n\n`).join(''));
    });
    const decode = (text: string) => {
      void opened.stream.close();
      return decodeFrame(text, defaultDialect);
    };
    const opened = open(url, { decode });
    await expect.poll(() => opened.statuses.at(-1)?.state).toBe('closed');
    await new Promise(setImmediate);
    expect(opened.frames.length).toBe(1);
  });

  test('many events are no long one', async () => {
    const large = JSON.stringify({ ...JSON.parse(tick(1)), data: 'x'.repeat(1024 * 1024) });
    const { url } = await startHttp((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      for (let left = 20; left > 0; left--) response.write(`data: ${large}\n\n`);
    });
    const { frames, statuses, stream } = open(url);
    await expect.poll(() => frames.length, { timeout: 30_000 }).toBe(20);
    expect(statuses.at(-1)).toEqual({ state: 'open' });
    await stream.close();
  });

  test('an event without an end is cut off, however long it goes on', async () => {
    const { url } = await startHttp((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      const piece = `data: ${'x'.repeat(1024 * 1024)}`;
      for (let piecesLeft = 17; piecesLeft > 0; piecesLeft--) response.write(piece);
    });
    const { frames, statuses } = open(url);
    await expect
      .poll(() => statuses.at(-1), { timeout: 30_000 })
      .toEqual({ state: 'lost', reason: 'frame_too_large' });
    expect(frames).toEqual([]);
  });

  test('a failed connection, and one that we close', async () => {
    const refused = open(`http://127.0.0.1:${await closedPort()}`);
    await expect.poll(() => refused.statuses.at(-1)?.state).toBe('lost');
    const { url } = await startHttp((_request, response) => response.writeHead(200).flushHeaders());
    const { stream, statuses } = open(url);
    await expect.poll(() => statuses.at(-1)?.state).toBe('open');
    await stream.close();
    await stream.close();
    expect(statuses.map(({ state }) => state)).toEqual(['connecting', 'open', 'closed']);
  });
});

test('channels are written in the table’s order, separators inside values encoded', () => {
  expect(
    toSseChannels([
      { channel: 'account.state', params: {} },
      { channel: 'price', params: { symbol: 'xyz:TSLA' } },
      { channel: 'candles', params: { limit: 5, interval: '1m', symbol: '100%,A/B' } },
    ]),
  ).toBe('account.state,price:xyz%3ATSLA,candles:100%25%2CA/B:1m::5');
});

test('an event stream parses the same for any chunking', () => {
  const text =
    'event: a\r\nid: 1\r\ndata: x\r\ndata:  y\r\n\r\n: note\n\ndata\n\nevent: b\n\ndata:z\r\r';
  const read = (pieces: readonly string[]): SseEvent[] => {
    const events: SseEvent[] = [];
    const parse = createSseParser((event) => events.push(event));
    for (const piece of [...pieces, '\n']) parse(piece);
    return events;
  };
  const whole = read([text]);
  expect(whole).toEqual([
    { event: 'a', id: '1', data: 'x\n y' },
    { event: 'message', id: '1', data: '' },
    { event: 'message', id: '1', data: 'z' },
  ]);
  fc.assert(
    fc.property(fc.array(fc.nat(text.length)), (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
      const pieces = places.slice(1).map((place, index) => text.slice(places[index], place));
      expect(read(pieces)).toEqual(whole);
    }),
  );
});
