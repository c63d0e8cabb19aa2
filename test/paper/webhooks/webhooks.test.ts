import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holdLaw } from '../../holdLaw.ts';
import { createBench, feedOf, flat, MINUTE } from '../engine/bench.ts';

const order = {
  type: 'order',
  request: { symbol: 'BTC', side: '{{side}}', size: '{{size}}', order_type: 'market' },
};

function bench(rest: object = {}, bars = 60) {
  const feeds = ['BTC', 'ETH'].map((symbol) => feedOf(flat(100, bars), { symbol }));
  const made = createBench({ feeds });
  made.run(5);
  const body = { name: 'alerts', action: order, ...rest };
  const created = made.call('webhooks.create', { body });
  const pathParams = { id: created.webhook_id };
  const alert = (payload: unknown, token: string = created.token) =>
    made.call('webhooks.inbound', { pathParams: { token }, body: payload, wallet: '' });
  const get = () => made.call('webhooks.list').items[0];
  return { ...made, created, pathParams, alert, get };
}

const buy = { side: 'buy', size: 2 };

describe('WHK-1: tokens', () => {
  test('whole on creation and rotation, else its last four characters, also in the path', () => {
    const { created, get, call, pathParams, alert, refusal } = bench();
    expect(created.url_path).toBe(`/v1/hooks/${created.token}`);
    expect(get().token).toBe(`…${created.token.slice(-4)}`);
    expect(JSON.stringify(get())).not.toContain(created.token);
    const rotated = call('webhooks.rotate', { pathParams });
    expect(rotated.token).not.toBe(created.token);
    expect(rotated.url_path).toContain(rotated.token);
    const old = { pathParams: { token: created.token }, body: buy };
    expect(refusal('webhooks.inbound', old).status).toBe(404);
    expect(alert(buy, rotated.token).outcome).toBe('accepted');
    call('webhooks.remove', { pathParams });
    const gone = { pathParams: { token: rotated.token }, body: buy };
    // As of a token that never was: the answer names no webhook.
    const never = { pathParams: { token: 'wh_0' }, body: buy };
    expect(refusal('webhooks.inbound', gone)).toEqual(refusal('webhooks.inbound', never));
    expect(refusal('webhooks.inbound', gone)).toMatchObject({ status: 404, details: {} });
  });
});

test.each(['order', 'execute', 'close'] as const)(
  'WHK-1: an accepted alert is answered with what its action made, as it is read: %s',
  (type) => {
    const legs = { take_profit: { price: 200 }, stop_loss: { price: 50 } };
    const request = {
      order: { symbol: 'BTC', side: 'buy', size: 1, order_type: 'market', ...legs },
      execute: {
        algo: 'pacemaker',
        symbol: 'BTC',
        side: 'buy',
        total_size: 5,
        params: { duration_seconds: 600 },
        ...legs,
      },
      close: { symbol: 'BTC' },
    }[type];
    const { call, order: place, alert } = bench({ action: { type, request } });
    place({ side: 'sell', size: 3, order_type: 'market' });
    const { outcome, result } = alert({});
    expect(outcome).toBe('accepted');
    const read = (id: string): unknown =>
      type === 'execute'
        ? call('executions.get', { pathParams: { id } })
        : call('orders.get', { pathParams: { id } });
    expect(result).toEqual(read(result.execution_id ?? result.order_id));
    const has = type === 'close' ? [null, null] : [{ kind: 'take_profit' }, { kind: 'stop_loss' }];
    expect([result.take_profit, result.stop_loss]).toMatchObject(has);
  },
);

