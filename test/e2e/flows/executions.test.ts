/** Six running algorithms, and the controls over them. */
import { describe, expect, test } from 'vitest';
import type { ExecuteRequest } from '../../../src/contract/executeRequest.ts';
import { still, way } from './drawTape.ts';
import { openService, refusal, type Service } from './openService.ts';

const buy = { symbol: 'BTC', side: 'buy' } as const;
const sell = { symbol: 'BTC', side: 'sell' } as const;

let launches = 0;
function launch({ client }: Pick<Service, 'client'>, body: ExecuteRequest) {
  return client.executions.launch({ body, idempotencyKey: `launch-${(launches += 1)}` });
}

/** Its fills, oldest first. */
async function fillsOf({ client }: Pick<Service, 'client'>, id: string) {
  return (await client.executions.fills({ id })).items.toReversed();
}

describe('EXE-1: the six algorithms', () => {
  test('Pacemaker spreads its size evenly over its time', async () => {
    const service = await openService({ prices: still(60_000, 15) });
    const params = { duration_seconds: 600, slices: 10 };
    const { execution_id: id } = await launch(service, {
      algo: 'pacemaker',
      ...buy,
      total_size: 1,
      params,
    });
    const filled: number[] = [];
    for (let minute = 0; minute < 10; minute++) {
      filled.push((await service.client.executions.get({ id })).filled_size);
      await service.advance(1);
    }
    // Never ahead of its schedule by more than a slice.
    for (const [minute, size] of filled.entries()) {
      expect(size).toBeLessThanOrEqual((minute + 1) / 10 + 1e-9);
    }
    expect(await service.client.executions.get({ id })).toMatchObject({
      status: 'completed',
      reason: 'filled',
      progress: 1,
    });
    const sizes = (await fillsOf(service, id)).map(({ size }) => size);
    expect(Math.max(...sizes)).toBeCloseTo(0.1, 9);
  });

  test('Glidemaker posts at the best price, never past its limit, and pays as maker', async () => {
    const service = await openService({
      prices: [...way(60_000, 59_900, 6), ...way(59_920, 60_300, 10)],
    });
    const { execution_id: id } = await launch(service, {
      algo: 'glidemaker',
      ...buy,
      total_size: 0.5,
      params: { strategy: 'passive', limit_price: 60_000 },
    });
    await service.advance(8);
    const fills = await fillsOf(service, id);
    expect(fills.length).toBeGreaterThan(0);
    for (const { price, liquidity } of fills) {
      expect(liquidity).toBe('maker');
      expect(price).toBeLessThanOrEqual(60_000);
    }
    const { items: children } = await service.client.executions.orders({ id });
    for (const child of children) expect(child.execution_id).toBe(id);
  });

  test('GhostSweep rests no order before its trigger, then takes up to its sweep limit', async () => {
    const service = await openService({ prices: [60_000, 60_000, ...way(60_100, 60_600, 6)] });
    const { execution_id: id, phase } = await launch(service, {
      algo: 'ghostsweep',
      ...buy,
      total_size: 0.5,
      params: { trigger_price: 60_300 },
      sweep_limit_bps: 20,
    });
    expect(phase).toBe('armed');
    await service.advance(2);
    expect((await service.client.orders.list()).items).toEqual([]);
    await service.advance(6);
    expect(await service.client.executions.get({ id })).toMatchObject({ status: 'completed' });
    for (const { price, liquidity } of await fillsOf(service, id)) {
      expect(liquidity).toBe('taker');
      // EXE-4: a buy may pay up to trigger × (1 + 20 bps).
      expect(price).toBeLessThanOrEqual(60_300 * 1.002);
    }
  });

  test('EXE-4: GhostSweep ends at its limit, filled or not', async () => {
    const service = await openService({ prices: [60_000, 60_000, ...way(60_200, 61_000, 4)] });
    const { execution_id: id } = await launch(service, {
      algo: 'ghostsweep',
      ...buy,
      total_size: 0.5,
      params: { trigger_price: 60_300 },
      // The ask is a basis point above the mark: nothing can be bought here.
      sweep_limit: 60_300,
    });
    await service.advance(5);
    expect(await service.client.executions.get({ id })).toMatchObject({
      status: 'stopped',
      reason: 'sweep_limit',
      filled_size: 0,
    });
  });

  test('FlowScale takes its share of the traded volume, and no more', async () => {
    const service = await openService({ prices: still(60_000, 12), volume: 2 });
    const { execution_id: id } = await launch(service, {
      algo: 'flowscale',
      ...buy,
      total_size: 1.5,
      params: { participation: 0.1 },
    });
    for (let bars = 1; bars <= 8; bars++) {
      await service.advance(1);
      const { filled_size: filled } = await service.client.executions.get({ id });
      expect(filled).toBeLessThanOrEqual(0.1 * 2 * bars + 1e-9);
    }
    expect(await service.client.executions.get({ id })).toMatchObject({ status: 'completed' });
  });

  test('FlowBand trades inside its band only, and rests outside', async () => {
    const service = await openService({
      prices: [...still(60_500, 4), ...still(60_000, 4), ...still(60_500, 4)],
      volume: 10,
    });
    const { execution_id: id } = await launch(service, {
      algo: 'flowband',
      ...buy,
      total_size: 50,
      params: { band_low: 59_800, band_high: 60_200 },
    });
    await service.advance(3);
    expect(await service.client.executions.get({ id })).toMatchObject({ filled_size: 0 });
    await service.advance(4);
    const { filled_size: inside } = await service.client.executions.get({ id });
    expect(inside).toBeGreaterThan(0);
    await service.advance(4);
    for (const { price } of await fillsOf(service, id)) {
      expect(price).toBeGreaterThanOrEqual(59_800);
      expect(price).toBeLessThanOrEqual(60_200);
    }
    expect((await service.client.executions.get({ id })).status).toBe('running');
  });

  test('Smart Exit waits for its stop, is patient, then takes; and it only reduces', async () => {
    const service = await openService({
      prices: [60_000, 60_000, ...way(59_900, 59_000, 6), ...still(59_000, 4)],
    });
    const exit = { algo: 'smartexit', ...sell, total_size: 0.2, params: { stop_price: 59_500 } };
    const open = { ...exit, reduce_only: undefined } as never;
    expect(await refusal(launch(service, open))).toMatchObject({
      status: 422,
      code: 'validation_failed',
    });
    const market = { ...buy, size: 0.2, order_type: 'market' } as const;
    await service.client.orders.place({ body: market });
    const { execution_id: id } = await launch(service, { ...exit, reduce_only: true } as never);
    await service.advance(2);
    expect(await service.client.executions.get({ id })).toMatchObject({
      phase: 'armed',
      filled_size: 0,
    });
    await service.advance(8);
    expect(await service.client.executions.get({ id })).toMatchObject({ status: 'completed' });
    expect((await service.client.positions.list()).items).toEqual([]);
    const { items } = await service.client.executions.orders({ id });
    // RULE-4: every child has the venue's own flag.
    for (const child of items) expect(child.reduce_only).toBe(true);
  });
});

