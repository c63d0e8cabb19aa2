import {
  INTERVAL_MS,
  type AccountRecord,
  type BalanceRecord,
  type FillRecord,
  type PositionRecord,
  type PriceRecord,
} from '../contract/index.ts';
import { sha256 } from '../env/index.ts';
import type { BookTick, MarketTick } from '../streams/index.ts';
import type { Bar } from './Bar.ts';
import type { Funding } from './createFunding.ts';
import type { Trigger } from './Emission.ts';
import type { Outcome } from './Outcome.ts';
import type {
  OwnExecutionEvent,
  OwnMonitorEvent,
  OwnOrderEvent,
  OwnWatchEvent,
} from './OwnEvents.ts';
import type { RefNews } from './refs/RefEvent.ts';
import type { RefChange } from './refs/RefState.ts';

/**
 * How one kind of event is named as a cause (reliability: *Identity*). Names come from the service's data,
 * never from counting, so a restarted bot gives the same event the same name. Both are computed only when an
 * intent is emitted: most events cause none.
 */
export interface Cause<T> {
  /** @param now market time, for events without a time of their own */
  name(event: T, now: number): string;
  trigger(event: T): Trigger;
  /** Market time of the event, if it has one; otherwise that of its frame. */
  time?(event: T): number | undefined;
  /** A decision deferred within its turn is not late: the time was chosen. */
  isTimer?: true;
}

export const barCause: Cause<Bar> = {
  name: ({ symbol, interval, time }) => `bar:${symbol}:${interval}:${time}`,
  trigger: (bar) => ({ bar: { ...bar } }),
  time: ({ interval, time }) => time + INTERVAL_MS[interval],
};

/** Each update of a bar in progress is a separate event. */
export const formingCause: Cause<Bar> = {
  name: ({ symbol, interval, time }, now) => `forming:${symbol}:${interval}:${time}:${now}`,
  trigger: (bar) => ({ bar: { ...bar } }),
};

export const fillCause: Cause<FillRecord> = {
  name: (fill) => `fill:${fill.fill_id}`,
  trigger: ({ fill_id, order_id, symbol, side, price, size, time }) => ({
    fill: { fill_id, order_id, symbol, side, price, size, time },
  }),
  time: ({ time }) => time,
};

/** A row has no time of its own, and a trail may come back to a price: only the time distinguishes them. */
export const watchCause: Cause<OwnWatchEvent> = {
  name: ({ event, row }, now) => `watch:${row.leg_id ?? row.watch_id}:${event}:${now}`,
  trigger: ({ event, row }) => {
    const { watch_kind, leg_id, watch_id, symbol, trigger_price, status } = row;
    return { watch: { event, watch_kind, leg_id, watch_id, symbol, trigger_price, status } };
  },
};

/** What a snapshot lacks has no time of its own. */
export const executionCause: Cause<OwnExecutionEvent> = {
  name: ({ event, execution: { execution_id: id, updated_time: time } }, now) =>
    `execution:${id}:${event}:${event === 'gone' ? now : time}`,
  trigger: ({ event, execution }) => {
    const { execution_id, symbol, status, reason, filled_size, average_price } = execution;
    return {
      execution: { event, execution_id, symbol, status, reason, filled_size, average_price },
    };
  },
};

/** An order has no time of its own for what a snapshot lacks: then only the time distinguishes. */
export const orderCause: Cause<OwnOrderEvent> = {
  name: (event, now) => `order:${orderStep(event, now)}`,
  trigger: ({ event, order }) => {
    const { order_id, symbol, side, price, size, filled_size, status, ref } = order;
    return { order: { event, order_id, symbol, side, price, size, filled_size, status, ref } };
  },
};

const orderStep = ({ event, order }: OwnOrderEvent, now: number): string => {
  const { order_id: id, status, filled_size: filled, updated_time: time } = order;
  return event === 'gone' ? `${id}:gone:${now}` : `${id}:${status}:${filled}:${time}`;
};

/** A monitor's record has no time of change. */
export const monitorCause: Cause<OwnMonitorEvent> = {
  name: ({ event, monitor }, now) => `monitor:${monitor.monitor_id}:${event}:${now}`,
  trigger: ({ event, monitor }) => {
    const { monitor_id, name, status, fired_count, ref } = monitor;
    return { monitor: { event, monitor_id, name, status, fired_count, ref } };
  },
};

/** Balances have no time of their own. */
export const balancesCause: Cause<readonly BalanceRecord[]> = {
  name: (_balances, now) => `balances:${now}`,
  trigger: (balances) => ({
    balances: Object.fromEntries(balances.map(({ asset, total }) => [asset, total])),
  }),
};