test('WHK-1: a change of a webhook changes what it names, and keeps all else', async () => {
  const other = { type: 'close', request: { symbol: 'BTC' } };
  const patch = fc.record(
    {
      name: fc.constantFrom('breakouts', 'exits'),
      action: fc.constantFrom(order, other),
      cooldown_seconds: fc.constantFrom(0, 30, 90),
      daily_cap: fc.constantFrom(1, 7),
      dry_run: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  await holdLaw(60, fc.array(patch, { minLength: 1, maxLength: 5 }), (patches) => {
    const { call, pathParams, get } = bench({ cooldown_seconds: 60, daily_cap: 3, dry_run: true });
    let expected = get();
    for (const body of patches) {
      expected = { ...expected, ...body };
      expect(call('webhooks.update', { pathParams, body })).toEqual(expected);
      expect(get()).toEqual(expected);
    }
  });
});

describe('WHK-1: an action that no alert can make valid is refused at once', () => {
  const market = { symbol: 'BTC', side: 'buy', size: 1, order_type: 'market' };
  const faults: Array<[string, string, object, string, string]> = [
    ['a field that orders lack', 'order', { ...market, foo: 1 }, 'validation_failed', 'foo'],
    ['a side that is none', 'order', { ...market, side: 'hold' }, 'validation_failed', 'side'],
    ['no order', 'order', {}, 'validation_failed', 'symbol'],
    [
      'a template that is no side',
      'order',
      { ...market, side: '{{price}}' },
      'validation_failed',
      'side',
    ],
    ['a size off the grid', 'order', { ...market, size: 0.0000001 }, 'validation_failed', 'size'],
    [
      'a price off the grid',
      'order',
      { ...market, order_type: 'limit', price: 100.005 },
      'validation_failed',
      'price',
    ],
    [
      "a leg's price off the grid",
      'order',
      { ...market, stop_loss: { price: 90.005 } },
      'validation_failed',
      'stop_loss.price',
    ],
    [
      'a limit off the grid',
      'execute',
      {
        symbol: 'BTC',
        side: 'buy',
        total_size: 1,
        algo: 'pacemaker',
        params: { duration_seconds: 60, limit_price: 100.005 },
      },
      'validation_failed',
      'params.limit_price',
    ],
    ['an unknown symbol', 'order', { ...market, symbol: 'NOPE' }, 'unknown_symbol', ''],
    ['an unknown algorithm', 'execute', { ...market, algo: 'none' }, 'validation_failed', 'algo'],
    [
      'a total size off the grid',
      'execute',
      {
        symbol: 'BTC',
        side: 'buy',
        total_size: 1.0000001,
        algo: 'pacemaker',
        params: { duration_seconds: 60 },
      },
      'validation_failed',
      'total_size',
    ],
    ['a close without a symbol', 'close', {}, 'validation_failed', 'symbol'],
    ['a close of nothing known', 'close', { symbol: 'NOPE' }, 'unknown_symbol', ''],
    ['a close with a size', 'close', { symbol: 'BTC', size: 1 }, 'validation_failed', 'size'],
  ];

  test.each(faults)('%s', (_what, type, request, code, path) => {
    const { refusal, pathParams, get } = bench();
    const before = get().action;
    const action = { type, request };
    const created = refusal('webhooks.create', { body: { name: 'w', action } });
    const changed = refusal('webhooks.update', { pathParams, body: { action } });
    for (const fault of [created, changed]) {
      expect(fault.code).toBe(code);
      const paths = (fault.details?.['fields'] ?? []) as Array<{ path: string }>;
      if (path !== '') expect(paths.map((each) => each.path)).toContain(`action.request.${path}`);
    }
    expect(get().action).toEqual(before);
  });

  const launch = { symbol: 'BTC', side: '{{side}}', total_size: '{{total_size}}' };
  const stop = { stop_loss: { price: '{{price}}' } };
  test.each([
    ['order', { ...market, side: '{{side}}', order_type: 'limit', price: '{{price}}' }],
    [
      'order',
      {
        ...market,
        ...stop,
        take_profit: { offset: { mult: 2, indicator: 'atr', interval: '1m' } },
      },
    ],
    [
      'execute',
      { ...launch, algo: 'pacemaker', params: { duration_seconds: 60, limit_price: '{{price}}' } },
    ],
    [
      'execute',
      { ...launch, algo: 'glidemaker', params: { strategy: 'passive', limit_price: '{{price}}' } },
    ],
    [
      'execute',
      { ...launch, algo: 'flowscale', params: { participation: 0.1, limit_price: '{{price}}' } },
    ],
    ['execute', { ...launch, algo: 'flowband', params: { band_low: 90, band_high: '{{price}}' } }],
    ['execute', { ...launch, algo: 'flowband', params: { band_low: '{{price}}', band_high: 90 } }],
    [
      'execute',
      { ...launch, algo: 'ghostsweep', params: { trigger_price: '{{price}}' }, sweep_limit: 110 },
    ],
    [
      'execute',
      {
        ...launch,
        algo: 'smartexit',
        reduce_only: true,
        params: { stop_price: '{{price}}', take_price: 120 },
      },
    ],
    ['close', { symbol: 'BTC' }],
    ['close', { symbol: 'BTC', algo: 'pacemaker', params: { duration_seconds: 60 } }],
  ])('one that an alert can fill in is taken: %s %o', (type, request) => {
    expect(bench({ action: { type, request } }).created.action).toEqual({ type, request });
  });
});

describe('WHK-1: deliveries', () => {
  test("a template that is the whole string takes the alert's own value and type", () => {
    const { alert, call, pathParams } = bench();
    const { outcome, result } = alert(buy);
    expect(outcome).toBe('accepted');
    expect(result).toMatchObject({ side: 'buy', size: 2, status: 'filled' });
    expect(result.request).toEqual({ symbol: 'BTC', side: 'buy', size: 2, order_type: 'market' });
    expect(call('webhooks.deliveries', { pathParams }).items).toMatchObject([
      { outcome: 'accepted', request_body: buy },
    ]);
  });

  test('are listed of the webhook that is asked for, and of no other', () => {
    const { alert, call, created } = bench();
    const body = { name: 'others', action: order };
    const other = call('webhooks.create', { body });
    for (const [size, token] of [1, 2, 3].map((each) => [
      each,
      each === 2 ? other.token : undefined,
    ]))
      alert({ side: 'buy', size }, token);
    const sizesOf = (id: string) =>
      call('webhooks.deliveries', { pathParams: { id } })
        .items.map((one: { request_body: { size: number } }) => one.request_body.size)
        .toSorted();
    expect(sizesOf(created.webhook_id)).toEqual([1, 3]);
    expect(sizesOf(other.webhook_id)).toEqual([2]);
  });

  test('without a template nothing is overridden', () => {
    const action = { type: 'order', request: { ...order.request, side: 'sell', size: 1 } };
    const { alert } = bench({ action });
    expect(alert(buy).result).toMatchObject({ side: 'sell', size: 1 });
    expect(alert('a plain text alert').outcome).toBe('accepted');
  });

  test('a missing or wrong alert value is invalid and has no effect', () => {
    const { alert, call } = bench();
    expect(alert({ side: 'buy' }).outcome).toBe('invalid');
    expect(alert('buy 2').outcome).toBe('invalid');
    expect(alert({ side: 'buy', size: '2' }).outcome).toBe('invalid');
    expect(alert({ side: 'hold', size: 2 }).result.error.details.fields[0].path).toBe('side');
    expect(call('positions.list').items).toEqual([]);
  });

  test('a refused action has failed, with its error', () => {
    const { alert, get } = bench();
    expect(alert({ side: 'buy', size: 90_000 })).toMatchObject({
      outcome: 'failed',
      result: { error: { code: 'insufficient_margin' } },
    });
    expect(get().deliveries_today).toBe(0);
  });

  const sell = { symbol: 'BTC', side: 'sell', reduce_only: true };
  test.each([
    [
      'a launch that has nothing to reduce',
      {
        type: 'execute',
        request: { ...sell, algo: 'pacemaker', total_size: 1, params: { duration_seconds: 60 } },
      },
      'no_position',
      'nothing_to_reduce',
    ],
    [
      'an order outside its bound',
      {
        type: 'order',
        request: { symbol: 'BTC', side: 'buy', size: 1, order_type: 'market', slippage_bps: 0 },
      },
      'price_bound',
      'price_bound',
    ],
    [
      'a close outside its bound',
      { type: 'close', request: { symbol: 'ETH', slippage_bps: 0 } },
      'price_bound',
      'price_bound',
    ],
  ])(
    '%s has ended without a fill: it failed, and is not counted',
    (_what, action, code, reason) => {
      const made = bench({ action, cooldown_seconds: 60, daily_cap: 1 });
      made.order({ symbol: 'ETH', side: 'buy', size: 1, order_type: 'market' });
      for (const attempt of [1, 2]) {
        const { outcome, result } = made.alert(`attempt ${attempt}`);
        expect([outcome, result.error.code, result.error.details.reason]).toEqual([
          'failed',
          code,
          reason,
        ]);
      }
      expect(made.get()).toMatchObject({
        deliveries_today: 0,
        last_delivery_time: made.engine.now,
      });
    },
  );

  test('a cap counts from nothing on each UTC day', () => {
    const { alert, get, engine } = bench({ daily_cap: 2 }, 3_000);
    const outcomes = (): string[] => [1, 2, 3].map(() => alert(buy).outcome);
    const perDay = ['accepted', 'accepted', 'daily_cap'];
    expect(outcomes()).toEqual(perDay);
    const day = 24 * 60 * MINUTE;
    engine.advanceTo((Math.floor(engine.now / day) + 1) * day);
    expect(get().deliveries_today).toBe(0);
    expect(outcomes()).toEqual(perDay);
    expect(get().deliveries_today).toBe(2);
  });

  test('the time of the last delivery is that of any, accepted or not', () => {
    const { alert, get, engine } = bench();
    expect(get().last_delivery_time).toBeNull();
    for (const payload of [buy, { side: 'buy' }]) {
      engine.advanceTo(engine.now + MINUTE);
      alert(payload);
      expect(get().last_delivery_time).toBe(engine.now);
    }
  });

  test('the cooldown counts from the last accepted delivery', () => {
    const { alert, engine } = bench({ cooldown_seconds: 60 });
    expect(alert({ side: 'buy', size: 90_000 }).outcome).toBe('failed');
    expect(alert(buy).outcome).toBe('accepted');
    engine.advanceTo(engine.now + 59_999);
    expect(alert(buy).outcome).toBe('cooldown');
    engine.advanceTo(engine.now + 1);
    expect(alert(buy).outcome).toBe('accepted');
  });

  test('the daily cap is by UTC day of the replay', () => {
    const { alert, engine, get } = bench({ daily_cap: 2 }, 24 * 60 + 10);
    expect([1, 2, 3].map(() => alert(buy).outcome)).toEqual(['accepted', 'accepted', 'daily_cap']);
    expect(get().deliveries_today).toBe(2);
    engine.advanceTo(engine.startTime + 24 * 60 * MINUTE);
    expect(get().deliveries_today).toBe(0);
    expect(alert(buy).outcome).toBe('accepted');
  });

  test('a dry run shows what it would have sent, and does not count', () => {
    const { alert, call, pathParams, get } = bench({ dry_run: true, daily_cap: 1 });
    expect(alert(buy)).toMatchObject({ outcome: 'dry_run', result: { request: { size: 2 } } });
    expect(alert(buy).outcome).toBe('dry_run');
    expect(get().deliveries_today).toBe(0);
    call('webhooks.update', { pathParams, body: { dry_run: false } });
    expect(alert(buy).outcome).toBe('accepted');
  });

  test('an alert is examined first, then cooldown, daily cap and dry run, in this order', () => {
    const { alert, call, pathParams, engine } = bench({ cooldown_seconds: 60, daily_cap: 1 });
    expect(alert(buy).outcome).toBe('accepted');
    call('webhooks.update', { pathParams, body: { dry_run: true } });
    expect(alert({ side: 'buy' }).outcome).toBe('invalid');
    expect(alert(buy).outcome).toBe('cooldown');
    engine.advanceTo(engine.now + MINUTE);
    expect(alert({ side: 'hold', size: 2 }).outcome).toBe('invalid');
    expect(alert(buy).outcome).toBe('daily_cap');
    call('webhooks.update', { pathParams, body: { daily_cap: 2 } });
    expect(alert(buy).outcome).toBe('dry_run');
  });

  test('it launches algorithms and closes positions too', () => {
    const execute = {
      type: 'execute',
      request: {
        algo: 'pacemaker',
        symbol: 'BTC',
        side: '{{side}}',
        total_size: '{{total_size}}',
        params: { duration_seconds: 60, slices: 1, limit_price: '{{price}}' },
      },
    };
    const { alert, call, pathParams } = bench({ action: execute });
    const launched = alert({ side: 'buy', total_size: 3, price: 101 });
    expect(launched.result).toMatchObject({ status: 'completed', filled_size: 3 });
    call('webhooks.update', {
      pathParams,
      body: { action: { type: 'close', request: { symbol: 'BTC' } } },
    });
    expect(alert('close it').result).toMatchObject({ side: 'sell', filled_size: 3 });
    expect(alert('close it').outcome).toBe('failed');
  });
});
