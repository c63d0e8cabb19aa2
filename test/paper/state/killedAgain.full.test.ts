import { expect, test } from 'vitest';
import { busyMorning, done, readAll } from './busyDay.ts';
import { control, killAndStart, post, runningOf, SLOW } from './killAndStart.ts';
import { startKilled } from './startKilled.ts';

test('a service killed repeatedly fills like one that was not', SLOW, async () => {
  const [whole, torn] = await Promise.all([startKilled(), startKilled()]);
  await Promise.all([busyMorning(whole), busyMorning(torn)]);
  for (const bars of [1, 45, 200, 0, 500]) {
    for (const service of [whole, torn]) {
      const running = await runningOf(service);
      await control(service, running, 'pause');
      await service.advance(2);
      if (service === torn) await killAndStart(service);
      await control(service, running, 'resume');
    }
    await Promise.all([whole.advance(bars + 1), torn.advance(bars + 1)]);
  }
  await control(torn, await runningOf(torn), 'pause');
  await control(whole, await runningOf(whole), 'pause');
  await killAndStart(torn);
  const [expected, found] = await Promise.all([readAll(whole), readAll(torn)]);
  // The last characters of a token differ between services.
  for (const all of [expected, found]) {
    for (const webhook of all['/v1/webhooks']) {
      delete webhook.token;
      delete webhook.url_path;
    }
  }
  expect(found).toEqual(expected);
  expect(found['/v1/fills'].length).toBeGreaterThan(80);
});

test('a service killed midway has everything it confirmed, and nothing twice', SLOW, async () => {
  const service = await startKilled();
  const answered = new Set<string>();
  const body = (index: number) => ({
    symbol: 'BTC',
    side: 'buy',
    size: 0.001,
    order_type: 'limit',
    price: 30_000,
    client_order_id: `c${index}`,
  });
  const place = async (index: number): Promise<void> => {
    const answer = await service.ask('/v1/order', post(body(index), `key${index}`));
    if (answer.status === 201) answered.add(`c${index}`);
  };
  const tries = Array.from({ length: 300 }, (_none, index) => place(index).catch(() => {}));
  await Promise.race(tries.slice(40, 60));
  await service.kill();
  await Promise.all(tries);
  expect(answered.size).toBeGreaterThan(0);
  expect(answered.size).toBeLessThan(300);
  await service.start();
  const idsOf = async (): Promise<string[]> => {
    const first = await done(service, '/v1/orders?limit=500');
    return first.items.map((order: { client_order_id: string }) => order.client_order_id);
  };
  expect(await idsOf()).toEqual(expect.arrayContaining([...answered]));
  for (let index = 0; index < 300; index++) await place(index);
  const all = await idsOf();
  expect(all).toHaveLength(300);
  expect(new Set(all).size).toBe(300);
});
