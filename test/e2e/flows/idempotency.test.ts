/** The same request twice must not trade twice, whatever was lost on the way. */
import { describe, expect, test } from 'vitest';
import { still } from './drawTape.ts';
import { openService, refusal } from './openService.ts';

const order = { symbol: 'BTC', side: 'buy', size: 0.1, order_type: 'market' } as const;
const launch = {
  algo: 'pacemaker',
  symbol: 'BTC',
  side: 'buy',
  total_size: 0.5,
  params: { duration_seconds: 120 },
} as const;

describe('AUTH-8: a key that was used', () => {
  test('replays the first response, marked as a replay, at a weight of one', async () => {
    const { client } = await openService({ prices: still(60_000, 5) });
    const request = {
      endpoint: 'orders.place',
      pathParams: {},
      query: {},
      body: JSON.stringify(order),
      idempotencyKey: 'once',
    } as const;
    const first = await client.request(request);
    const again = await client.request(request);
    if (first.kind !== 'answered' || again.kind !== 'answered') throw new Error('No answer.');
    expect(again.response.body).toEqual(first.response.body);
    expect(first.response.headers).toMatchObject({
      'idempotency-key': 'once',
      'x-service-weight': '2',
    });
    expect(again.response.headers).toMatchObject({
      'idempotency-replayed': 'true',
      'x-service-weight': '1',
    });
    expect(again.response.headers['x-request-id']).not.toBe(first.response.headers['x-request-id']);
    expect((await client.orders.fills()).items).toHaveLength(1);
  });

  test('is refused for a different request', async () => {
    const { client } = await openService({ prices: still(60_000, 5) });
    await client.orders.place({ body: order, idempotencyKey: 'mine' });
    const other = { ...order, size: 0.2 };
    const place = client.orders.place({ body: other, idempotencyKey: 'mine' });
    expect(await refusal(place)).toMatchObject({ status: 409, code: 'idempotency_conflict' });
  });

  test('is shared by REST and WebSocket', async () => {
    const { client, commands, stream } = await openService({ prices: still(60_000, 5) });
    await stream.open();
    const key = { idempotencyKey: 'both-roads' };
    const launched = await client.executions.launch({ body: launch, ...key });
    expect(await commands.execute(launch, key)).toEqual(launched);
    expect((await client.executions.list()).items).toHaveLength(1);
  });

  test('stores a refusal for its shape, but not one for a spent budget', async () => {
    const { client } = await openService({ prices: still(60_000, 5) });
    const key = { idempotencyKey: 'refused' };
    const bad = { ...order, size: -1 };
    const first = await refusal(client.orders.place({ body: bad, ...key }));
    expect(await refusal(client.orders.place({ body: bad, ...key }))).toEqual(first);
  });
});

test('AUTH-6: the key is on the order’s record, and on every child of a launch', async () => {
  const { client, advance } = await openService({ prices: still(60_000, 10) });
  const key = { idempotencyKey: 'parent' };
  const { execution_id: id } = await client.executions.launch({ body: launch, ...key });
  await advance(3);
  const { items } = await client.executions.orders({ id });
  expect(items.length).toBeGreaterThan(0);
  for (const child of items) expect(child.idempotency_key).toBe('parent');
});

test('a lost response is requested again, and nothing is executed twice', async () => {
  const { client, controls } = await openService({ prices: still(60_000, 10) });
  // The service launches it, and the line breaks before it can report it.
  await controls.addFaults([{ kind: 'drop_after', match: 'POST /v1/execute', for_requests: 1 }]);
  const key = { idempotencyKey: 'lost' };
  await expect(client.executions.launch({ body: launch, ...key })).rejects.toThrow(
    'may have been executed',
  );
  const launched = await client.executions.launch({ body: launch, ...key });
  expect(launched.status).toBe('running');
  expect((await client.executions.list()).items).toHaveLength(1);
});

test('an order with a lost response is found by its client id', async () => {
  const { client, controls } = await openService({ prices: still(60_000, 10) });
  await controls.addFaults([{ kind: 'drop_after', match: 'POST /v1/order', for_requests: 1 }]);
  const body = { ...order, client_order_id: 'find-me' };
  await expect(client.orders.place({ body })).rejects.toThrow('may have been executed');
  expect(await client.orders.get({ id: 'client:find-me' })).toMatchObject({ status: 'filled' });
});
