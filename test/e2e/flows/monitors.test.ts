/** Conditional automation: when a price or a level is crossed, an order or an algorithm goes out. */
import { describe, expect, test } from 'vitest';
import type { MonitorRequest } from '../../../src/contract/automationRequests.ts';
import { still, way } from './drawTape.ts';
import { openService, refusal } from './openService.ts';

const order = { symbol: 'BTC', side: 'buy', size: 0.1, order_type: 'market' } as const;
const above = (price: number): MonitorRequest => ({
  trigger: { type: 'price_level', symbol: 'BTC', price, direction: 'above' },
  action: { type: 'order', request: order },
});

describe('MON-1: triggers', () => {
  test('a price level fires when the price crosses it, and acts', async () => {
    const { client, advance, stream } = await openService({ prices: way(60_000, 60_500, 11) });
    await stream.open();
    await stream.subscribe('monitors');
    const armed = await client.monitors.create({ body: { name: 'breakout', ...above(60_200) } });
    expect(armed).toMatchObject({ status: 'armed', rearm: false, fired_count: 0 });
    await advance(3);
    expect((await client.positions.list()).items).toEqual([]);
    await advance(5);
    expect(await client.monitors.get({ id: armed.monitor_id })).toMatchObject({
      status: 'fired',
      fired_count: 1,
    });
    expect((await client.positions.list()).items).toMatchObject([{ size: 0.1, side: 'long' }]);
    expect(stream.events('monitors')).toEqual(['snapshot', 'armed', 'fired']);
  });

  test('a condition that is already true waits until the other side was seen', async () => {
    const prices = [...way(60_300, 60_100, 5), ...way(60_150, 60_400, 6)];
    const { client, advance } = await openService({ prices });
    const { monitor_id: id } = await client.monitors.create({ body: above(60_200) });
    await advance(2);
    expect((await client.monitors.get({ id })).status).toBe('armed');
    await advance(9);
    expect((await client.monitors.get({ id })).status).toBe('fired');
  });

  test('an indicator level follows its closed bars; the action may be an algorithm', async () => {
    const prices = [...still(60_000, 5), ...way(59_950, 59_800, 4), ...way(59_900, 60_300, 8)];
    const { client, advance } = await openService({ prices });
    await advance(8);
    const { monitor_id: id } = await client.monitors.create({
      body: {
        trigger: {
          type: 'indicator_level',
          symbol: 'BTC',
          indicator: 'sma',
          params: { period: 10 },
          interval: '1m',
          direction: 'above',
        },
        action: {
          type: 'execute',
          request: {
            algo: 'pacemaker',
            symbol: 'BTC',
            side: 'buy',
            total_size: 0.1,
            params: { duration_seconds: 60 },
          },
        },
      },
    });
    await advance(7);
    expect(await client.monitors.get({ id })).toMatchObject({ status: 'fired' });
    expect((await client.executions.list()).items).toMatchObject([{ algo: 'pacemaker' }]);
  });

  test('a failed action is reported, and does not count as fired', async () => {
    const { client, advance } = await openService({ prices: way(60_000, 60_500, 11) });
    const body = above(60_200);
    const exit = { ...order, side: 'sell', reduce_only: true } as const;
    const { monitor_id: id } = await client.monitors.create({
      body: { ...body, action: { type: 'order', request: exit } },
    });
    await advance(10);
    expect(await client.monitors.get({ id })).toMatchObject({
      status: 'failed',
      fired_count: 0,
      last_error: { code: 'no_position' },
    });
  });
});

describe('MON-1: groups and controls', () => {
  test('in an oco group the first to fire stops the other', async () => {
    const { client, advance } = await openService({ prices: way(60_000, 60_500, 11) });
    const first = await client.monitors.create({ body: above(60_200) });
    const second = await client.monitors.create({ body: above(60_400) });
    const ids = [first.monitor_id, second.monitor_id];
    const group = await client.monitors.createGroup({ body: { mode: 'oco', monitor_ids: ids } });
    expect((await client.monitors.groups()).items).toMatchObject([{ group_id: group.group_id }]);
    await advance(10);
    const { items } = await client.monitors.list({ query: { limit: 10 } });
    const statuses = new Map(items.map(({ monitor_id, status }) => [monitor_id, status]));
    expect(ids.map((id) => statuses.get(id))).toEqual(['fired', 'stopped']);
    expect((await client.positions.get({ symbol: 'BTC' })).size).toBe(0.1);
  });

  test('ignores crossings while paused, continues when resumed, and can be re-armed after firing', async () => {
    const prices = [
      ...way(60_000, 60_300, 4),
      ...way(60_250, 60_000, 6),
      ...way(60_050, 60_400, 8),
    ];
    const { client, advance } = await openService({ prices });
    const { monitor_id: id } = await client.monitors.create({ body: above(60_200) });
    await client.monitors.pause({ id });
    await advance(4);
    expect((await client.positions.list()).items).toEqual([]);
    expect(await refusal(client.monitors.pause({ id }))).toMatchObject({
      status: 409,
      code: 'invalid_transition',
    });
    await client.monitors.resume({ id });
    await advance(13);
    expect((await client.monitors.get({ id })).status).toBe('fired');
    expect((await client.monitors.rearm({ id })).status).toBe('armed');
    expect((await client.monitors.stop({ id })).status).toBe('stopped');
    expect(await refusal(client.monitors.rearm({ id }))).toMatchObject({ status: 409 });
  });

  test('STR-6: all at once, by REST or over the socket', async () => {
    const { client, commands, stream } = await openService({ prices: still(60_000, 5) });
    await stream.open();
    await client.monitors.create({ body: above(61_000) });
    await client.monitors.create({ body: above(62_000) });
    expect((await commands.pauseAllMonitors()).results).toMatchObject([{ ok: true }, { ok: true }]);
    expect((await client.monitors.resumeAll()).results).toHaveLength(2);
    expect((await commands.stopAllMonitors()).results).toHaveLength(2);
    const { items } = await client.monitors.list();
    expect(items.filter(({ status }) => status !== 'stopped')).toEqual([]);
  });
});
