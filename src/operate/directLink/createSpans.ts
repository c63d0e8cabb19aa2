/**
 * Spans of the direct link: stretches of the replay in which nothing can happen but that bars close, and at their end
 * an hour's funding. They are handed on row by row of the feed's columns, without timers, frames and deliveries in
 * between.
 *
 * engine: quiet until → rows, merged by close time → lanes of the runtime → engine: skipped to the last of them →
 * frames of the funding
 */
import { INTERVAL_MS } from '../../contract/index.ts';
import type { BarColumns, SpanControl, SpanReceiver, TaskQueue } from '../../env/index.ts';
import type { PaperCore, StreamSubscription } from '../../paper/index.ts';
import { createWalkCounter, type WalkReport } from './createWalkCounter.ts';
import {
  closeBefore,
  closeOf,
  findWanted,
  lastClose,
  MOST_AHEAD,
  moveTo,
  nextWanted,
  rowAfter,
  rowBefore,
  seek,
  type Lane,
} from './Lane.ts';

export interface SpansOptions {
  core: PaperCore;
  /** Bar of the finest feed, milliseconds: without spans, no step goes beyond its close. */
  stepMs: number;
  /** Market time. */
  market: TaskQueue;
  /** Wall time and timers, which follow a step behind while bars are delivered. */
  queue: TaskQueue;
  /** The engine has reached the end of a step: whether it has frames, which come before those that they cause. */
  endStep(): boolean;
  /** Delivers the frames of that step. */
  deliver(): void;
  /** The params that the runtime gave for a subscription, by which it finds its lane. */
  ownParams(subscription: StreamSubscription): Readonly<Record<string, unknown>>;
}

export interface Spans {
  /** @param startTime of the replay, epoch milliseconds */
  report(startTime: number): WalkReport;
  offer(receiver: SpanReceiver): void;
  /**
   * Hands on the bars that close before `before`, as far as nothing else can happen, and returns the time reached: the
   * present time if there is no such stretch.
   */
  run(before: number): number;
  /** The bars of this instant are the last of the span. */
  interrupt(): void;
  /** Somebody is about to read what the bars so far have changed. */
  bringUp(): void;
  noteReader: SpanControl['noteReader'];
  /** A request is about to reach the service: it must be where the bot is. */
  catchUp(): void;
}

/** A span is short after an interruption and grows with each that had none, as reading ahead costs time. */
const LEAST_AHEAD = 16;

interface Position {
  instant: number;
  previous: number;
  /** The lane that is being delivered. */
  lane: number;
  /** Of the last time that all lanes were brought up. */
  broughtTime: number;
  broughtLane: number;
}

