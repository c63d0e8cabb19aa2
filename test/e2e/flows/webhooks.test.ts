/** Alerts of a charting platform, turned into orders. */
import { describe, expect, test } from 'vitest';
import type { WebhookRequest } from '../../../src/contract/automationRequests.ts';
import { still } from './drawTape.ts';
import { openService, refusal } from './openService.ts';

const template: WebhookRequest = {
  name: 'chart',
  action: {
    type: 'order',
    request: { symbol: 'BTC', side: '{{side}}', size: '{{size}}', order_type: 'market' },
  },
};

async function openHook(request: Partial<WebhookRequest> = {}) {
  const service = await openService({ prices: still(60_000, 30) });
  const hook = await service.client.webhooks.create({ body: { ...template, ...request } });
  /** A platform can't sign: it knows the address with the token, nothing else (AUTH-9). */
  const alert = async (body: unknown, token = hook.token) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await fetch(`${service.baseUrl}/v1/hooks/${token}`, {
      method: 'POST',
      body: text,
    });
    return { status: answer.status, ...((await answer.json()) as { outcome?: string }) };
  };
  return { ...service, hook, alert, id: hook.webhook_id };
}

test('WHK-1: an alert fills the templates with its own values, types included', async () => {
  const { client, alert, id } = await openHook();
  expect(await alert({ side: 'buy', size: 0.1 })).toMatchObject({
    status: 200,
    outcome: 'accepted',
  });
  expect((await client.positions.list()).items).toMatchObject([{ side: 'long', size: 0.1 }]);
  const { items } = await client.webhooks.deliveries({ id });
  expect(items).toMatchObject([
    { outcome: 'accepted', request_body: { side: 'buy', size: 0.1 }, result: { status: 'filled' } },
  ]);
});

describe('WHK-1: the token', () => {
  test('is whole at creation and rotation, and redacted in every listing', async () => {
    const { client, hook, id } = await openHook();
    const { items } = await client.webhooks.list();
    expect(items[0]!.token).not.toBe(hook.token);
    expect(items[0]!.token.endsWith(hook.token.slice(-4))).toBe(true);
    expect(JSON.stringify(items)).not.toContain(hook.token);
    const rotated = await client.webhooks.rotate({ id });
    expect(rotated.token).not.toBe(hook.token);
    expect(rotated.url_path).toBe(`/v1/hooks/${rotated.token}`);
  });

  test('rotates atomically: the old one is unknown at once', async () => {
    const { client, alert, hook, id } = await openHook();
    const { token } = await client.webhooks.rotate({ id });
    expect(await alert({ side: 'buy', size: 0.1 }, hook.token)).toMatchObject({ status: 404 });
    expect(await alert({ side: 'buy', size: 0.1 }, token)).toMatchObject({ outcome: 'accepted' });
  });
});

describe('WHK-1: what holds an alert back', () => {
  const good = { side: 'buy', size: 0.01 };

  test('a cooldown, counted from the last accepted one in the market’s time', async () => {
    const { alert, advance } = await openHook({ cooldown_seconds: 120 });
    expect((await alert(good)).outcome).toBe('accepted');
    expect((await alert(good)).outcome).toBe('cooldown');
    await advance(2);
    expect((await alert(good)).outcome).toBe('accepted');
  });

  test('a daily cap', async () => {
    const { client, alert } = await openHook({ daily_cap: 2 });
    const outcomes = [await alert(good), await alert(good), await alert(good)];
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted', 'daily_cap']);
    expect((await client.webhooks.list()).items).toMatchObject([{ deliveries_today: 2 }]);
  });

  test('a dry run, which shows what it would have sent', async () => {
    const { client, alert, id } = await openHook({ dry_run: true });
    expect((await alert(good)).outcome).toBe('dry_run');
    expect((await client.orders.history()).items).toEqual([]);
    expect(JSON.stringify((await client.webhooks.deliveries({ id })).items)).toContain('0.01');
    await client.webhooks.update({ id, body: { dry_run: false } });
    expect((await alert(good)).outcome).toBe('accepted');
  });

  test('an alert without a valid request, or with one that the venue refuses', async () => {
    const { alert } = await openHook();
    expect((await alert('plain text has no size')).outcome).toBe('invalid');
    expect((await alert({ side: 'buy', size: '0.01' })).outcome).toBe('invalid');
    expect((await alert({ side: 'buy', size: 90 })).outcome).toBe('failed');
  });
});

test('a plain text alert closes a position if the action needs none of its values', async () => {
  const action = { type: 'close', request: { symbol: 'BTC', order_type: 'market' } } as const;
  const { client, alert, id } = await openHook({ action });
  const body = { symbol: 'BTC', side: 'buy', size: 0.1, order_type: 'market' } as const;
  await client.orders.place({ body });
  expect((await alert('take it off')).outcome).toBe('accepted');
  expect((await client.positions.list()).items).toEqual([]);
  await client.webhooks.remove({ id });
  expect((await alert('once more')).status).toBe(404);
  expect(await refusal(client.webhooks.deliveries({ id }))).toMatchObject({ status: 404 });
});
