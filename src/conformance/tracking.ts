import { LIMITS, INDICATOR_IDS, INDICATORS, toValidPrice } from '../contract/index.ts';
import { check, type Check } from './Check.ts';
import type { Json } from './kit/Answer.ts';
import { accepted, equal, near, refused, refusedField, that } from './kit/claims.ts';
import {
  follow,
  followBar,
  levelOf,
  LOWER,
  placeTracked,
  type Follower,
  type Step,
} from './kit/followEntry.ts';
import type { StreamProbe } from './kit/createStreamProbe.ts';
import type { Stage } from './kit/Stage.ts';
import { closedBars, launch, place, priceOf, restingOrder } from './kit/trading.ts';
import { Inconclusive } from './kit/Inconclusive.ts';

const accepts = check('TRK-1', 'paper', 'an entry is priced by a level', async (stage) => {
  const me = await stage.actor();
  const { price: _price, ...rest } = await restingOrder(stage, me);
  const bars = await closedBars(stage, me);
  const order = await place(me, { ...rest, price_from: LOWER });
  const level = levelOf(bars, LOWER);
  const resolution = order.price_from_resolution;
  near(resolution?.indicator_value, level, 'indicator_value of the resolution', 1e-6);
  equal(resolution.price, toValidPrice(resolution.indicator_value, stage.instrument), 'its price');
  equal(order.price, resolution.price, 'price of the order');
  equal(resolution.bar_time, bars.at(-1)?.time, 'bar_time of the resolution');
  const { indicator, series, interval } = resolution;
  equal([indicator, series, interval], ['keltner', 'lower', '1m'], 'what was read');
  equal(order.entry_track ?? null, null, 'entry_track of an untracked entry');
  await stage.tape.bars(3);
  const after = accepted(await me.call('orders.get', { params: { id: order.order_id } }));
  equal(after.price, order.price, 'price of an untracked entry three bars later');
});

const acknowledges = check('TRK-1', 'paper', 'tracking is acknowledged', async (stage) => {
  const me = await stage.actor();
  const order = await placeTracked(stage, me, LOWER);
  const track = order.entry_track;
  that(typeof track?.watch_id === 'string', 'entry_track that names the watch', order.entry_track);
  const { defaultMinMoveBps, defaultMaxDriftBps } = LIMITS;
  const defaults = [track.min_move_bps, track.max_drift_bps];
  equal(
    defaults,
    [defaultMinMoveBps, defaultMaxDriftBps],
    'default min_move_bps and max_drift_bps',
  );
});

const levelsOnly = check('TRK-1', 'write', 'an oscillator prices no entry', async (stage) => {
  const me = await stage.actor();
  const { price: _price, ...rest } = await restingOrder(stage, me);
  const ask = (price_from: object) => me.call('orders.place', { body: { ...rest, price_from } });
  for (const indicator of INDICATOR_IDS) {
    if (INDICATORS[indicator].priceSeries.length > 0) continue;
    const answer = await ask({ indicator, interval: '1m' });
    refused(answer, 422, 'oscillator_level', `an entry at ${indicator}`);
  }
  refusedField(await ask({ indicator: 'bollinger', interval: '1m' }), 'price_from.series');
  refusedField(await ask({ indicator: 'sma' }), 'price_from.interval');
  const untracked = { indicator: 'sma', interval: '1m', min_move_bps: 5 };
  refusedField(await ask(untracked), 'price_from.min_move_bps');
});

const triggers = check('TRK-1', 'paper', 'trigger_from prices a GhostSweep', async (stage) => {
  const me = await stage.actor();
  const { symbol, size: total_size } = await restingOrder(stage, me);
  const body = { algo: 'ghostsweep', symbol, side: 'sell', total_size, trigger_from: LOWER };
  const launched = accepted(await launch(stage, me, body), 'a launch with trigger_from');
  equal([launched.status, launched.phase], ['running', 'armed'], 'status and phase at launch');
});

