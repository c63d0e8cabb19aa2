/** Several legs, launched and controlled as one. */
import { expect, test } from 'vitest';
import type { ExecuteRequest } from '../../../src/contract/executeRequest.ts';
import { still } from './drawTape.ts';
import { openService, refusal } from './openService.ts';

const leg = (price: number): ExecuteRequest => ({
  algo: 'glidemaker',
  symbol: 'BTC',
  side: 'buy',
  total_size: 0.1,
  params: { strategy: 'passive', limit_price: price },
});

test('BSK-1: legs across a price range run together and end together', async () => {
  const { client } = await openService({ prices: still(60_000, 10) });
  const basket = await client.baskets.launch({
    body: {
      name: 'ladder',
      price_range: { low: 58_000, high: 60_000 },
      legs: [leg(58_000), leg(59_000), leg(60_000)],
    },
  });
  expect(basket).toMatchObject({ status: 'running', price_range: { low: 58_000, high: 60_000 } });
  const id = basket.basket_id;
  const legs = basket.legs.map(({ execution_id: leg_id }) => leg_id!);
  expect(new Set(legs).size).toBe(3);
  expect(await client.executions.get({ id: legs[0]! })).toMatchObject({ status: 'running' });

  expect((await client.baskets.pause({ id })).status).toBe('paused');
  expect(await client.executions.get({ id: legs[0]! })).toMatchObject({ status: 'paused' });
  expect((await client.baskets.resume({ id })).status).toBe('running');
  // One leg ends on its own; the basket runs as long as any leg does.
  await client.executions.stop({ id: legs[0]! });
  expect((await client.baskets.get({ id })).status).toBe('running');
  expect((await client.baskets.stop({ id })).status).toBe('stopped');
  expect((await client.baskets.list()).items).toMatchObject([{ basket_id: id }]);
});

test('BSK-1: all legs are validated before any is launched', async () => {
  const { client } = await openService({ prices: still(60_000, 5) });
  const launch = (body: object) => client.baskets.launch({ body: body as never });
  const unknown = { ...leg(59_000), symbol: 'DOGE' };
  expect(await refusal(launch({ legs: [leg(59_000), unknown] }))).toMatchObject({
    code: 'unknown_symbol',
  });
  const outside = { price_range: { low: 58_000, high: 59_000 }, legs: [leg(58_500), leg(60_000)] };
  expect(await refusal(launch(outside))).toMatchObject({ status: 422, code: 'validation_failed' });
  const eleven = Array.from({ length: 11 }, () => leg(59_000));
  expect(await refusal(launch({ legs: eleven }))).toMatchObject({
    status: 422,
    code: 'too_many_legs',
  });
  expect((await client.executions.list()).items).toEqual([]);
});

test('LIM-1: a basket weighs twenty per leg', async () => {
  const { client } = await openService({ prices: still(60_000, 5) });
  const before = (await client.utility.rateLimits()).used;
  await client.baskets.launch({ body: { legs: [leg(58_000), leg(59_000)] } });
  // The two readings of the budget weigh one each, and the second counts itself.
  expect((await client.utility.rateLimits()).used - before).toBe(41);
});

test('BSK-1: at most ten templates, each launched by its id', async () => {
  const { client } = await openService({ prices: still(60_000, 5) });
  const save = (name: string) =>
    client.baskets.createTemplate({ body: { name, legs: [leg(58_000), leg(59_000)] } });
  const { template_id: id } = await save('ladder');
  for (let count = 2; count <= 10; count++) await save(`ladder ${count}`);
  expect(await refusal(save('one too many'))).toMatchObject({
    status: 409,
    code: 'template_limit',
  });
  const basket = await client.baskets.launch({ body: { template_id: id } });
  expect(basket).toMatchObject({ template_id: id, status: 'running' });
  expect(basket.legs).toHaveLength(2);
  await client.baskets.removeTemplate({ id });
  expect((await client.baskets.templates()).items).toHaveLength(9);
});
