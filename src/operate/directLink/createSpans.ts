/**
 * Spans of the direct link: stretches of the replay in which nothing can happen but that bars close. They are handed on
 * row by row of the feed's columns, without timers, frames and deliveries in between.
 *
 * engine: quiet until → rows, merged by close time → lanes of the runtime → engine: skipped to the last of them
 */
import { INTERVAL_MS } from '../../contract/index.ts';
import type { BarColumns, BarLane, SpanReceiver, TaskQueue } from '../../env/index.ts';
import type { PaperCore, StreamSubscription } from '../../paper/index.ts';

export interface SpansOptions {
  core: PaperCore;
  /** Bar of the finest feed, milliseconds: without spans, no step goes beyond its close. */
  stepMs: number;
  /** Market time. */
  market: TaskQueue;
  /** Wall time and timers, which follow a step behind while bars are delivered. */
  queue: TaskQueue;
  /** The params that the runtime gave for a subscription, by which it finds its lane. */
  ownParams(subscription: StreamSubscription): Readonly<Record<string, unknown>>;
}

export interface Spans {
  offer(receiver: SpanReceiver): void;
  /**
   * Hands on the bars that close before `before`, as far as nothing else can happen, and returns the time reached: the
   * present time if there is no such stretch.
   */
  run(before: number): number;
  /** The bars of this instant are the last of the span. */
  interrupt(): void;
  /** A request is about to reach the service: it must be where the bot is. */
  catchUp(): void;
}

/** A span is short after an interruption and grows with each that had none, as reading ahead costs time. */
const LEAST_AHEAD = 16;
const MOST_AHEAD = 4_096;

/** The rows of one subscription. */
interface Lane {
  readonly subscription: StreamSubscription;
  readonly receiver: BarLane;
  readonly bars: BarColumns;
  readonly intervalMs: number;
  /** The next row, and when it closes; Infinity after the last. */
  at: number;
  next: number;
  /** Rows before it count as sent. */
  sent: number;
}

