import {
  roundTo,
  toValidPrice,
  toValidSize,
  type CandleRecord,
  type InstrumentRecord,
  type Interval,
  type PriceRecord,
  type Side,
} from '../../contract/index.ts';
import type { Answer, Json } from './Answer.ts';
import { accepted, that } from './claims.ts';
import type { Actor } from './createActor.ts';
import type { Stage } from './Stage.ts';
import { Inconclusive } from './Inconclusive.ts';

/** Common steps of checks: prices, sizes, resting orders, positions. */

export async function priceOf(stage: Stage, actor: Actor): Promise<PriceRecord> {
  const params = { symbol: stage.instrument.symbol };
  return accepted(await actor.call('market.price', { params }), 'the price') as PriceRecord;
}

/** A valid size of about this value, quote units. */
export function sizeFor(instrument: InstrumentRecord, value: number, price: number): number {
  return toValidSize(value / price, instrument);
}

/** A valid size of about this value in a deep market; less in a thin one. */
export function tradeSize(stage: Stage, value: number, price: number): number {
  return sizeFor(stage.instrument, value * stage.scale, price);
}

/** Duration of a Pacemaker, seconds: the shortest that the service accepts, or longer on request. */
export function pacemakerTime(stage: Stage, seconds = 0): number {
  return Math.max(seconds, stage.dialect.limits.pacemakerMinSeconds);
}

/** The nearest valid price at a share of another: 0.5 is half of it. */
export function priceAt(instrument: InstrumentRecord, price: number, share = 1): number {
  return toValidPrice(price * share, instrument);
}

/** A limit order far from the market, worth about 1,000 quote units at the mark: it rests. */
export async function restingOrder(
  stage: Stage,
  actor: Actor,
  side: Side = 'buy',
): Promise<{ symbol: string; side: Side; size: number; order_type: 'limit'; price: number }> {
  const { instrument } = stage;
  const { mark } = await priceOf(stage, actor);
  return {
    symbol: instrument.symbol,
    side,
    size: tradeSize(stage, 1_000, mark),
    order_type: 'limit',
    price: priceAt(instrument, mark, side === 'buy' ? 0.7 : 1.3),
  };
}

/**
 * Places an order; returns its record.
 *
 * @throws Inconclusive when a plain market order found too little volume, which depends on the tape
 */
export async function place(actor: Actor, body: Json): Promise<Json> {
  const order = accepted(await actor.call('orders.place', { body }), 'the order');
  const isPlain = body.order_type === 'market' && body.slippage_bps === undefined;
  if (isPlain && order.status === 'cancelled') {
    throw new Inconclusive('A small market order found too little volume.', true);
  }
  return order;
}

export interface Opening {
  side?: Side;
  /** Quote units, before the stage's scale. */
  value?: number;
  /** Whether the value is used unscaled. */
  isExact?: boolean;
}

/** Opens a position by a market order; returns the position. */
export async function openPosition(
  stage: Stage,
  actor: Actor,
  { side = 'buy', value = 1_000, isExact = false }: Opening = {},
): Promise<Json> {
  const { symbol } = stage.instrument;
  const { mark } = await priceOf(stage, actor);
  const size = isExact ? sizeFor(stage.instrument, value, mark) : tradeSize(stage, value, mark);
  const order = await place(actor, { symbol, side, size, order_type: 'market' });
  that(order.status === 'filled', 'a market order to fill', order);
  return position(stage, actor);
}

export async function position(stage: Stage, actor: Actor): Promise<Json> {
  const params = { symbol: stage.instrument.symbol };
  return accepted(await actor.call('positions.get', { params }), 'the position');
}

/** Launches an algorithm with its own key. */
export function launch(stage: Stage, actor: Actor, body: unknown): Promise<Answer> {
  return actor.call('executions.launch', { body, idempotencyKey: stage.unique() });
}

export async function execution(actor: Actor, id: string): Promise<Json> {
  return accepted(await actor.call('executions.get', { params: { id } }), 'the execution');
}

/** All items of a list of an execution, oldest first. */
export async function itemsOf(
  actor: Actor,
  endpoint: 'executions.orders' | 'executions.fills' | 'executions.events',
  id: string,
): Promise<Json[]> {
  const answer = await actor.call(endpoint, { params: { id }, query: { limit: 500 } });
  const { items } = accepted(answer, `the ${endpoint}`);
  return [...items].sort((a, b) => (a.time ?? a.created_time) - (b.time ?? b.created_time));
}

/** The last closed bars, oldest first. */
export async function closedBars(
  stage: Stage,
  actor: Actor,
  { interval = '1m', limit = 500 }: { interval?: Interval; limit?: number } = {},
): Promise<CandleRecord[]> {
  const params = { symbol: stage.instrument.symbol };
  const answer = await actor.call('market.candles', { params, query: { interval, limit } });
  return accepted(answer, 'candles').candles as CandleRecord[];
}

/** The value of one line of an indicator at the last closed bar. */
export async function valueOf(
  stage: Stage,
  actor: Actor,
  read: { indicator: string; params?: object; series?: string; interval: Interval },
): Promise<{ value: number; bar_time: number }> {
  const { indicator, params, series, interval } = read;
  const item = {
    id: 'value',
    indicator,
    ...(params === undefined ? {} : { params }),
    ...(series === undefined ? {} : { series }),
  };
  const body = { symbol: stage.instrument.symbol, interval, indicators: [item] };
  const answer = accepted(await actor.call('market.evaluate', { body }), 'the evaluation');
  const [row] = answer.values;
  if (typeof row?.value === 'number') return { value: row.value, bar_time: row.bar_time };
  const line = row?.series?.[series ?? ''];
  if (typeof line !== 'number') throw new Inconclusive(`No value of ${indicator} came back.`);
  return { value: line, bar_time: row.bar_time };
}

export const bpsBetween = (from: number, to: number): number =>
  (Math.abs(to - from) / from) * 10_000;

/** A sum of sizes without binary rounding errors. */
export const sizeSum = (rows: readonly Json[]): number =>
  roundTo(
    rows.reduce((sum: number, row) => sum + Number(row.size), 0),
    9,
  );

/** Attaches legs to the position of the instrument that checks trade. */
export function attach(stage: Stage, me: Actor, body: unknown): Promise<Answer> {
  const params = { symbol: stage.instrument.symbol };
  return me.call('positions.attachLegs', { params, body });
}

/** A resting order with legs. */
export async function withLegs(
  stage: Stage,
  me: Actor,
  legs: Record<string, unknown>,
  more: { side?: Side; price?: number } = {},
): Promise<Answer> {
  const base = await restingOrder(stage, me, more.side ?? 'buy');
  const price = more.price ?? base.price;
  return me.call('orders.place', { body: { ...base, price, ...legs } });
}
