import { toValidPrice, withDefaults, type CandleRecord, type Side } from '../../contract/index.ts';
import type { Json } from './Answer.ts';
import { accepted, equal } from './claims.ts';
import type { Actor } from './createActor.ts';
import { lastOf } from './referenceIndicators.ts';
import type { Stage } from './Stage.ts';
import { bpsBetween, closedBars, place, priceOf, restingOrder } from './trading.ts';

/** Far enough from the market to fill rarely, near enough to move with it. */
const BAND = { indicator: 'keltner', params: { period: 5, atr_period: 5, mult: 6 } } as const;
export const LOWER = { ...BAND, series: 'lower', interval: '1m' } as const;

export type Watched =
  | typeof LOWER
  | { indicator: 'psar'; interval: '1m' }
  | { indicator: 'sma'; params: { period: number }; interval: '1m' };

/**
 * The level at the last closed bar, computed from the bars: neither rounded nor taken from the service.
 */
export function levelOf(bars: readonly CandleRecord[], read: Watched): number {
  const params = withDefaults(read.indicator, 'params' in read ? read.params : {});
  const series = 'series' in read ? { series: read.series } : {};
  return lastOf(bars, { indicator: read.indicator, params, ...series });
}

export async function placeTracked(
  stage: Stage,
  me: Actor,
  tracking: object,
  side: Side = 'buy',
): Promise<Json> {
  const { price: _price, ...rest } = await restingOrder(stage, me, side);
  return place(me, { ...rest, price_from: { track: true, ...tracking } });
}

/** The contract's outcome for one closed bar of a tracked buy. */
export type Step = 'moves' | 'throttled' | 'holds' | 'drifted';

export interface Follower {
  order: Json;
  first: number;
  resting: number;
  steps: Step[];
  ups: number;
  downs: number;
}

export interface Rules {
  read: Watched;
  minMoveBps: number;
  maxDriftBps: number;
}

export const follow = (order: Json): Follower => ({
  order,
  first: order.price,
  resting: order.price,
  steps: [],
  ups: 0,
  downs: 0,
});

/**
 * Follows a tracked order over one closed bar and claims that it followed the contract, computed from the
 * bars; undefined once the order is no longer open.
 */
export async function followBar(
  stage: Stage,
  me: Actor,
  follower: Follower,
  rules: Rules,
): Promise<Step | undefined> {
  await stage.tape.bars(1);
  const { order } = follower;
  const read = accepted(await me.call('orders.get', { params: { id: order.order_id } }));
  if (read.status !== 'open') return undefined;
  const bars = await closedBars(stage, me);
  const price = toValidPrice(levelOf(bars, rules.read), stage.instrument);
  // Quotes cost venue weight, and far from the market they are not needed.
  const isFar = bpsBetween(bars.at(-1)!.close, price) > FAR_BPS;
  const crosses = !isFar && (await isCrossing(stage, me, order.side, price));
  const step: Step =
    bpsBetween(follower.first, price) > rules.maxDriftBps
      ? 'drifted'
      : crosses
        ? 'holds'
        : bpsBetween(follower.resting, price) >= rules.minMoveBps
          ? 'moves'
          : 'throttled';
  const wanted = step === 'moves' ? price : follower.resting;
  const why = `price of the order whose level is ${price}: it ${step}`;
  equal(read.price, wanted, why);
  if (step === 'moves' && price > follower.resting) follower.ups += 1;
  if (step === 'moves' && price < follower.resting) follower.downs += 1;
  follower.resting = wanted;
  follower.steps.push(step);
  return step;
}

const FAR_BPS = 30;

async function isCrossing(stage: Stage, me: Actor, side: Side, price: number): Promise<boolean> {
  const { bid, ask } = await priceOf(stage, me);
  return side === 'buy' ? price >= ask : price <= bid;
}
