import { ALGOS, algoRecords } from '../contract/index.ts';
import { check, type Check } from './Check.ts';
import type { Json } from './kit/Answer.ts';
import { accepted, equal, refused, refusedField, that } from './kit/claims.ts';
import type { Actor } from './kit/createActor.ts';
import type { Stage } from './kit/Stage.ts';
import {
  closedBars,
  execution,
  itemsOf,
  launch,
  openPosition,
  pacemakerTime,
  priceAt,
  priceOf,
  sizeSum,
  tradeSize,
} from './kit/trading.ts';
import { Inconclusive } from './kit/Inconclusive.ts';

/** Slack for sums of floating-point sizes. */
const DUST = 1e-9;

export interface Order {
  symbol: string;
  side: 'buy' | 'sell';
  total_size: number;
  mark: number;
}

/** The fields that a launch of this value needs beside its algorithm. */
export async function orderOf(stage: Stage, me: Actor, value: number): Promise<Order> {
  const { mark } = await priceOf(stage, me);
  const total_size = tradeSize(stage, value, mark);
  return { symbol: stage.instrument.symbol, side: 'buy', total_size, mark };
}

export async function launched(
  stage: Stage,
  me: Actor,
  algo: string,
  { mark: _mark, ...order }: Order,
  rest: object,
): Promise<Json> {
  return accepted(await launch(stage, me, { algo, ...order, ...rest }), `a ${algo}`);
}

const catalogue = check('EXE-1', 'read', 'the six are listed, with their params', async (stage) => {
  const me = await stage.actor();
  const { items } = accepted(
    await me.call('executions.algos', { query: { limit: stage.dialect.limits.pageMax } }),
  );
  const ids = items.map((row: Json) => row.id).sort();
  equal(ids, [...ALGOS].sort(), 'ids of the algorithms');
  for (const row of algoRecords(stage.dialect.limits.pacemakerMinSeconds)) {
    const theirs = items.find((item: Json) => item.id === row.id);
    const known = Object.keys((row.params as Json).properties ?? {}).sort();
    const fields = Object.keys(theirs.params?.properties ?? {}).sort();
    equal(fields, known, `params of ${row.id}`);
  }
  stage.found('algorithms.identifiers', ids.join(', '), true);
});

const pacemaker = check('EXE-1', 'paper', 'Pacemaker keeps its schedule', async (stage) => {
  const me = await stage.actor();
  const order = await orderOf(stage, me, 6_000);
  const slices = 5;
  const params = { duration_seconds: pacemakerTime(stage, 300), slices };
  const { execution_id: id } = await launched(stage, me, 'pacemaker', order, { params });
  const begin = await stage.tape.now();
  for (let step = 0; step <= 20; step++) {
    const now = await stage.tape.now();
    const { filled_size } = await execution(me, id);
    const share = Math.min(1, (now - begin) / 300_000) + 1 / slices;
    const most = order.total_size * Math.min(1, share) + DUST;
    that(
      filled_size <= most,
      `at most ${most} filled after ${(now - begin) / 1_000} s`,
      filled_size,
    );
    await stage.tape.to(begin + (step + 1) * 15_000);
  }
  const ended = await execution(me, id);
  equal([ended.status, ended.reason], ['completed', 'filled'], 'how it ends, at its duration');
  equal(ended.filled_size, order.total_size, 'filled_size');
});

const pacemakerLimit = check(
  'EXE-1',
  'paper',
  'Pacemaker ends when its time is over',
  async (stage) => {
    const me = await stage.actor();
    const order = await orderOf(stage, me, 6_000);
    const limit_price = priceAt(stage.instrument, order.mark, 0.5);
    const params = { duration_seconds: pacemakerTime(stage, 120), limit_price };
    const { execution_id: id } = await launched(stage, me, 'pacemaker', order, { params });
    await stage.tape.bars(4);
    const ended = await execution(me, id);
    const seen = [ended.status, ended.reason, ended.filled_size];
    equal(seen, ['stopped', 'time_limit', 0], 'how a limit that is never met ends');
  },
);

