import type { Side } from '../../../src/contract/index.ts';
import { toValidPrice } from '../../../src/contract/index.ts';
import { createBench, feedOf, flat, MINUTE } from '../engine/bench.ts';

/** What an algorithm asks for in one call, in order; numbers rounded, so that they can be compared. */
export type Asked = ReadonlyArray<string | number | null>;

export interface Moment {
  side: Side;
  /** Ticks of a cent above 100. */
  bid: number;
  spread: number;
  mark: number;
  now: number;
  filled: number;
  remaining: number;
  /** What the market gives of what is taken. */
  offered: number;
  barVolume: number;
  isRunning: boolean;
}

export const BAR = MINUTE;
export const CORNER_MS = 15_000;
export const MIN_VALUE = 300;
const instrument = {
  ...createBench({ feeds: [feedOf(flat(100, 2))] }).engine.market.instrument('BTC')!,
  min_order_value: MIN_VALUE,
};

export const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;
export const cents = (ticks: number): number => rounded(100 + ticks / 100);

/** An algorithm's context without a venue: it says what was asked, and fills what is offered. */
export function fakeContext<S>(moment: Moment, given: { state: S; launch: object; more?: object }) {
  const asked: Asked[] = [];
  const bid = cents(moment.bid);
  const ask = cents(moment.bid + moment.spread);
  const isBuy = moment.side === 'buy';
  const context = {
    side: moment.side,
    sign: isBuy ? 1 : -1,
    near: isBuy ? bid : ask,
    far: isBuy ? ask : bid,
    mark: cents(moment.mark),
    now: moment.now,
    barMs: BAR,
    barVolume: moment.barVolume,
    nextCornerTime: moment.now + CORNER_MS,
    filled: moment.filled,
    remaining: moment.remaining,
    isRunning: moment.isRunning,
    instrument,
    engine: { settings: { volumeShare: 0.1 } },
    execution: { record: { total_size: moment.filled + moment.remaining }, ...given.more },
    launch: { side: moment.side, ...given.launch },
    state: given.state,
    floor: (size: number) => Math.floor(rounded(size * 100)) / 100,
    isTooSmall: (size: number) => size * context.mark < MIN_VALUE,
    inside: (price: number) => toValidPrice(price, instrument, isBuy ? 'down' : 'up'),
    enter: (phase: string) => void asked.push(['enter', phase]),
    post: (price: number) => void asked.push(['post', rounded(price)]),
    take(
      size: number,
      bound: number | null,
      options?: { volumeShare?: number | null; anyPrice?: boolean },
    ) {
      const share = options?.volumeShare;
      const how = share === undefined ? [] : [share];
      if (options?.anyPrice === true) asked.push(['any price']);
      asked.push(['take', rounded(size), bound === null ? null : rounded(bound), ...how]);
      const got = Math.min(size, moment.offered, context.remaining);
      context.filled = rounded(context.filled + got);
      context.remaining = rounded(context.remaining - got);
      if (context.remaining === 0) context.isRunning = false;
    },
    wakeAt: (time: number) => void asked.push(['wake', time]),
    stop(reason: string) {
      asked.push(['stop', reason]);
      context.isRunning = false;
    },
    cancelChildren: () => void asked.push(['cancel']),
    watchPrice: (price: number, side: string) => void asked.push(['watch', rounded(price), side]),
    unwatchPrices: () => void asked.push(['unwatch']),
    stopTracking: () => void asked.push(['untrack']),
  };
  return { context: context as never, asked, after: context };
}