export function createSpans(options: SpansOptions): Spans {
  const { core, stepMs, market, queue } = options;
  const { engine } = core;
  let receiver: SpanReceiver | undefined;
  let lanes: readonly Lane[] | null = null;
  let lanesOf: readonly StreamSubscription[] | null = null;
  let ahead = LEAST_AHEAD;
  let isRunning = false;
  let isCut = false;
  /** Time of the bars that are being delivered. */
  let instant = 0;

  function openLanes(subscriptions: readonly StreamSubscription[]): readonly Lane[] | null {
    const opened: Lane[] = [];
    for (const { symbol, interval, bars } of engine.publishedBars()) {
      for (const subscription of subscriptions) {
        const { params } = subscription;
        if (params['symbol'] !== symbol || params['interval'] !== interval) continue;
        const own = { channel: 'candles', params: options.ownParams(subscription) };
        const lane = receiver?.lane(own);
        if (bars === null || lane === undefined) return null;
        const intervalMs = INTERVAL_MS[interval];
        opened.push({ subscription, receiver: lane, bars, intervalMs, at: 0, next: 0, sent: 0 });
      }
    }
    return opened;
  }

  /** Whether every subscription takes columns; then the lanes stand at the next bar to close. */
  function areReady(): boolean {
    const subscriptions = core.candleSubscriptions();
    if (subscriptions === null) return false;
    if (subscriptions !== lanesOf) lanes = openLanes(subscriptions);
    lanesOf = subscriptions;
    if (lanes === null) return false;
    for (let at = 0; at < lanes.length; at++) if (!lanes[at]!.receiver.isReady()) return false;
    for (let at = 0; at < lanes.length; at++) seek(lanes[at]!, engine.now);
    return true;
  }

  /** Time is that of the last step's end while bars are delivered, since a step ends after its frames. */
  function enter(time: number): void {
    const boundary = Math.ceil(time / stepMs) * stepMs - stepMs;
    queue.advanceTo(boundary > instant ? boundary : instant);
    market.advanceTo(time);
    instant = time;
  }

  /** Most runs have one subscription. */
  function deliverOne(lane: Lane, until: number): void {
    const { bars, intervalMs, receiver: to } = lane;
    const tasks = market.scheduled + queue.scheduled;
    while (lane.next <= until && !isCut) {
      const time = lane.next;
      enter(time);
      const { at } = lane;
      advance(lane, bars, intervalMs);
      to.take(bars, at, time);
      if (market.scheduled + queue.scheduled !== tasks) isCut = true;
    }
  }

  function deliverAll(all: readonly Lane[], until: number): void {
    const tasks = market.scheduled + queue.scheduled;
    while (!isCut) {
      const time = nextClose(all);
      if (time > until) return;
      enter(time);
      for (let index = 0; index < all.length; index++) {
        const lane = all[index]!;
        if (lane.next !== time) continue;
        const { at } = lane;
        advance(lane, lane.bars, lane.intervalMs);
        // Whoever withdrew it at this very instant gets nothing more.
        if (!isCut || lane.receiver.isReady()) lane.receiver.take(lane.bars, at, time);
      }
      if (market.scheduled + queue.scheduled !== tasks) isCut = true;
    }
  }

  function catchUp(): void {
    if (!isRunning) return;
    isCut = true;
    settle(instant);
  }

  function settle(time: number): void {
    if (time > engine.now) engine.skipTo(time);
    for (const lane of lanes ?? []) {
      // What closes now has been sent, whether or not it is delivered yet.
      const closed = lane.next <= time ? lane.at + 1 : lane.at;
      if (closed > lane.sent) lane.subscription.skip(closed - lane.sent);
      lane.sent = Math.max(lane.sent, closed);
    }
  }

  /** Where the steps of a walk bar by bar would stand. */
  function lastStepBy(time: number): number {
    if (time >= engine.endTime) return engine.endTime;
    return Math.max(Math.floor(time / stepMs) * stepMs, instant);
  }

  return {
    offer(newReceiver) {
      receiver = newReceiver;
      lanesOf = null;
    },
    run(before) {
      const { now } = engine;
      if (receiver === undefined) return now;
      const due = Math.min(before, queue.nextTime() ?? Infinity);
      // What is due at a bar's close comes before the bar.
      const limit = Math.min(Math.ceil(due) - 1, engine.endTime, now + ahead * stepMs);
      if (limit < now + stepMs || !areReady()) return now;
      const until = engine.quietUntil(limit);
      if (until <= now) return now;
      isCut = false;
      isRunning = true;
      instant = now;
      if (lanes!.length === 1) deliverOne(lanes![0]!, until);
      else deliverAll(lanes!, until);
      ahead = isCut ? LEAST_AHEAD : Math.min(2 * ahead, MOST_AHEAD);
      const reached = isCut ? instant : lastStepBy(until);
      settle(reached);
      isRunning = false;
      receiver.settle();
      market.advanceTo(reached);
      queue.advanceTo(reached);
      return reached;
    },
    interrupt: () => void (isCut = true),
    catchUp,
  };
}

function advance(lane: Lane, { time }: BarColumns, intervalMs: number): void {
  const at = ++lane.at;
  lane.next = at < time.length ? time[at]! + intervalMs : Infinity;
}

/** Moves a lane to the first row that closes after a time; mostly it is the next one. */
function seek(lane: Lane, now: number): void {
  const { bars, intervalMs } = lane;
  const { time } = bars;
  if (lane.at === 0 || lane.next <= now) {
    let [from, to] = [lane.at, time.length];
    // Steps bar by bar leave it a few rows behind.
    while (from < to && to - from > 8 && time[from + 8]! + intervalMs > now) to = from + 8;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (time[middle]! + intervalMs <= now) from = middle + 1;
      else to = middle;
    }
    lane.at = from;
    lane.next = from < time.length ? time[from]! + intervalMs : Infinity;
  }
  lane.sent = lane.at;
}

function nextClose(lanes: readonly Lane[]): number {
  let next = Infinity;
  for (let at = 0; at < lanes.length; at++) if (lanes[at]!.next < next) next = lanes[at]!.next;
  return next;
}
