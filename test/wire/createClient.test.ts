import { describe, expect, expectTypeOf, test } from 'vitest';
import { defaultDialect } from '../../src/contract/dialect.ts';
import { ENDPOINT_IDS, ENDPOINTS } from '../../src/contract/endpoints.ts';
import type { Exchange, ServiceRequest } from '../../src/contract/exchange.ts';
import type { OrderResult, PositionRecord } from '../../src/contract/records.ts';
import { createClient, type Client } from '../../src/wire/createClient.ts';
import {
  NoAnswerError,
  NotSentError,
  RateLimitedError,
  UnexpectedResponseError,
} from '../../src/wire/errors/index.ts';

const position = {
  symbol: 'BTC',
  side: 'long',
  size: 1,
  entry_price: 1,
  mark_price: 1,
  notional: 1,
  unrealized_pnl: 0,
  realized_pnl: 0,
  opened_time: 1,
  updated_time: 1,
};

/** A layer beneath that keeps the requests and answers all with one exchange. */
function clientOver(exchange: Exchange): { client: Client; requests: ServiceRequest[] } {
  const requests: ServiceRequest[] = [];
  const request = async (sent: ServiceRequest): Promise<Exchange> => {
    requests.push(sent);
    return exchange;
  };
  return { client: createClient({ request }, defaultDialect), requests };
}
const answered = (body: unknown, status = 200): Exchange => ({
  kind: 'answered',
  response: { status, headers: {}, body },
});

test('every endpoint but the streams has its method, and nothing else has one', () => {
  const { client } = clientOver(answered({}));
  const methods = Object.entries(client)
    .filter(([name]) => name !== 'request')
    .flatMap(([family, methods]) => Object.keys(methods).map((method) => `${family}.${method}`));
  expect(methods.sort()).toEqual(ENDPOINT_IDS.filter((id) => !id.startsWith('streams.')).sort());
});

test.each(ENDPOINT_IDS.filter((id) => !id.startsWith('streams.')))(
  '%s puts path, query and body where the table says',
  async (id) => {
    const { client, requests } = clientOver({ kind: 'not_sent', reason: 'test' });
    const [family = '', method = ''] = id.split('.');
    const names = [...ENDPOINTS[id].path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
    const pathParams = Object.fromEntries(names.map((name) => [name, `the-${name}`]));
    const call = (client as never as Record<string, Record<string, (input: object) => unknown>>)[
      family
    ]![method]!;
    const input = { ...pathParams, query: { limit: 3, cursor: undefined }, body: { a: 1 } };
    await expect(call({ ...input, wallet: 'w', idempotencyKey: 'k' })).rejects.toThrow(id);
    expect(requests).toEqual([
      {
        endpoint: id,
        pathParams,
        query: { limit: 3 },
        body: ENDPOINTS[id].body === null ? '' : '{"a":1}',
        wallet: 'w',
        idempotencyKey: 'k',
      },
    ]);
  },
);

test('a record is returned as sent, unknown fields and enum values included (ERR-2)', async () => {
  const sent = { ...position, side: 'sideways', new_field: { deep: 1 } };
  const { client } = clientOver(answered(sent));
  expect(await client.positions.get({ symbol: 'BTC' })).toEqual(sent);
});

describe('what a method throws', () => {
  test('a refusal as its typed error (ERR-1)', async () => {
    const body = { error: { code: 'rate_limited', message: 'm' }, request_id: 'r' };
    const { client } = clientOver(answered(body, 429));
    await expect(client.account.get()).rejects.toBeInstanceOf(RateLimitedError);
  });

  test('unsent requests apart from those that may have been executed', async () => {
    const cause = new Error('ECONNREFUSED');
    const notSent = clientOver({ kind: 'not_sent', reason: 'not_connected', cause }).client;
    const lost = clientOver({ kind: 'no_answer', reason: 'timeout' }).client;
    const error = await notSent.account.get().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotSentError);
    expect((error as Error).cause).toBe(cause);
    // Node's error for several addresses says nothing itself.
    const several = Object.assign(new AggregateError([cause], ''), { code: 'ECONNREFUSED' });
    const bare = clientOver({ kind: 'not_sent', reason: 'not_connected', cause: several }).client;
    await expect(bare.account.get()).rejects.toThrow('was not sent: not_connected (ECONNREFUSED)');
    await expect(lost.account.get()).rejects.toBeInstanceOf(NoAnswerError);
    await expect(lost.account.get()).rejects.toThrow('account.get got no answer: timeout');
    await expect(lost.orders.cancel({ id: 'ord_1' })).rejects.toThrow('may have been executed');
  });

  test('a success in an unexpected shape, with its body', async () => {
    const body = { items: [{ ...position, size: 'one' }], next_cursor: null };
    const { client } = clientOver(answered(body));
    const error = await client.positions.list().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error).toMatchObject({ status: 200, body, paths: ['items.0.size'] });
  });
});

test('the types follow the table', () => {
  expectTypeOf<Client['orders']['place']>().returns.resolves.toEqualTypeOf<OrderResult>();
  expectTypeOf<Client['positions']['get']>().returns.resolves.toEqualTypeOf<PositionRecord>();
  expectTypeOf<Client['account']['get']>().parameter(0).toExtend<{ wallet?: string } | undefined>();
  expectTypeOf<Client['market']['candles']>()
    .parameter(0)
    .toExtend<{ symbol: string; query: { interval: string } }>();
  expectTypeOf<Client['executions']['launch']>()
    .parameter(0)
    .toExtend<{ idempotencyKey?: string; body: { algo: string } }>();
  const check = async (client: Client): Promise<void> => {
    await client.account.get();
    await client.orders.list({ query: { symbol: 'BTC' } });
    await client.executions.stop({ id: 'exe_1' });
    // @ts-expect-error the body is required
    await client.orders.place({});
    await client.executions.launch({ body: { algo: 'pacemaker' } as never });
    // @ts-expect-error the path parameter is required
    await client.positions.get({});
    // @ts-expect-error the interval is required
    await client.market.candles({ symbol: 'BTC', query: {} });
    // @ts-expect-error streams have no methods here
    void client.streams;
  };
  expect(check).toBeTypeOf('function');
});

describe('a launch without a key is given one (AUTH-6)', () => {
  const body = { algo: 'pacemaker', symbol: 'BTC' } as never;

  test('each its own, and none for endpoints without one', async () => {
    const { client, requests } = clientOver({ kind: 'not_sent', reason: 'test' });
    await expect(client.executions.launch({ body })).rejects.toThrow();
    await expect(client.executions.launch({ body })).rejects.toThrow();
    await expect(client.executions.launch({ body, idempotencyKey: 'mine' })).rejects.toThrow();
    await expect(client.orders.place({ body })).rejects.toThrow();
    const [first, second, third, fourth] = requests.map(({ idempotencyKey }) => idempotencyKey);
    expect(first).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(second).toMatch(/^[\da-f-]{36}$/);
    expect(second).not.toBe(first);
    expect([third, fourth]).toEqual(['mine', undefined]);
  });

  test('and reports it without a response, so that the same can be resent', async () => {
    const { client, requests } = clientOver({ kind: 'no_answer', reason: 'timeout' });
    const error = await client.executions.launch({ body }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NoAnswerError);
    expect((error as NoAnswerError).idempotencyKey).toBe(requests[0]?.idempotencyKey);
    expect((error as NoAnswerError).idempotencyKey).toHaveLength(36);
  });
});