/** Named after the ref and what changed it, which the service's data or the decision names. */
export const refCause: Cause<RefChange> = {
  name: ({ ref, news }, now) => `ref:${toPart(ref)}:${newsName(news, now)}`,
  trigger: ({ ref, state: { state, filled, remaining, ended } }) => ({
    ref: { ref, state, filled, remaining, ended },
  }),
  time: ({ news }) => (news.kind === 'fill' ? news.fill.time : undefined),
};

function newsName(news: RefNews, now: number): string {
  switch (news.kind) {
    case 'outcome':
      return `${keyPart(news.outcome.decisionKey)}:${news.outcome.state}`;
    case 'fill':
      return `fill:${news.fill.fill_id}`;
    case 'order':
      return `order:${orderStep({ event: 'changed', order: news.order }, now)}`;
    case 'execution': {
      const { execution_id: id, status, filled_size: filled, updated_time: time } = news.execution;
      return `execution:${id}:${status}:${filled}:${time}`;
    }
    case 'monitor':
      return `monitor:${news.monitor.monitor_id}:${news.monitor.status}:${now}`;
    default:
      return `gone:${news.id}:${now}`;
  }
}

/** A key holds the parts of its own cause; as a part of another it may not hold `#` or `/`. */
const toPart = (text: string): string => text.replace(/[/#]/g, ':');

/** Longer than the name of any event and of some decisions upon it. */
const LONGEST_PART = 300;

/**
 * A decision's key as a part of the cause that its outcome is. Decisions upon each other's outcomes hold one another:
 * from a length on, a digest stands for the rest, or the names of a long chain would fill the journal. It is made of
 * the key alone, so that a restarted bot names the same decision as before.
 */
function keyPart(decisionKey: string): string {
  const part = toPart(decisionKey);
  if (part.length <= LONGEST_PART) return part;
  return `chain-${sha256(part).slice(0, 32)}`;
}

export const outcomeCause: Cause<Outcome> = {
  name: ({ decisionKey, state }) => `outcome:${keyPart(decisionKey)}:${state}`,
  trigger: ({ decisionKey, state, reason }) => ({ outcome: { decisionKey, state, reason } }),
};

export const priceCause: Cause<PriceRecord & { symbol: string }> = {
  name: ({ symbol, time }, now) => `price:${symbol}:${time ?? now}`,
  trigger: ({ symbol, mark, bid, ask, last, time }) => ({
    price: { symbol, mark, bid, ask, last, time },
  }),
  time: ({ time }) => time,
};

export const marketCause: Cause<MarketTick> = {
  name: ({ symbol, time }) => `market:${symbol}:${time}`,
  trigger: ({ symbol, mark, index, funding_rate, volume_24h, open_interest, time }) => ({
    market: { symbol, mark, index, funding_rate, volume_24h, open_interest, time },
  }),
  time: ({ time }) => time,
};

export const bookCause: Cause<BookTick> = {
  name: ({ symbol, bids, time }) => `book:${symbol}:${bids.length}:${time}`,
  trigger: ({ symbol, bids, asks, time, source }) => ({
    book: { symbol, bid: bids[0], ask: asks[0], time, source },
  }),
  time: ({ time }) => time,
};

/** A payment is named by its settlement, a rate by the settlement that it is for. */
export const fundingCause: Cause<Funding> = {
  name: ({ symbol, rate, next_time, last, time }) =>
    last?.time === time
      ? `funding:${symbol}:paid:${time}`
      : `funding:${symbol}:${next_time ?? time}:${rate}`,
  trigger: ({ symbol, rate, next_time, paid, time }) => ({
    funding: { symbol, rate, next_time, paid, time },
  }),
  time: ({ time }) => time,
};

export const accountCause: Cause<AccountRecord> = {
  name: ({ time }) => `account:${time}`,
  trigger: ({ equity, available_margin, time }) => ({
    account: { equity, available_margin, time },
  }),
};

export interface PositionChange {
  symbol: string;
  position: PositionRecord | null;
}

export const positionCause: Cause<PositionChange> = {
  name: ({ symbol, position }, now) =>
    position === null
      ? `position:${symbol}:flat:${now}`
      : `position:${symbol}:${position.updated_time}`,
  trigger: ({ symbol, position }) => {
    if (position === null) return { position: { symbol, size: 0 } };
    const { side, size, entry_price, updated_time } = position;
    return { position: { symbol, side, size, entry_price, updated_time } };
  },
};

export const timerCause: Cause<number> = {
  name: (time) => `timer:${time}`,
  trigger: (time) => ({ timer: { time } }),
  time: (time) => time,
  isTimer: true,
};

/** A timer set on a late event: its decision is as late as that event. */
export function lateTimerCause(lateMs: number): Cause<number> {
  return { ...timerCause, time: (time) => time - lateMs };
}

export const setupCause: Cause<undefined> = {
  name: () => 'setup',
  trigger: () => ({ setup: true }),
};
