import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { busyMorning, done, readAll, type Driver } from './busyDay.ts';
import { startKilled, type KilledService } from './startKilled.ts';

const SLOW = { timeout: 120_000 };

async function runningOf(driver: Driver): Promise<string[]> {
  const { items } = await done(driver, '/v1/executions?limit=500&status=running');
  return items.map(({ execution_id: id }: { execution_id: string }) => id);
}

/** Pauses or resumes what can be, and tells which it was. */
async function control(driver: Driver, ids: string[], action: string): Promise<void> {
  for (const id of ids) {
    await done(driver, `/v1/executions/${id}/${action}`, { method: 'POST', body: {} });
  }
}

async function killAndStart(service: KilledService): Promise<void> {
  await service.kill();
  await service.start();
}

const post = (body: unknown, key: string) => ({
  method: 'POST',
  body,
  headers: { 'idempotency-key': key },
});

test('after SIGKILL everything that could be read is read again', SLOW, async () => {
  const service = await startKilled();
  await busyMorning(service);
  await service.control('POST', '/paper/connections', { label: 'Second', balance: 777 });
  await service.control('POST', '/paper/connections', { label: 'Second', balance: 778 });
  const key = await service.control('POST', '/paper/keys', {
    label: 'reader',
    scopes: ['read'],
    connection_id: 'second-2',
    tier: 'elite',
  });
  const revoked = await service.control('POST', '/paper/keys', { label: 'old', scopes: ['read'] });
  await service.control('DELETE', `/paper/keys/${revoked.body.key_id}`);
  await control(service, await runningOf(service), 'pause');

  const read = async () => ({
    main: await readAll(service),
    second: await readAll(service, 'second'),
    keys: (await service.control('GET', '/paper/keys')).body,
    connections: (await service.control('GET', '/paper/connections')).body,
    replay: (await service.control('GET', '/paper/replay')).body,
  });
  const before = await read();
  expect(before.main['/v1/executions'].length).toBeGreaterThan(8);
  const { keyId, secret } = service;
  await killAndStart(service);
  expect(await read()).toEqual(before);

  // Keys sign as before, the demo key among them; the one that was revoked does not come back.
  expect([service.keyId, service.secret]).toEqual([keyId, secret]);
  const reader = { keyId: key.body.key_id, secret: key.body.secret };
  expect(await service.ask('/v1/account', reader)).toMatchObject({
    status: 200,
    body: { wallet: 'second-2', equity: 778 },
  });
  const gone = { keyId: revoked.body.key_id, secret: revoked.body.secret };
  expect(await service.ask('/v1/account', gone)).toMatchObject({
    status: 401,
    body: { error: { code: 'unknown_key' } },
  });
});

test(
  'EXE-6: what ran is interrupted, what was paused stays so, the rest stands',
  SLOW,
  async () => {
    const service = await startKilled();
    await busyMorning(service);
    const running = await runningOf(service);
    expect(running.length).toBeGreaterThan(1);
    const before = await readAll(service);
    await killAndStart(service);
    const after = await readAll(service);
    for (const [index, execution] of before['/v1/executions'].entries()) {
      const now = after['/v1/executions'][index];
      if (!running.includes(execution.execution_id)) expect(now).toEqual(execution);
      else expect(now).toMatchObject({ status: 'interrupted', reason: 'venue_lost' });
    }
    const ours = ({ execution_id: id }: { execution_id: string | null }) => !running.includes(id!);
    for (const list of ['/v1/fills', '/v1/orders/history', '/v1/orders']) {
      expect(after[list].filter(ours)).toEqual(before[list].filter(ours));
    }
    expect(after['/v1/orders'].every(ours)).toBe(true);
    for (const same of [
      '/v1/monitors',
      '/v1/webhooks',
      '/v1/account/pnl',
      '/v1/positions/BTC/tpsl',
    ]) {
      expect(after[same]).toEqual(before[same]);
    }
    await control(service, running, 'resume');
    await service.advance(10);
    expect(await runningOf(service)).not.toEqual([]);
  },
);

test('AUTH-6: an idempotent call is answered again, and ids go on', SLOW, async () => {
  const service = await startKilled();
  const order = { symbol: 'BTC', side: 'buy', size: 0.01, order_type: 'market' };
  const launch = {
    algo: 'pacemaker',
    symbol: 'BTC',
    side: 'buy',
    total_size: 0.1,
    params: { duration_seconds: 600 },
  };
  const calls: Array<[string, ReturnType<typeof post>]> = [
    ['/v1/order', post(order, 'order')],
    ['/v1/execute', post(launch, 'launch')],
    ['/v1/order', post({ ...order, size: 1e9 }, 'refused by the market')],
    ['/v1/order', post({ ...order, side: 'up' }, 'refused for its shape')],
    ['/v1/orders/ord_99', { ...post({}, 'unknown'), method: 'DELETE' }],
  ];
  const first = [];
  for (const [target, asked] of calls) first.push(await service.ask(target, asked));
  expect(first.map(({ status }) => status)).toEqual([201, 201, 422, 422, 404]);
  // Killed twice: once they come from the log, once from a snapshot.
  for (let round = 0; round < 2; round++) {
    await killAndStart(service);
    for (const [index, [target, asked]] of calls.entries()) {
      const again = await service.ask(target, asked);
      expect(again.status).toBe(first[index]!.status);
      expect(again.body).toEqual(first[index]!.body);
      expect(again.headers['idempotency-replayed']).toBe('true');
    }
  }
  expect(await service.ask('/v1/order', post(launch, 'order'))).toMatchObject({ status: 409 });
  const ids = async (target: string) =>
    (await done(service, target)).items.map(
      (item: Record<string, string>) => item['fill_id'] ?? item['order_id'],
    );
  const known = [...(await ids('/v1/orders/history')), ...(await ids('/v1/fills'))];
  const next = await done(service, '/v1/order', { method: 'POST', body: order });
  expect(known).not.toContain(next.order_id);
  const all = [...(await ids('/v1/orders/history')), ...(await ids('/v1/fills'))];
  expect(new Set(all).size).toBe(all.length);
  const { headers } = await service.ask('/v1/orders');
  expect(first.map((answer) => answer.headers['x-request-id'])).not.toContain(
    headers['x-request-id'],
  );
});

test('killed again and again, it fills as one that never was', SLOW, async () => {
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
  // What a token ends with is each service's own.
  for (const all of [expected, found]) {
    for (const webhook of all['/v1/webhooks']) {
      delete webhook.token;
      delete webhook.url_path;
    }
  }
  expect(found).toEqual(expected);
  expect(found['/v1/fills'].length).toBeGreaterThan(80);
});

test('killed in the middle, it has all that was answered, and nothing twice', SLOW, async () => {
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

test('its files are for their owner only, and no secret is ever printed', SLOW, async () => {
  const service = await startKilled();
  const { body } = await service.control('POST', '/paper/keys', { label: 'k', scopes: ['read'] });
  await killAndStart(service);
  const folder = dirname(service.file);
  const files = readdirSync(folder).filter((name) => !name.includes('.lock'));
  expect(files.length).toBe(2);
  for (const name of files) expect(statSync(`${folder}/${name}`).mode & 0o777).toBe(0o600);
  expect(readFileSync(service.file, 'utf8')).toContain(body.secret);
  expect(service.output()).not.toContain(body.secret);
  const listed = await service.control('GET', '/paper/keys');
  expect(JSON.stringify(listed.body)).not.toContain('vs_');
});