const flowscale = check(
  'EXE-1',
  'paper',
  'FlowScale stays below its share of the volume',
  async (stage) => {
    const me = await stage.cast({ balance: 10_000_000 });
    const order = await orderOf(stage, me, 2_000_000);
    const participation = 0.03;
    const begin = await stage.tape.now();
    const rest = { params: { participation } };
    const { execution_id: id } = await launched(stage, me, 'flowscale', order, rest);
    let filled = 0;
    for (let bar = 0; bar < 12; bar++) {
      await stage.tape.bars(1);
      const bars = (await closedBars(stage, me, { limit: 30 })).filter(({ time }) => time >= begin);
      const volume = bars.reduce((sum, { volume: each }) => sum + each, 0);
      filled = (await execution(me, id)).filled_size;
      const most = participation * volume + DUST;
      that(filled <= most, `at most ${participation} of ${volume}: ${most}`, filled);
    }
    that(filled > 0, 'something filled after 12 bars', filled);
  },
);

const flowband = check('EXE-1', 'paper', 'FlowBand trades inside its band only', async (stage) => {
  const me = await stage.cast({ balance: 10_000_000 });
  const order = await orderOf(stage, me, 300_000);
  const at = (share: number): number => priceAt(stage.instrument, order.mark, share);
  const away = { band_low: at(0.7), band_high: at(0.75), participation: 0.05 };
  const near = { band_low: at(0.998), band_high: at(1.002), participation: 0.05 };
  const outside = await launched(stage, me, 'flowband', order, { params: away });
  const inside = await launched(stage, me, 'flowband', order, { params: near });
  await stage.tape.bars(10);
  const rested = await execution(me, outside.execution_id);
  equal([rested.status, rested.filled_size], ['running', 0], 'a band that the price is outside of');
  const fills = await itemsOf(me, 'executions.fills', inside.execution_id);
  if (fills.length === 0)
    throw new Inconclusive('The price left the band before anything filled.', true);
  for (const { price } of fills) {
    const isIn = price >= near.band_low && price <= near.band_high;
    that(isIn, `a price from ${near.band_low} to ${near.band_high}`, price);
  }
  return undefined;
});

const glidemaker = check(
  'EXE-1',
  'paper',
  'Glidemaker makes, and never past its limit',
  async (stage) => {
    const me = await stage.cast({ balance: 1_000_000 });
    const order = await orderOf(stage, me, 60_000);
    const limit_price = priceAt(stage.instrument, order.mark, 1.0005);
    const ids: string[] = [];
    for (const strategy of ['passive', 'balanced']) {
      const params = { strategy, limit_price };
      ids.push((await launched(stage, me, 'glidemaker', order, { params })).execution_id);
    }
    await stage.tape.bars(40);
    let seen = 0;
    for (const id of ids) {
      const fills = await itemsOf(me, 'executions.fills', id);
      for (const fill of fills) {
        equal(fill.liquidity, 'maker', 'liquidity of its fills');
        that(fill.price <= limit_price, `prices up to ${limit_price}`, fill.price);
        seen += 1;
      }
      const orders = await itemsOf(me, 'executions.orders', id);
      that(fills.length === 0 || orders.length > 0, 'the orders that filled', orders);
      for (const child of orders) {
        equal(child.time_in_force, 'post_only', 'time_in_force of its orders');
        that(child.price <= limit_price, `order prices up to ${limit_price}`, child.price);
      }
    }
    if (seen === 0) throw new Inconclusive('The price ran away; nothing filled.', true);
    return `${seen} fills`;
  },
);

const ghostsweep = check(
  'EXE-1',
  'paper',
  'GhostSweep shows nothing before its trigger',
  async (stage) => {
    const me = await stage.actor();
    const order = await orderOf(stage, me, 6_000);
    const trigger_price = priceAt(stage.instrument, order.mark, 1.0012);
    const begin = await stage.tape.now();
    const params = { params: { trigger_price } };
    const { execution_id: id } = await launched(stage, me, 'ghostsweep', order, params);
    const reached = await stage.tape.until('a price at the trigger', 400, async () => {
      const bars = (await closedBars(stage, me)).filter(({ time }) => time >= begin);
      if (bars.some(({ high }) => high >= trigger_price)) return true;
      equal(await itemsOf(me, 'executions.orders', id), [], 'orders before the trigger');
      equal((await execution(me, id)).phase, 'armed', 'phase before the trigger');
      return undefined;
    });
    equal(reached, true, 'the trigger');
    const swept = await execution(me, id);
    equal([swept.status, swept.reason], ['completed', 'filled'], 'how a small sweep ends');
    const most = trigger_price * 1.01;
    for (const fill of await itemsOf(me, 'executions.fills', id)) {
      that(fill.price <= most, `prices up to the sweep limit ${most}`, fill.price);
      equal(fill.liquidity, 'taker', 'liquidity of a sweep');
    }
  },
);

