/**
 * RULE-2: a level may be zero or less, as a channel wider than the price is. That is no price: whatever asks for it is
 * refused, and what follows it stays where it is.
 */
import { describe, expect, test } from 'vitest';
import { createBench, feedOf, type Row } from '../engine/bench.ts';

/** Bars of a true range of 2 around 100; a hundredth of it is a channel wider than the price. */
const quiet: Row = [100, 101, 99, 100, 1e5];
const rows = (more: Row[] = []): Row[] => [...Array.from({ length: 30 }, () => quiet), ...more];
const keltner = (mult: number) => ({
  indicator: 'keltner',
  series: 'lower',
  params: { period: 5, atr_period: 5, mult },
  interval: '1m',
});
/** 49.999 × 2 leaves 0.002: above zero, and below the smallest price. */
const LEVELS = [keltner(100), keltner(50), keltner(49.999)];
const atr = { indicator: 'atr', params: { period: 5 }, interval: '1m' };

function opened(symbol = 'BTC', more: Row[] = []) {
  const instruments = { [symbol]: { price_decimals: 2 } };
  const bench = createBench({ feeds: [feedOf(rows(more), { symbol })], instruments });
  bench.run(30);
  const available = () => bench.call('account.get').available_margin;
  return { ...bench, available };
}

describe.each(['BTC', 'HYPE/USDC'])('of %s', (symbol) => {
  const head = { symbol, side: 'buy' };
  const launch = (more: Record<string, unknown>) => ({ ...head, total_size: 1, ...more });
  const field = (code: { details: unknown }) =>
    (code.details as { fields: Array<{ path: string; code: string }> }).fields[0];

  test.each(LEVELS)('the level %j is refused as a price', (level) => {
    const { refusal, available, call } = opened(symbol);
    const before = available();
    for (const track of [true, false]) {
      const from = { ...level, track };
      const order = { ...head, size: 1, order_type: 'limit', price_from: from };
      const glide = launch({
        algo: 'glidemaker',
        params: { strategy: 'passive', limit_price_from: from },
      });
      const sweep = launch({ algo: 'ghostsweep', params: {}, trigger_from: from });
      for (const [endpoint, body, path] of [
        ['orders.place', order, 'price_from'],
        ['executions.launch', glide, 'params.limit_price_from'],
        ['executions.launch', sweep, 'trigger_from'],
      ] as const)
        expect(field(refusal(endpoint, { body }))).toMatchObject({
          path,
          code: 'price_not_positive',
        });
    }
    expect(available()).toBe(before);
    expect(call('orders.list').items).toEqual([]);
    expect(call('executions.list').items).toEqual([]);
  });
});

test.each([
  ['offset', { offset: { ...atr, mult: 1_000 } }],
  ['at', { at: LEVELS[0] }],
  ['a trail by distance', { trail: { ...atr, mult: 60 } }],
  ['an offset that overflows', { offset: { ...atr, mult: 1e308 } }],
  ['a distance that overflows', { trail: { ...atr, mult: 1e308 } }],
  ['a trail by level', { trail: LEVELS[1] }],
])("a long's stop by %s below zero is refused, as a launch's is and a position's", (_form, leg) => {
  const { order, refusal, call } = opened();
  const path = { details: { fields: [{ path: 'stop_loss', code: 'price_not_positive' }] } };
  const body = { symbol: 'BTC', side: 'buy', size: 1, order_type: 'market', stop_loss: leg };
  expect(refusal('orders.place', { body })).toMatchObject(path);
  const { size, order_type: _type, ...rest } = body;
  const launch = {
    ...rest,
    algo: 'pacemaker',
    total_size: size,
    params: { duration_seconds: 600 },
  };
  expect(refusal('executions.launch', { body: launch })).toMatchObject(path);
  order({ side: 'buy', size: 1, order_type: 'market' });
  const at = { pathParams: { symbol: 'BTC' }, body: { stop_loss: leg } };
  expect(refusal('positions.attachLegs', at)).toMatchObject(path);
  expect(call('positions.legs', { pathParams: { symbol: 'BTC' } }).items).toEqual([]);
});

/** Above the price by a distance of its range, which is 2 here and 160 and more after a wide bar. */
const above = (mult: number) => [{ offset: { ...atr, mult } }, { trail: { ...atr, mult } }];

describe.each([
  // No number: the first overflows at once, the second when the range grows.
  ...above(1e308),
  ...above(8e307),
  // No price that is counted in whole steps: as one that is sent, it is too large.
  ...above(1e300),
  ...above(5e15),
])("a short's stop by %j", (leg) => {
  const body = { symbol: 'BTC', side: 'sell', size: 1, order_type: 'market', stop_loss: leg };
  const tooBig = {
    code: 'validation_failed',
    details: { fields: [{ path: 'stop_loss', code: 'too_big' }] },
  };

  test('is refused where it is sent', () => {
    const { order, refusal, call } = opened();
    expect(refusal('orders.place', { body })).toMatchObject(tooBig);
    order({ side: 'sell', size: 1, order_type: 'market' });
    const at = { pathParams: { symbol: 'BTC' }, body: { stop_loss: leg } };
    expect(refusal('positions.attachLegs', at)).toMatchObject(tooBig);
    expect(call('positions.legs', { pathParams: { symbol: 'BTC' } }).items).toEqual([]);
  });
});

test('a trail whose level is too large for a price after a wide bar stays where it is', () => {
  const wide: Row[] = [[100, 500, 100, 100, 1e5], ...rows()];
  const { order, call, run } = opened('BTC', wide);
  const trail = { ...atr, mult: 4e15 };
  const { order_id: id } = order({
    side: 'sell',
    size: 1,
    order_type: 'market',
    stop_loss: { trail },
  });
  const armed = () => call('orders.get', { pathParams: { id } }).stop_loss;
  const { trigger_price: trigger } = armed().resolution;
  run(20);
  expect(armed()).toMatchObject({ status: 'armed', resolution: { trigger_price: trigger } });
});

test('a tracked entry stays where it is while its level is no price, and follows it again after', () => {
  // The wide bars raise the range to 160 and more, without trading through the order.
  const wide: Row[] = Array.from({ length: 6 }, () => [100, 500, 100, 100, 1e5] as const);
  const after = Array.from({ length: 20 }, () => quiet);
  const { order, call, run } = opened('BTC', [...wide, ...after]);
  const price_from = { ...keltner(1), track: true, max_drift_bps: 10_000 };
  const { order_id: id } = order({ side: 'buy', size: 1, order_type: 'limit', price_from });
  const prices = Array.from({ length: 26 }, () => {
    run(1);
    return call('orders.get', { pathParams: { id } }).price;
  });
  expect(Math.min(...prices)).toBeGreaterThan(0);
  // The first wide bar moves it; the next nine bars have their level below zero.
  expect(new Set(prices.slice(0, 10))).toEqual(new Set([18.4]));
  expect(prices.at(-1)).toBeGreaterThan(90);
  expect(call('orders.get', { pathParams: { id } })).toMatchObject({ status: 'open' });
});
