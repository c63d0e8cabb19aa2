/** Health, weights and request ids. */
import { expect, test } from 'vitest';
import { openService } from './openService.ts';

test('AUTH-9: health needs no signature and costs nothing', async () => {
  const { baseUrl, client } = await openService();
  const answer = await fetch(`${baseUrl}/v1/health`);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ status: 'ok' });
  const { used } = await client.utility.rateLimits();
  // Only the call that asks has been counted.
  expect(used).toBe(1);
});

test('the status names each layer, and the server’s own clock', async () => {
  const { client } = await openService();
  const { status, layers, server_time } = await client.utility.status();
  expect(status).toBe('ok');
  expect(layers).toEqual({ market_data: 'ok', orders: 'ok', account: 'ok', executions: 'ok' });
  expect(Number.isInteger(server_time)).toBe(true);
});

test('LIM-1: every endpoint’s weight and scope are listed, launches 20, reads 1 to 5', async () => {
  const { client } = await openService();
  const { items } = await client.utility.weights({ query: { limit: 500 } });
  const of = (path: string, method: string) =>
    items.find((row) => row.path.endsWith(path) && row.method === method);
  expect(of('/execute', 'POST')).toMatchObject({ weight: 20, scope: 'algo' });
  expect(of('/order', 'POST')).toMatchObject({ weight: 2, scope: 'trade' });
  const reads = items.filter((row) => row.method === 'GET' && row.scope === 'read');
  expect(reads.length).toBeGreaterThan(25);
  for (const { weight } of reads) expect([1, 2, 3, 4, 5]).toContain(weight);
});

test('AUTH-7, VER-1: every answer has its request id, and only /v1/ exists', async () => {
  const { baseUrl, client } = await openService();
  const request = { pathParams: {}, query: {}, body: '' } as const;
  const ids = new Set<string>();
  for (const endpoint of ['utility.status', 'account.get', 'orders.list'] as const) {
    const exchange = await client.request({ ...request, endpoint });
    if (exchange.kind !== 'answered') throw new Error(exchange.reason);
    ids.add(exchange.response.headers['x-request-id'] ?? '');
  }
  expect(ids.size).toBe(3);
  expect(ids).not.toContain('');
  // A refusal has one too, in its header and in its envelope.
  const dashboard = await fetch(`${baseUrl}/api/orders`);
  expect(dashboard.status).toBe(404);
  const { request_id: id, error } = (await dashboard.json()) as {
    request_id: string;
    error: { code: string };
  };
  expect(error.code).toBe('not_found');
  expect(dashboard.headers.get('x-request-id')).toBe(id);
});
