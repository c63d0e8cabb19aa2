/** AUTH-4: whoever lets a stored action act needs its scopes, as who stores it does. */
import { expect, test } from 'vitest';
import type { Scope } from '../../../src/contract/index.ts';
import { codeOf, LAUNCH, openTestService, RESTING_ORDER, type Asked } from './openTestService.ts';

const ACTIONS = {
  order: { type: 'order', request: RESTING_ORDER },
  execute: { type: 'execute', request: LAUNCH },
  close: { type: 'close', request: { symbol: 'BTC' } },
  unwind: {
    type: 'close',
    request: { symbol: 'BTC', algo: 'pacemaker', params: { duration_seconds: 600 } },
  },
} as const;
type ActionName = keyof typeof ACTIONS;

const hookOf = (action: ActionName) => ({
  name: action,
  action: ACTIONS[action],
  cooldown_seconds: 0,
  daily_cap: 10,
  dry_run: true,
});

const monitorOf = (action: 'order' | 'execute') => ({
  trigger: { type: 'price_level', symbol: 'BTC', price: 90_000, direction: 'above' },
  action: ACTIONS[action],
});

function open(scopes: readonly Scope[]) {
  const { ask, addKey } = openTestService({ limits: 'off' });
  addKey('vk_less', scopes);
  const less = (path: string, asked: Asked = {}) =>
    ask(`/v1${path}`, { method: 'POST', ...asked, keyId: 'vk_less' });
  const create = (path: string, body: object) => {
    const answer = ask(`/v1${path}`, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  return { ask, less, create };
}

const lacks = (scope: Scope) => ({
  status: 403,
  body: { error: { code: 'insufficient_scope', details: { required_scope: scope } } },
});

test.each(['order', 'close', 'unwind'] as const)(
  'a webhook that trades by %s is changed and rotated with `trade` only',
  (action) => {
    const { ask, less, create } = open(['read', 'algo']);
    const { webhook_id: id, token } = create('/webhooks', hookOf(action));
    const path = `/webhooks/${id}`;
    for (const body of [{ dry_run: false }, { cooldown_seconds: 5 }, { action: ACTIONS.execute }]) {
      expect(less(path, { method: 'PATCH', body })).toMatchObject(lacks('trade'));
    }
    expect(less(`${path}/rotate`)).toMatchObject(lacks('trade'));
    const [row] = ask('/v1/webhooks').body.items;
    expect(row).toMatchObject({ dry_run: true, action: ACTIONS[action] });
    expect(ask(`/v1/hooks/${token}`, { body: {} }).status).toBe(200);
    expect(less(path, { method: 'DELETE' }).status).toBe(200);
  },
);

test('a webhook that launches is changed with `algo`, and to an order with `trade` only', () => {
  const { less, create } = open(['read', 'algo']);
  const { webhook_id: id } = create('/webhooks', hookOf('execute'));
  const change = (body: object) => less(`/webhooks/${id}`, { method: 'PATCH', body });
  expect(change({ dry_run: false }).status).toBe(200);
  expect(less(`/webhooks/${id}/rotate`).status).toBe(200);
  expect(change({ action: ACTIONS.order })).toMatchObject(lacks('trade'));
  expect(codeOf(less('/webhooks/whk_99/rotate'))).toBe('not_found');
});

test('a monitor that orders is resumed and armed again with `trade` only', () => {
  const { ask, less, create } = open(['read', 'algo']);
  const { monitor_id: id } = create('/monitors', monitorOf('order'));
  const status = (): string => ask(`/v1/monitors/${id}`).body.status;
  expect(less(`/monitors/${id}/pause`).status).toBe(200);
  for (const action of ['resume', 'rearm']) {
    expect(less(`/monitors/${id}/${action}`)).toMatchObject(lacks('trade'));
  }
  expect(status()).toBe('paused');
  expect(ask(`/v1/monitors/${id}/resume`, { method: 'POST' }).status).toBe(200);
  expect(less(`/monitors/${id}/stop`).status).toBe(200);
  expect(status()).toBe('stopped');
});

test('of all monitors, those resume whose actions the key may carry out', () => {
  const { ask, less, create } = open(['read', 'algo']);
  const { monitor_id: order } = create('/monitors', monitorOf('order'));
  const { monitor_id: launch } = create('/monitors', monitorOf('execute'));
  const all = [order, launch].map((id) => ({ id, ok: true }));
  expect(less('/monitors/pause-all').body.results).toEqual(all);
  expect(less('/monitors/resume-all').body.results).toEqual([
    {
      id: order,
      ok: false,
      error: expect.objectContaining({
        code: 'insufficient_scope',
        details: { required_scope: 'trade' },
      }),
    },
    { id: launch, ok: true },
  ]);
  const resumed = ask('/v1/monitors/resume-all', { method: 'POST' });
  expect(resumed.body.results).toEqual([{ id: order, ok: true }]);
});