const smartexit = check(
  'EXE-1',
  'paper',
  'Smart Exit leaves when its stop is touched',
  async (stage) => {
    const me = await stage.actor();
    const { size } = await openPosition(stage, me, { value: 5_000 });
    const { mark: _mark, ...order } = await orderOf(stage, me, 5_000);
    const { mark } = await priceOf(stage, me);
    const stop_price = priceAt(stage.instrument, mark, 0.9988);
    const take_price = priceAt(stage.instrument, mark, 1.0012);
    const base = { algo: 'smartexit', ...order, side: 'sell', total_size: size };
    const params = { stop_price, take_price, patience_seconds: 30 };
    const bare = await launch(stage, me, { ...base, params });
    refusedField(bare, 'reduce_only');
    const body = { ...base, params, reduce_only: true };
    const { execution_id: id } = accepted(await launch(stage, me, body), 'a Smart Exit');
    const ended = await stage.tape.until('a touch of stop or take', 400, async () => {
      const now = await execution(me, id);
      return now.status === 'running' ? undefined : now;
    });
    equal([ended.status, ended.reason], ['completed', 'filled'], 'how it ends');
    equal(sizeSum(await itemsOf(me, 'executions.fills', id)), size, 'the size it closed');
    const orders = await itemsOf(me, 'executions.orders', id);
    that(orders.length > 0, 'orders of a Smart Exit', orders);
    for (const child of orders) equal(child.reduce_only, true, 'reduce_only of its orders');
    const flat = await me.call('positions.get', { params: { symbol: order.symbol } });
    refused(flat, 404, 'no_position', 'the position after it');
  },
);

const tracked = {
  trigger_from: {
    indicator: 'keltner',
    params: { period: 5, mult: 6 },
    series: 'lower',
    interval: '1m',
    track: true,
    min_move_bps: 0,
    max_drift_bps: 10_000,
  },
};

const sweepShape = check(
  'EXE-4',
  'write',
  'a tracked trigger takes no absolute limit',
  async (stage) => {
    const me = await stage.actor();
    const { mark, ...order } = await orderOf(stage, me, 1_000);
    const sweep_limit = priceAt(stage.instrument, mark, 0.5);
    const body = { algo: 'ghostsweep', ...order, side: 'sell', ...tracked, sweep_limit };
    const code = 'absolute_sweep_limit_on_tracked_trigger';
    refused(await launch(stage, me, body), 422, code, 'an absolute limit on a tracked trigger');
    const fixed = { algo: 'ghostsweep', ...order, params: { trigger_price: sweep_limit } };
    const twice = { ...fixed, sweep_limit, sweep_limit_bps: 50 };
    refusedField(await launch(stage, me, twice), 'sweep_limit_bps');
  },
);

const sweepLimit = check('EXE-4', 'paper', 'a sweep stops at its limit', async (stage) => {
  const me = await stage.actor();
  const order = await orderOf(stage, me, 6_000);
  const trigger_price = priceAt(stage.instrument, order.mark, 1.0008);
  // A buy that may pay at most the trigger finds no ask there.
  const rest = { params: { trigger_price }, sweep_limit_bps: 0 };
  const { execution_id: id } = await launched(stage, me, 'ghostsweep', order, rest);
  const ended = await stage.tape.until('a price at the trigger', 400, async () => {
    const now = await execution(me, id);
    return now.status === 'running' ? undefined : now;
  });
  for (const fill of await itemsOf(me, 'executions.fills', id)) {
    that(fill.price <= trigger_price, `prices up to ${trigger_price}`, fill.price);
  }
  equal([ended.status, ended.reason], ['stopped', 'sweep_limit'], 'how it ends');
});

