import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'vitest';
import { busyMorning, done, readAll } from './busyDay.ts';
import { control, killAndStart, post, runningOf, SLOW } from './killAndStart.ts';
import { startKilled } from './startKilled.ts';
import { inTurn } from '../../inTurn.ts';

const it = inTurn(2);

it('after SIGKILL all state can be read again', SLOW, async () => {
  const service = await startKilled();
  await busyMorning(service);
  await service.control('POST', '/paper/connections', { label: 'Second', balance: 777 });
  await service.control('POST', '/paper/connections', { label: 'Second', balance: 778 });
  await service.control('POST', '/paper/transfers', { wallet: 'second-2', amount: -77 });
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
    body: { wallet: 'second-2', equity: 701 },
  });
  const gone = { keyId: revoked.body.key_id, secret: revoked.body.secret };
  expect(await service.ask('/v1/account', gone)).toMatchObject({
    status: 401,
    body: { error: { code: 'unknown_key' } },
  });
});

it(
  'EXE-6: running executions are interrupted, paused ones stay paused, the rest is unchanged',
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

it('AUTH-6: an idempotent call is replayed, and ids continue', SLOW, async () => {
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

it('its files are readable by their owner only, and no secret is printed', SLOW, async () => {
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