describe('EXE-7: the controls', () => {
  const body = {
    algo: 'pacemaker',
    ...buy,
    total_size: 1,
    params: { duration_seconds: 600 },
  } as const;

  test('pause cancels resting orders and stops the clock, resume continues', async () => {
    const service = await openService({ prices: still(60_000, 60) });
    const { execution_id: id } = await launch(service, body);
    await service.advance(3);
    const paused = await service.client.executions.pause({ id });
    expect(paused.status).toBe('paused');
    await service.advance(20);
    expect((await service.client.executions.get({ id })).filled_size).toBe(paused.filled_size);
    await service.client.executions.resume({ id });
    await service.advance(10);
    expect(await service.client.executions.get({ id })).toMatchObject({
      status: 'completed',
      filled_size: 1,
    });
  });

  test('stop ends it early, possibly partially filled; complete-at-market fills the rest', async () => {
    const service = await openService({ prices: still(60_000, 20) });
    const first = await launch(service, body);
    const second = await launch(service, body);
    await service.advance(3);
    expect(await service.client.executions.stop({ id: first.execution_id })).toMatchObject({
      status: 'stopped',
      reason: 'user_stop',
    });
    expect(
      await service.client.executions.completeAtMarket({ id: second.execution_id }),
    ).toMatchObject({ status: 'completed', reason: 'complete_at_market', filled_size: 1 });
  });

  test('mark-complete is for paused and interrupted executions; ended ones stay ended', async () => {
    const service = await openService({ prices: still(60_000, 20) });
    const { execution_id: id } = await launch(service, body);
    expect(await refusal(service.client.executions.markComplete({ id }))).toMatchObject({
      status: 409,
      code: 'invalid_transition',
      details: { from: 'running', action: 'mark-complete' },
    });
    await service.client.executions.pause({ id });
    expect(await service.client.executions.markComplete({ id })).toMatchObject({
      status: 'completed',
      reason: 'mark_complete',
    });
    for (const action of ['stop', 'pause', 'resume', 'completeAtMarket'] as const) {
      expect(await refusal(service.client.executions[action]({ id }))).toMatchObject({
        code: 'invalid_transition',
        details: { from: 'completed', allowed: [] },
      });
    }
  });

  test('a restart of the service interrupts running executions; an operator resumes them', async () => {
    const service = await openService({ prices: still(60_000, 30) });
    const { execution_id: running } = await launch(service, body);
    const { execution_id: paused } = await launch(service, body);
    await service.client.executions.pause({ id: paused });
    await service.controls.restart();
    expect(await service.client.executions.get({ id: running })).toMatchObject({
      status: 'interrupted',
      reason: 'venue_lost',
    });
    expect(await service.client.executions.get({ id: paused })).toMatchObject({ status: 'paused' });
    await service.client.executions.resume({ id: running });
    await service.advance(12);
    expect(await service.client.executions.get({ id: running })).toMatchObject({
      status: 'completed',
    });
  });

  test('a batch control reports each result', async () => {
    const service = await openService({ prices: still(60_000, 10) });
    const { execution_id: id } = await launch(service, body);
    const { results } = await service.client.executions.batch({
      body: { action: 'pause', ids: [id, 'exe_99'] },
    });
    expect(results).toMatchObject([
      { id, ok: true },
      { id: 'exe_99', ok: false, error: { code: 'not_found' } },
    ]);
  });
});