export function createSpans(options: SpansOptions): Spans {
  const { core, stepMs, market, queue } = options;
  const { engine } = core;
  /** One object for the rows of a run, by which readers recognise them. */
  const ownBars = new Map<BarColumns, BarColumns>();
  const walks = createWalkCounter(stepMs);
  let receiver: SpanReceiver | undefined;
  let lanes: readonly Lane[] | null = null;
  let lanesOf: readonly StreamSubscription[] | null = null;
  let ahead = LEAST_AHEAD;
  let isRunning = false;
  let isCut = false;
  /** Funding was settled at the end of the span. */
  let hasFrames = false;
  /**
   * Time of the bars that are being delivered, and of those before them. Fields, because a number in a variable of a
   * closure is allocated anew with each bar.
   */
  const at: Position = { instant: 0, previous: 0, lane: 0, broughtTime: 0, broughtLane: 0 };

  function rowsOf(bars: BarColumns): BarColumns {
    const own = ownBars.get(bars) ?? { ...bars };
    ownBars.set(bars, own);
    return own;
  }

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
        opened.push({
          subscription,
          receiver: lane,
          bars: rowsOf(bars),
          intervalMs,
          walked: walks.laneOf(symbol, interval),
          at: 0,
          next: 0,
          sent: 0,
          end: 0,
          wanted: 0,
          wantedTime: 0,
        });
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
    for (const lane of lanes) {
      if (!lane.receiver.isReady()) return false;
      seek(lane, engine.now);
    }
    return true;
  }

  function enter(time: number): void {
    market.advanceTo(time);
    at.previous = at.instant;
    at.instant = time;
  }

  /** While bars are delivered, it is the end of the step before: a step ends after its frames. */
  function setWallTime(): void {
    const boundary = Math.ceil(at.instant / stepMs) * stepMs - stepMs;
    let { previous } = at;
    for (const lane of lanes ?? []) previous = Math.max(previous, closeBefore(lane, at.instant));
    queue.advanceTo(Math.max(boundary, previous));
  }

  function interrupt(): void {
    if (isRunning && !isCut) {
      bringUp();
      setWallTime();
    }
    isCut = true;
  }

  /** Most runs have one subscription. */
  function deliverOne(lane: Lane, until: number): void {
    const { bars, receiver: to } = lane;
    const end = rowAfter(lane, until);
    const tasks = market.scheduled + queue.scheduled;
    while (lane.at < end && !isCut) {
      const row = to.next(bars, lane.at, end);
      if (row > lane.at) pass(lane, row);
      if (row === end) return;
      enter(lane.next);
      moveTo(lane, row + 1);
      lane.walked.taken++;
      to.take(bars, row);
      if (market.scheduled + queue.scheduled !== tasks) isCut = true;
    }
  }

  /**
   * Lanes get the rows that they need not take when they take one, or when somebody reads what the rows change: with
   * fifty symbols, some lane takes a row at nearly every instant.
   */
  function deliverAll(all: readonly Lane[], until: number): void {
    for (const lane of all) {
      lane.end = rowAfter(lane, until);
      findWanted(lane);
    }
    const tasks = market.scheduled + queue.scheduled;
    for (let time = nextWanted(all); time < Infinity && !isCut; time = nextWanted(all)) {
      market.advanceTo(time);
      at.instant = time;
      for (let index = 0; index < all.length; index++) {
        const lane = all[index]!;
        at.lane = index;
        if (lane.wantedTime === time) passTo(lane, lane.wanted);
        // After a cut, whoever gets a bar of this instant has to take it.
        if (lane.next === time && (isCut || lane.wantedTime === time)) deliver(lane);
      }
      at.lane = all.length;
      if (market.scheduled + queue.scheduled !== tasks) isCut = true;
    }
    if (isCut) return bringUp();
    for (let index = 0; index < all.length; index++) {
      passTo(all[index]!, all[index]!.end);
      at.instant = Math.max(at.instant, lastClose(all[index]!));
    }
  }

  function deliver(lane: Lane): void {
    const row = lane.at;
    moveTo(lane, row + 1);
    // Whoever withdrew it at this very instant gets nothing more.
    if (isCut && !lane.receiver.isOpen()) return;
    lane.walked.taken++;
    lane.receiver.take(lane.bars, row);
    if (!isCut) findWanted(lane);
  }

  /** Lanes before the one that is being delivered have the bars of this instant, those after it have not. */
  function bringUp(): void {
    if (!isRunning || lanes === null || lanes.length === 1) return;
    if (at.broughtTime === at.instant && at.broughtLane === at.lane) return;
    at.broughtTime = at.instant;
    at.broughtLane = at.lane;
    for (let index = 0; index < lanes.length; index++) {
      const lane = lanes[index]!;
      if (index === at.lane) continue;
      let row = rowBefore(lane, at.instant);
      if (index < at.lane && row < lane.end && closeOf(lane, row) === at.instant) row++;
      passTo(lane, row);
    }
  }

  /** No lane has to take the rows before this one. */
  function passTo(lane: Lane, row: number): void {
    if (row <= lane.at) return;
    lane.walked.bars += row - lane.at;
    lane.receiver.pass(lane.bars, lane.at, row);
    moveTo(lane, row);
  }

  /** The same of the only lane. */
  function pass(lane: Lane, row: number): void {
    passTo(lane, row);
    at.instant = Math.max(at.instant, lastClose(lane));
  }

  function catchUp(): void {
    if (!isRunning) return;
    interrupt();
    settle(at.instant);
  }

  function settle(time: number): void {
    if (time > engine.now) {
      engine.skipTo(time);
      hasFrames = options.endStep();
    }
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
    return Math.max(Math.floor(time / stepMs) * stepMs, at.instant);
  }

  /** Hands on the bars that can be looked ahead for at once; returns the time reached. */
  function walk(last: number): number {
    const { now } = engine;
    const limit = Math.min(last, now + ahead * stepMs);
    if (limit < now + stepMs || !areReady()) return now;
    const until = engine.quietUntil(limit);
    if (until <= now) return now;
    isRunning = true;
    hasFrames = false;
    at.instant = at.previous = now;
    at.lane = 0;
    at.broughtTime = Number.NaN;
    if (lanes!.length === 1) deliverOne(lanes![0]!, until);
    else deliverAll(lanes!, until);
    ahead = isCut ? LEAST_AHEAD : Math.min(2 * ahead, MOST_AHEAD);
    const reached = isCut ? at.instant : lastStepBy(until);
    settle(reached);
    isRunning = false;
    market.advanceTo(reached);
    if (hasFrames) {
      receiver!.settle();
      at.instant = reached;
      setWallTime();
      options.deliver();
      // What they cause comes before the next bars.
      isCut = true;
    }
    queue.advanceTo(reached);
    return reached;
  }

  return {
    report: (startTime) => walks.report(startTime, engine.now),
    offer(newReceiver) {
      receiver = newReceiver;
      lanesOf = null;
    },
    run(before) {
      const { now } = engine;
      if (receiver === undefined) return now;
      const due = Math.min(before, queue.nextTime() ?? Infinity);
      // What is due at a bar's close comes before the bar.
      const last = Math.min(Math.ceil(due) - 1, engine.endTime, now + MOST_AHEAD * stepMs);
      isCut = false;
      let reached = now;
      // What is put off is made up for once, however often it was looked ahead.
      for (let next = walk(last); next > reached; next = walk(last)) {
        reached = next;
        if (isCut) break;
      }
      if (reached === now) return now;
      walks.count((reached - now) / stepMs);
      receiver.settle();
      return reached;
    },
    interrupt,
    bringUp,
    noteReader: walks.noteReader,
    catchUp,
  };
}