const bothWays = check(
  'TRK-2',
  'paper',
  'the entry follows each closed bar, up and down',
  async (stage) => {
    const me = await stage.actor();
    const rules = { read: LOWER, minMoveBps: 0, maxDriftBps: 10_000 };
    const tracking = { ...LOWER, min_move_bps: 0, max_drift_bps: 10_000 };
    const follower = follow(await placeTracked(stage, me, tracking));
    for (let bar = 0; bar < 60 && (follower.ups < 3 || follower.downs < 3); bar++) {
      if ((await followBar(stage, me, follower, rules)) === undefined) break;
    }
    const { ups, downs } = follower;
    if (ups === 0 || downs === 0)
      throw new Inconclusive(`The level moved ${ups} times up, ${downs} down.`, true);
    return `${ups} moves up, ${downs} down`;
  },
);

const onlyPrice = check('TRK-2', 'paper', 'only the price moves', async (stage) => {
  const me = await stage.actor();
  const tracking = { ...LOWER, min_move_bps: 0, max_drift_bps: 10_000 };
  const order = await placeTracked(stage, me, tracking);
  const params = { id: order.order_id };
  const moved = await stage.tape.until('a moved level', 20, async () => {
    const read = accepted(await me.call('orders.get', { params }), 'the order');
    return read.price === order.price ? undefined : read;
  });
  for (const name of ['order_id', 'side', 'size', 'order_type', 'reduce_only', 'request']) {
    equal(moved[name], order[name], `${name} of a moved entry`);
  }
});

const identity = check(
  'ORD-3',
  'paper',
  'client_order_id stays over tracked moves',
  async (stage) => {
    const me = await stage.actor();
    const client_order_id = stage.unique();
    const { price: _price, ...rest } = await restingOrder(stage, me);
    const price_from = { ...LOWER, track: true, min_move_bps: 0, max_drift_bps: 10_000 };
    const order = await place(me, { ...rest, client_order_id, price_from });
    const params = { id: `client:${client_order_id}` };
    const moved = await stage.tape.until('a moved level', 20, async () => {
      const read = accepted(await me.call('orders.get', { params }), 'the order by its client id');
      return read.price === order.price ? undefined : read;
    });
    equal(moved.order_id, order.order_id, 'order_id behind the client id after a move');
    equal(moved.client_order_id, client_order_id, 'client_order_id after a move');
  },
);

/** Follows with a throttle until a bar was throttled and a bar moved. */
async function throttle(stage: Stage, minMoveBps: number | undefined): Promise<string> {
  const me = await stage.actor();
  const given = minMoveBps === undefined ? {} : { min_move_bps: minMoveBps };
  const tracking = { ...LOWER, ...given, max_drift_bps: 10_000 };
  const minMove = minMoveBps ?? LIMITS.defaultMinMoveBps;
  const rules = { read: LOWER, minMoveBps: minMove, maxDriftBps: 10_000 };
  let follower = follow(await placeTracked(stage, me, tracking));
  const seen = new Map<Step, number>();
  for (let bar = 0; bar < 120; bar++) {
    const step = await followBar(stage, me, follower, rules);
    if (step === undefined) follower = follow(await placeTracked(stage, me, tracking));
    else seen.set(step, (seen.get(step) ?? 0) + 1);
    if ((seen.get('moves') ?? 0) >= 2 && (seen.get('throttled') ?? 0) >= 2) break;
  }
  const [moves, throttled] = [seen.get('moves') ?? 0, seen.get('throttled') ?? 0];
  if (moves === 0 || throttled === 0) {
    throw new Inconclusive(
      `${moves} moves and ${throttled} throttled bars; it takes one of each.`,
      true,
    );
  }
  return `${moves} moves, ${throttled} bars throttled at ${minMove} bps`;
}

const throttled = check('TRK-3', 'paper', 'the default throttle of 5 bps', (stage) =>
  throttle(stage, undefined),
);
const throttledMore = check('TRK-3', 'paper', 'a throttle as asked for', (stage) =>
  throttle(stage, 20),
);

