import {
  INTERVAL_MS,
  type AccountRecord,
  type FillRecord,
  type PositionRecord,
  type PriceRecord,
} from '../contract/index.ts';
import type { ExecutionEvent, WatchEvent } from '../streams/createWalletStreams.ts';
import type { Bar } from './Bar.ts';
import type { Trigger } from './Emission.ts';
import type { Outcome } from './Outcome.ts';

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
export const watchCause: Cause<WatchEvent> = {
  name: ({ event, row }, now) => `watch:${row.leg_id ?? row.watch_id}:${event}:${now}`,
  trigger: ({ event, row }) => {
    const { watch_kind, leg_id, watch_id, symbol, trigger_price, status } = row;
    return { watch: { event, watch_kind, leg_id, watch_id, symbol, trigger_price, status } };
  },
};

export const executionCause: Cause<ExecutionEvent> = {
  name: ({ event, execution }) =>
    `execution:${execution.execution_id}:${event}:${execution.updated_time}`,
  trigger: ({ event, execution }) => {
    const { execution_id, symbol, status, reason, filled_size, average_price } = execution;
    return {
      execution: { event, execution_id, symbol, status, reason, filled_size, average_price },
    };
  },
};

export const outcomeCause: Cause<Outcome> = {
  // The key holds the parts of its own cause; as a part of another it may not hold `#` or `/`.
  name: ({ decisionKey, state }) => `outcome:${decisionKey.replace(/[/#]/g, ':')}:${state}`,
  trigger: ({ decisionKey, state, reason }) => ({ outcome: { decisionKey, state, reason } }),
};

export const priceCause: Cause<PriceRecord & { symbol: string }> = {
  name: ({ symbol, time }, now) => `price:${symbol}:${time ?? now}`,
  trigger: ({ symbol, mark, bid, ask, last, time }) => ({
    price: { symbol, mark, bid, ask, last, time },
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

/** A timer that was set upon an event that was late already: its decision is as late as that event. */
export function lateTimerCause(lateMs: number): Cause<number> {
  return { ...timerCause, time: (time) => time - lateMs };
}

export const setupCause: Cause<undefined> = {
  name: () => 'setup',
  trigger: () => ({ setup: true }),
};