const sweepRelative = check(
  'EXE-4',
  'paper',
  'the limit is relative to the live trigger',
  async (stage) => {
    const me = await stage.actor();
    const { mark: _mark, ...order } = await orderOf(stage, me, 6_000);
    const probe = await stage.stream(me);
    await probe.subscribe('tpsl.watch');
    const near = { ...tracked.trigger_from, params: { period: 5, mult: 1.2 } };
    const body = {
      algo: 'ghostsweep',
      ...order,
      side: 'sell',
      trigger_from: near,
      sweep_limit_bps: 40,
    };
    const { execution_id: id } = accepted(await launch(stage, me, body), 'a tracked GhostSweep');
    const ended = await stage.tape.until('a price at the tracked trigger', 300, async () => {
      const now = await execution(me, id);
      return now.status === 'running' ? undefined : now;
    });
    await probe.settle();
    const moves = probe
      .of('tpsl.watch', 'entry_moved')
      .filter((frame) => frame.data.execution_id === id)
      .map((frame) => frame.data.trigger_price);
    const first = probe.of('tpsl.watch').find((frame) => frame.data?.execution_id === id);
    const live = moves.at(-1) ?? first?.data.trigger_price;
    if (typeof live !== 'number')
      throw new Inconclusive('Its trigger was not shown before it was reached.', true);
    const least = live * (1 - 40 / 10_000);
    const fills = await itemsOf(me, 'executions.fills', id);
    if (fills.length === 0) throw new Inconclusive('The sweep found nothing in its range.', true);
    for (const fill of fills) that(fill.price >= least, `prices down to ${least}`, fill.price);
    return `${ended.status} (${ended.reason}) after ${moves.length} moves`;
  },
);

const follows = check('EXE-5', 'paper', 'a limit and a stop may follow a level', async (stage) => {
  const me = await stage.actor();
  const { size } = await openPosition(stage, me, { value: 5_000 });
  const { mark: _mark, ...order } = await orderOf(stage, me, 5_000);
  const level = tracked.trigger_from;
  const glide = { strategy: 'passive', limit_price_from: level };
  const maker = accepted(
    await launch(stage, me, { algo: 'glidemaker', ...order, params: glide }),
    'a Glidemaker whose limit follows',
  );
  const exit = { algo: 'smartexit', ...order, side: 'sell', total_size: size, reduce_only: true };
  const body = { ...exit, params: { stop_price_from: level } };
  const leaver = accepted(await launch(stage, me, body), 'a Smart Exit whose stop follows');
  const probe = await stage.stream(me);
  await probe.subscribe('tpsl.watch');
  const { rows } = probe.of('tpsl.watch', 'snapshot')[0].data;
  const ids = [maker.execution_id, leaver.execution_id];
  for (const id of ids) {
    const row = rows.find((each: Json) => each.execution_id === id);
    equal(row?.watch_kind, 'entry', `watch_kind of the row of ${id}`);
  }
  await stage.tape.bars(12);
  await probe.settle();
  const moved = probe.of('tpsl.watch', 'entry_moved').map((frame) => frame.data.execution_id);
  if (!ids.some((id) => moved.includes(id)))
    throw new Inconclusive('The level did not move.', true);
});

const followsPrices = check('EXE-5', 'write', 'but no oscillator', async (stage) => {
  const me = await stage.actor();
  const { mark: _mark, ...order } = await orderOf(stage, me, 1_000);
  const limit_price_from = { indicator: 'rsi', interval: '1m' };
  const params = { strategy: 'passive', limit_price_from };
  const answer = await launch(stage, me, { algo: 'glidemaker', ...order, params });
  refused(answer, 422, 'oscillator_level', 'a limit at an oscillator');
});

export const algorithmChecks: readonly Check[] = [
  catalogue,
  pacemaker,
  pacemakerLimit,
  flowscale,
  flowband,
  glidemaker,
  ghostsweep,
  smartexit,
  sweepShape,
  sweepLimit,
  sweepRelative,
  follows,
  followsPrices,
];