const writes = check(
  'TRK-3',
  'paper',
  'entry_moved comes with each write, and only then',
  async (stage) => {
    const me = await stage.actor();
    const probe = await stage.stream(me);
    await probe.subscribe('tpsl.watch');
    const rules = { read: LOWER, minMoveBps: LIMITS.defaultMinMoveBps, maxDriftBps: 10_000 };
    const follower = follow(await placeTracked(stage, me, { ...LOWER, max_drift_bps: 10_000 }));
    const moves: number[] = [];
    for (let bar = 0; bar < 25; bar++) {
      const step = await followBar(stage, me, follower, rules);
      if (step === undefined) break;
      if (step === 'moves') moves.push(follower.resting);
    }
    await probe.settle();
    const reported = moved(probe, follower.order).map((frame) => frame.data.trigger_price);
    equal(reported.slice(0, moves.length), moves, 'trigger prices of entry_moved');
  },
);

const moved = (probe: StreamProbe, order: Json): Json[] =>
  probe.of('tpsl.watch', 'entry_moved').filter((frame) => frame.data.order_id === order.order_id);

const drift = check(
  'TRK-4',
  'paper',
  'beyond the drift tracking stops, the order stands',
  async (stage) => {
    const me = await stage.actor();
    const probe = await stage.stream(me);
    await probe.subscribe('tpsl.watch');
    const maxDriftBps = 12;
    const rules = { read: LOWER, minMoveBps: 0, maxDriftBps };
    const tracking = { ...LOWER, min_move_bps: 0, max_drift_bps: maxDriftBps };
    let follower = follow(await placeTracked(stage, me, tracking));
    for (let bar = 0; bar < 150 && follower.steps.at(-1) !== 'drifted'; bar++) {
      const step = await followBar(stage, me, follower, rules);
      if (step === undefined) follower = follow(await placeTracked(stage, me, tracking));
    }
    if (follower.steps.at(-1) !== 'drifted')
      throw new Inconclusive('The level never drifted far enough.', true);
    await probe.settle();
    const stops = probe.of('tpsl.watch', 'entry_tracking_stopped');
    const ids = stops.map((frame) => frame.data.watch_id);
    const { watch_id } = follower.order.entry_track;
    that(ids.includes(watch_id), `entry_tracking_stopped of ${watch_id}`, ids);
    const params = { id: follower.order.order_id };
    await stage.tape.bars(3);
    const still = accepted(await me.call('orders.get', { params }), 'the order');
    if (still.status !== 'open') return 'it filled soon after';
    equal(still.price, follower.resting, 'price of an order whose tracking stopped');
    const size = still.size;
    accepted(await me.call('orders.modify', { params, body: { size } }), 'a modify, now allowed');
    return undefined;
  },
);

const hold = check('TRK-5', 'paper', 'a level that would cross holds', async (stage) => {
  const me = await stage.actor();
  const probe = await stage.stream(me);
  await probe.subscribe('tpsl.watch');
  const read = { indicator: 'sma', params: { period: 8 }, interval: '1m' } as const;
  const rules = { read, minMoveBps: 10_000, maxDriftBps: 10_000 };
  let follower: Follower | null = null;
  for (let bar = 0; bar < 300; bar++) {
    follower ??= await start();
    const step = follower === null ? await pass() : await followBar(stage, me, follower, rules);
    if (step === 'holds') break;
    if (step === undefined) follower = null;
  }
  if (follower?.steps.at(-1) !== 'holds')
    throw new Inconclusive('No level crossed the book in 300 bars.', true);
  await probe.settle();
  const { watch_id } = follower.order.entry_track;
  const ids = probe.of('tpsl.watch', 'entry_hold').map((frame) => frame.data.watch_id);
  that(ids.includes(watch_id), `entry_hold of ${watch_id}`, ids);
  equal(moved(probe, follower.order), [], 'entry_moved of an entry that never moved');

  /** A buy if the level is below the market, a sell if it is above. */
  async function start(): Promise<Follower | null> {
    const [bars, { bid, ask }] = [await closedBars(stage, me), await priceOf(stage, me)];
    const level = levelOf(bars, read);
    const side = level < bid ? 'buy' : level > ask ? 'sell' : null;
    if (side === null) return null;
    const tracking = { ...read, min_move_bps: 10_000, max_drift_bps: 10_000 };
    return follow(await placeTracked(stage, me, tracking, side));
  }
  async function pass(): Promise<undefined> {
    await stage.tape.bars(1);
  }
});