test('EXE-6, EXE-8: one vocabulary by REST and stream; the end has a reason', async () => {
  const service = await openService({ prices: still(60_000, 20) });
  await service.stream.open();
  await service.stream.subscribe('executions');
  const params = { duration_seconds: 120 };
  const { execution_id: id } = await launch(service, {
    algo: 'pacemaker',
    ...buy,
    total_size: 0.5,
    params,
  });
  await service.advance(4);
  const record = await service.client.executions.get({ id });
  expect(service.stream.received('executions', 'started')).toMatchObject([{ execution_id: id }]);
  expect(service.stream.received('executions', 'progress').length).toBeGreaterThan(0);
  expect(service.stream.received('executions', 'ended')).toEqual([record]);
  expect(record).toMatchObject({ status: 'completed', reason: 'filled', wallet: 'main' });
  const { items } = await service.client.executions.events({ id });
  expect(items.map(({ event }) => event)).toContain('ended');
});

test('EXE-5: a price limit follows an indicator’s level', async () => {
  const service = await openService({ prices: way(60_000, 61_000, 30) });
  await service.stream.open();
  await service.stream.subscribe('tpsl.watch');
  const level = { indicator: 'sma', params: { period: 10 }, interval: '1m', track: true } as const;
  await launch(service, {
    algo: 'glidemaker',
    ...buy,
    total_size: 0.5,
    params: { strategy: 'passive', limit_price_from: level },
  });
  await service.advance(20);
  expect(service.stream.received('tpsl.watch', 'entry_moved').length).toBeGreaterThan(0);
});

test('EXE-9: without bars for 30 seconds it warns, after 5 minutes it pauses', async () => {
  // Three bars, then eight minutes of silence.
  const silence = Array.from({ length: 8 }, () => null);
  const service = await openService({ prices: [...still(60_000, 3), ...silence, 60_000, 60_000] });
  await service.stream.open();
  await service.stream.subscribe('executions');
  const { execution_id: id } = await launch(service, {
    algo: 'pacemaker',
    ...buy,
    total_size: 1,
    params: { duration_seconds: 3_600 },
  });
  await service.advance(5);
  expect(service.stream.received('executions', 'stale_warning')).toHaveLength(1);
  await service.advance(5);
  expect(await service.client.executions.get({ id })).toMatchObject({
    status: 'paused',
    reason: 'stale_data',
  });
});

test('AUTH-6: a launch without a key gets one of its own, from JavaScript too', async () => {
  const { client } = await openService();
  const body = { algo: 'pacemaker', ...buy, total_size: 1, params: { duration_seconds: 60 } };
  await client.executions.launch({ body } as never);
  const again = { body: { ...body, total_size: 2 } };
  await client.executions.launch(again as never);
  const { items } = await client.executions.list();
  expect(items.map(({ total_size: size }) => size).sort()).toEqual([1, 2]);
});

test('the parameters and features of an algorithm are listed', async () => {
  const { client } = await openService();
  const { items } = await client.executions.algos();
  expect(items.map(({ id }) => id)).toEqual([
    'glidemaker',
    'pacemaker',
    'ghostsweep',
    'flowscale',
    'flowband',
    'smartexit',
  ]);
  expect(items[1]!.params).toMatchObject({
    properties: { duration_seconds: { minimum: 60, maximum: 86_400 } },
  });
});
