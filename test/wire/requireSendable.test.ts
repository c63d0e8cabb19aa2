import { describe, expect, test } from 'vitest';
import { defaultDialect } from '../../src/contract/dialect.ts';
import type { Exchange, ServiceRequest } from '../../src/contract/exchange.ts';
import { createLiveEnv } from '../../src/env/createLiveEnv.ts';
import { decodeFrame } from '../../src/frames/decodeFrame.ts';
import { createClient } from '../../src/wire/createClient.ts';
import { createSigner } from '../../src/wire/createSigner.ts';
import { createSocket } from '../../src/wire/createSocket.ts';
import { UnsendableValueError } from '../../src/wire/errors/index.ts';
import { requireSendable } from '../../src/wire/requireSendable.ts';
import { startSocketServer } from './startSocketServer.ts';

class Money {
  amount = 1;
}
const loop: Record<string, unknown> = {};
loop['inner'] = { loop };

/** What `JSON.stringify` changes in silence, or throws at without naming the place. */
const UNSENDABLE: ReadonlyArray<[string, unknown]> = [
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['a bigint', 10n],
  ['a Date', new Date(0)],
  ['a Date of no time', new Date(Number.NaN)],
  ['a Map', new Map([['a', 1]])],
  ['a Set', new Set([1])],
  ['a class', new Money()],
  ['bytes', new Uint8Array(2)],
  ['a function', () => 1],
  ['a symbol', Symbol('s')],
  ['a boxed number', new Number(1)],
  ['toJSON', { toJSON: () => 1 }],
  ['a value that contains itself', loop],
];

/** Every position that a field may have, and its path. */
const PLACES: ReadonlyArray<[string, (value: unknown) => unknown]> = [
  ['size', (value) => ({ symbol: 'BTC', size: value })],
  ['params.limit_price', (value) => ({ params: { limit_price: value } })],
  [
    'stop_loss.offset.params.period',
    (value) => ({ stop_loss: { offset: { params: { period: value } } } }),
  ],
  ['legs.1.total_size', (value) => ({ legs: [{ total_size: 1 }, { total_size: value }] })],
  ['ids.0', (value) => ({ ids: [value] })],
];

function recording() {
  const requests: ServiceRequest[] = [];
  const request = async (sent: ServiceRequest): Promise<Exchange> => {
    requests.push(sent);
    return { kind: 'not_sent', reason: 'test' };
  };
  return { requests, client: createClient({ request }, defaultDialect) };
}

describe.each(UNSENDABLE)('%s', (_name, value) => {
  test.each(PLACES)('is refused in a body at %s, and nothing is sent', async (path, bodyWith) => {
    const { client, requests } = recording();
    const call = client.orders.place({ body: bodyWith(value) as never });
    const error = await call.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnsendableValueError);
    expect((error as UnsendableValueError).path).toMatch(new RegExp(`^${path}(\\.|$)`));
    expect((error as UnsendableValueError).message).toContain(path);
    expect(requests).toEqual([]);
  });

  test('is refused as a body, in a query and in a path', async () => {
    const { client, requests } = recording();
    await expect(client.orders.place({ body: value as never })).rejects.toThrow(
      UnsendableValueError,
    );
    const listed = client.orders.list({ query: { limit: value as never } });
    await expect(listed).rejects.toMatchObject({ path: expect.stringMatching(/^query\.limit/) });
    const got = client.orders.get({ id: value as never });
    await expect(got).rejects.toMatchObject({ path: expect.stringMatching(/^id/) });
    expect(requests).toEqual([]);
  });
});

test('a hole in a list and undefined in it are refused; null and undefined in an address too', async () => {
  const { client } = recording();
  const holed: unknown[] = [1];
  holed[2] = 3;
  expect(() => requireSendable({ ids: holed })).toThrow(/ids\.1 is undefined in a list/);
  expect(() => requireSendable({ ids: [undefined] })).toThrow(/ids\.0/);
  const listed = client.orders.list({ query: { limit: null as never } });
  await expect(listed).rejects.toThrow(/query\.limit is null/);
});

test('JSON values pass: null, -0 as 0, and undefined as omitted', async () => {
  const { client, requests } = recording();
  const body = { size: 1e-9, price: null, reduce_only: undefined, params: { x: -0, list: [] } };
  await expect(client.orders.place({ body: body as never })).rejects.toThrow('orders.place');
  const bare = Object.assign(Object.create(null), { symbol: 'BTC' });
  await expect(client.orders.place({ body: bare })).rejects.toThrow('orders.place');
  expect(requests.map((sent) => sent.body)).toEqual([
    '{"size":1e-9,"price":null,"params":{"x":0,"list":[]}}',
    '{"symbol":"BTC"}',
  ]);
});

test('a shared value is not a cycle', () => {
  const trigger = { price: 1 };
  expect(() => requireSendable({ take_profit: trigger, stop_loss: trigger })).not.toThrow();
});

test('a command and a subscription are refused as well, and the socket continues', async () => {
  const server = await startSocketServer({
    onMessage: (socket, { id }) =>
      socket.send(JSON.stringify({ type: 'result', id, wallet: 'w', ok: true, data: {} })),
  });
  const env = createLiveEnv();
  const dialect = defaultDialect;
  const socket = createSocket({
    wsUrl: server.wsUrl,
    dialect,
    signer: createSigner({ keyId: 'vk_1', secret: 'vs_1', dialect, clock: env.clock }),
    env,
    decode: (text) => decodeFrame(text, dialect),
  });
  const opened = Promise.withResolvers<void>();
  socket.open({
    onFrame: () => {},
    onFault: () => {},
    onStatus: ({ state }) => state === 'open' && opened.resolve(),
  });
  await opened.promise;
  const bad = socket.command('place_order', { size: Number.NaN });
  await expect(bad).rejects.toMatchObject({ path: 'size' });
  const params = { limit: Number.NaN };
  expect(() => socket.send({ id: 's', op: 'subscribe', channel: 'candles', params })).toThrow(
    /params\.limit/,
  );
  await expect(socket.command('place_order', { size: 1 })).resolves.toMatchObject({
    kind: 'answered',
  });
  expect(server.messages).toHaveLength(1);
  await socket.close();
});