const crossingAtStart = check(
  'TRK-5',
  'paper',
  'an entry that crosses at once is refused',
  async (stage) => {
    const me = await stage.actor();
    const { price: _price, ...rest } = await restingOrder(stage, me);
    const price_from = { ...LOWER, series: 'upper', track: true };
    const answer = await me.call('orders.place', { body: { ...rest, price_from } });
    refused(answer, 422, 'would_cross', 'a tracked buy above the ask');
  },
);

const rows = check('TRK-6', 'paper', 'tracked entries and trails share 20 rows', async (stage) => {
  const me = await stage.actor();
  const { maintainedRows } = LIMITS;
  const { price: _price, ...rest } = await restingOrder(stage, me);
  const size = Number((rest.size / 10).toFixed(stage.instrument.size_decimals));
  const tracked = { ...rest, size, price_from: { ...LOWER, track: true } };
  const trailing = { ...(await restingOrder(stage, me)), size, stop_loss: trail };
  const first = await place(me, tracked);
  for (let row = 1; row < maintainedRows - 1; row++) await place(me, tracked);
  await place(me, trailing);
  for (const body of [tracked, trailing]) {
    const answer = await me.call('orders.place', { body });
    const details = refused(answer, 422, 'trailing_limit', `row ${maintainedRows + 1}`);
    const { limit, in_use } = details;
    equal([limit, in_use], [maintainedRows, maintainedRows], 'limit and in_use');
  }
  accepted(await me.call('orders.cancel', { params: { id: first.order_id } }), 'a cancel');
  await place(me, tracked);
  const { body } = await me.call('orders.list', { query: { limit: stage.dialect.limits.pageMax } });
  equal(body.items.length, maintainedRows, 'open orders');
});

const trail = { trail: { pct: 2, interval: '1m' } };

const immutable = check(
  'TRK-7',
  'paper',
  'modify is 409; a cancel retires the watch',
  async (stage) => {
    const me = await stage.actor();
    const probe = await stage.stream(me);
    await probe.subscribe('tpsl.watch');
    const order = await placeTracked(stage, me, LOWER);
    const params = { id: order.order_id };
    for (const body of [{ price: order.price }, { size: order.size }]) {
      const answer = await me.call('orders.modify', { params, body });
      refused(answer, 409, 'tracked_entry_immutable', 'a modify of a tracked entry');
    }
    accepted(await me.call('orders.cancel', { params }), 'its cancel');
    await probe.settle();
    const retired = probe.of('tpsl.watch', 'entry_retired').map((frame) => frame.data.watch_id);
    equal(retired, [order.entry_track.watch_id], 'watches that were retired');
  },
);

const filled = check('TRK-7', 'paper', 'a fill retires the watch', async (stage) => {
  const me = await stage.actor();
  const probe = await stage.stream(me);
  await probe.subscribe('tpsl.watch');
  const near = { indicator: 'sma', params: { period: 1 }, interval: '1m' };
  const order = await placeTracked(stage, me, { ...near, max_drift_bps: 10_000, min_move_bps: 0 });
  const params = { id: order.order_id };
  await stage.tape.until('a fill of a tracked entry', 30, async () => {
    const read = accepted(await me.call('orders.get', { params }), 'the order');
    return read.status === 'filled' ? read : undefined;
  });
  await probe.settle();
  const retired = probe.of('tpsl.watch', 'entry_retired').map((frame) => frame.data.watch_id);
  equal(retired, [order.entry_track.watch_id], 'watches that were retired');
});

export const trackingChecks: readonly Check[] = [
  accepts,
  acknowledges,
  levelsOnly,
  triggers,
  bothWays,
  onlyPrice,
  identity,
  throttled,
  throttledMore,
  writes,
  drift,
  hold,
  crossingAtStart,
  rows,
  immutable,
  filled,
];
