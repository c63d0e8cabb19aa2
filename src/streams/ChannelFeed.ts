import { CHANNELS, isChannelName, type StreamFrame } from '../contract/frames.ts';
import type { Cancel } from '../env/Clock.ts';
import type { BarColumns, BarLane, BarTaker } from '../env/BarSpan.ts';
import type { Env } from '../env/Env.ts';
import type { Link, Subscription } from '../env/Link.ts';
import type { FeedRhythm } from './FeedPulse.ts';
import type { ReportFault } from './StreamFault.ts';

/**
 * Position of a frame in its sequence. `live`: next in order. `unsynced`: a fresh snapshot has been requested
 * and will include it. `late`: missed before, and older than what was applied since.
 */
export type FrameOrder = 'live' | 'unsynced' | 'late';

/** How a channel handles its frames. */
export interface FeedHandler {
  apply(frame: StreamFrame, order: FrameOrder): void;
  /** Something may be missing until the next snapshot. */
  incomplete(): void;
  /** No subscribers are left: the known state becomes stale. */
  forget(): void;
  /** No snapshot will come. */
  refused?(): void;
  /** The service owes a snapshot: it was asked for twice, or the channel's events have begun without one. */
  missing?(): void;
  /** Present if frames of a replay may come as rows of columns. */
  rows?: BarTaker & Pick<BarLane, 'isReady'>;
  /** Whether nothing is decided by the next frame; default no. */
  isPassive?(): boolean;
  /** Present if the channel delivers by itself, again and again. */
  rhythm?: FeedRhythm;
}

export interface FeedOptions {
  link: Pick<Link, 'subscribe' | 'unsubscribe'>;
  env: Pick<Env, 'timers'>;
  subscription: Subscription;
  handler: FeedHandler;
  report: ReportFault;
  isOpen: () => boolean;
}

const SNAPSHOT_TIMEOUT_MS = 5_000;
/** The link asks again within five minutes for what is refused for now; the snapshot of that may be lost too. */
const REFUSED_TIMEOUT_MS = 300_000 + SNAPSHOT_TIMEOUT_MS;
/** One may be lost; a service that acknowledges and sends none twice may never send any. */
const MISSES = 2;
const MOST_MISSING = 1_000;
const CANDIDATE_FRAMES = 1_000;

/**
 * One subscription while it has listeners: counts its holders, watches `seq`, drops duplicates, and requests a
 * fresh snapshot when a frame is missing.
 */
export class ChannelFeed {
  readonly subscription: Subscription;
  readonly #options: FeedOptions;
  readonly #hasSnapshot: boolean;
  readonly #missing = new Set<number>();
  #holders = 0;
  /** The next sequence number; null before a sequence's first frame. */
  #next: number | null = null;
  #awaiting = false;
  /** Snapshots in a row that did not come. */
  #misses = 0;
  #firstTs = Number.NaN;
  #firstData: unknown;
  /** Latest time of a frame that came in order; −∞ if an older one may be valid. */
  #lastTs = Number.NEGATIVE_INFINITY;
  /**
   * A sequence that begins earlier than what was seen: late frames from before, or the service's clock was set
   * back. The answer to a second request decides; until then its frames are queued.
   */
  #candidate: StreamFrame[] = [];
  #cancelTimer: Cancel = () => {};

  constructor(options: FeedOptions) {
    this.#options = options;
    this.subscription = options.subscription;
    const { channel } = options.subscription;
    this.#hasSnapshot = isChannelName(channel) && 'snapshot' in CHANNELS[channel].events;
  }

  get isHeld(): boolean {
    return this.#holders > 0;
  }

  get rhythm(): FeedRhythm | undefined {
    return this.#options.handler.rhythm;
  }

  acquire(): void {
    this.#holders += 1;
    if (this.#holders > 1) return;
    this.#candidate = [];
    this.#next = null;
    this.#lastTs = Number.NEGATIVE_INFINITY;
    this.#misses = 0;
    this.#ask();
  }

  release(): void {
    this.#holders -= 1;
    if (this.#holders > 0) return;
    this.#cancelTimer();
    this.#missing.clear();
    this.#firstData = undefined;
    this.#options.link.unsubscribe(this.subscription);
    this.#options.handler.forget();
  }

  accept(frame: StreamFrame): void {
    if (this.#holders === 0) return;
    const { handler } = this.#options;
    if (frame.seq === 1) this.#acceptFirst(frame);
    else if (this.#next === null) handler.apply(frame, 'unsynced');
    else if (this.#isOfCandidate(frame)) this.#holdBack(frame);
    else if (frame.seq === this.#next && this.#isInTurn(frame)) {
      this.#next += 1;
      this.#lastTs = Math.max(this.#lastTs, frame.ts);
      handler.apply(frame, this.#awaiting ? 'unsynced' : 'live');
    } else if (frame.seq >= this.#next) this.#skipTo(frame, this.#next);
    else if (this.#missing.delete(frame.seq)) handler.apply(frame, 'late');
    // A duplicate is never newer than everything received: a frame of another sequence had the same number.
    else if (frame.ts > this.#lastTs) this.#distrust(frame, this.#next);
  }

  /** Whether the next frame, as it is expected, may come as a row of columns. */
  takesRows(): boolean {
    return this.isInStep() && this.#options.handler.rows?.isReady() === true;
  }

  /** Whether nothing is decided by the next frame. */
  isPassive(): boolean {
    return this.isInStep() && this.#options.handler.isPassive?.() === true;
  }

  /** Whether the next frame will be the one that is expected. */
  isInStep(): boolean {
    const isHeld = this.#holders > 0 && this.#next !== null && !this.#awaiting;
    return isHeld && this.#candidate.length === 0;
  }

  /** The first row in [from, to) that a listener has to take; `to` if there is none. */
  nextRow(bars: BarColumns, from: number, to: number): number {
    return this.#options.handler.rows!.next(bars, from, to);
  }

  /** The next frame, as a row. */
  takeRow(bars: BarColumns, at: number, ts: number): void {
    this.#next! += 1;
    this.#lastTs = ts;
    this.#options.handler.rows!.take(bars, at);
  }

  /** The next frames, as rows of which no listener has to take any. The time that is known stays that of the last taken. */
  passRows(bars: BarColumns, from: number, to: number): void {
    this.#next! += to - from;
    this.#options.handler.rows!.pass(bars, from, to);
  }

  /** Requests a fresh snapshot without a reason, as a periodic check does. */
  resync(): void {
    if (this.#holders > 0 && !this.#awaiting) this.#ask();
  }

  /** Subscribes again, even if an answer is still pending: it is overdue. */
  resubscribe(): void {
    if (this.#holders > 0) this.#ask();
  }

  /** The connection is lost; the link itself subscribes again once there is a new one. */
  lost(): void {
    if (this.#holders === 0) return;
    this.#misses = 0;
    this.#cancelTimer();
    this.#missing.clear();
    this.#candidate = [];
    this.#next = null;
    this.#lastTs = Number.NEGATIVE_INFINITY;
    this.#awaiting = true;
    this.#options.handler.incomplete();
  }

  opened(): void {
    if (this.#holders > 0 && this.#awaiting) this.#watchForSnapshot();
  }

  /** What the snapshot would show was read instead; in a while it is asked for again. */
  wasRead(): void {
    this.#misses = 0;
    if (this.#awaiting && this.#holders > 0) this.#watchForSnapshot(REFUSED_TIMEOUT_MS);
  }

  /**
   * The service refuses it: no snapshot will come, or not soon.
   *
   * @param isFinal whether the link does not request it again by itself
   */
  refused(isFinal: boolean): void {
    this.#cancelTimer();
    if (!isFinal) {
      if (this.#holders > 0 && this.#awaiting) this.#watchForSnapshot(REFUSED_TIMEOUT_MS);
    } else if (this.#next === null) this.#options.handler.refused?.();
    // The former subscription goes on, and the next check or gap asks again.
    else this.#awaiting = false;
  }

  /**
   * A requested snapshot begins a sequence, if it is not older than what was seen before the request. A
   * repeated first frame is a duplicate; one that was not requested is a restart. An older one is from before,
   * or the service's clock was set back: if a snapshot replaces all that is known, a second one decides; if
   * there is none, the next frame corrects what an outdated one showed.
   */
  #acceptFirst(frame: StreamFrame): void {
    const isNewer = this.#awaiting ? frame.ts >= this.#lastTs : frame.ts > this.#firstTs;
    if (isNewer) this.#begin(frame);
    else if (!this.#awaiting && this.#isFirstAgain(frame)) return;
    else if (!this.#hasSnapshot || this.#isConfirmedBy(frame)) this.#beginEpoch(frame);
    else {
      this.#candidate = [frame];
      this.#ask();
    }
  }

  /** After a clock was set back, the time may be equal: then the content of the frame decides. */
  #isFirstAgain({ ts, data }: StreamFrame): boolean {
    if (ts !== this.#firstTs) return false;
    return JSON.stringify(data) === JSON.stringify(this.#firstData);
  }

  #isConfirmedBy(frame: StreamFrame): boolean {
    const [first] = this.#candidate;
    return this.#awaiting && first !== undefined && frame.ts >= first.ts;
  }

  #isOfCandidate(frame: StreamFrame): boolean {
    const last = this.#candidate.at(-1);
    if (last === undefined) return false;
    return frame.seq === last.seq + 1 && frame.ts >= last.ts && frame.ts < this.#lastTs;
  }

  #holdBack(frame: StreamFrame): void {
    this.#candidate.push(frame);
    if (this.#candidate.length >= CANDIDATE_FRAMES) this.#beginEpoch();
  }

  /**
   * The service's clock was set back: what is older by it is new. The queued frames are applied, since an event
   * in them, such as a fill, is in no snapshot.
   *
   * @param confirming the sequence after the one that was queued; if left out, that one continues
   */
  #beginEpoch(confirming?: StreamFrame): void {
    const [first = confirming!, ...rest] = this.#candidate;
    const byMs = Math.max(this.#lastTs, this.#firstTs) - first.ts;
    this.#options.report({ kind: 'clock_back', ...this.subscription, byMs });
    this.#begin(first);
    for (const frame of rest) {
      this.#next = frame.seq + 1;
      this.#lastTs = frame.ts;
      this.#options.handler.apply(frame, 'live');
    }
    if (confirming !== undefined && confirming !== first) this.#begin(confirming);
  }

  /**
   * A late frame of the previous sequence may carry the next number: a snapshot decides, once requested. If
   * there is none, the number is trusted, and the clock was set back.
   */
  #isInTurn(frame: StreamFrame): boolean {
    if (frame.ts >= this.#firstTs) return true;
    if (this.#hasSnapshot) return this.#awaiting;
    const byMs = this.#lastTs - frame.ts;
    this.#options.report({ kind: 'clock_back', ...this.subscription, byMs });
    this.#firstTs = frame.ts;
    this.#lastTs = frame.ts;
    return true;
  }

  #begin(frame: StreamFrame): void {
    this.#cancelTimer();
    this.#missing.clear();
    this.#candidate = [];
    this.#awaiting = false;
    this.#firstTs = frame.ts;
    this.#firstData = frame.data;
    this.#lastTs = frame.ts;
    this.#next = 2;
    const { handler } = this.#options;
    handler.apply(frame, 'live');
    if (!this.#hasSnapshot || frame.event === 'snapshot') this.#misses = 0;
    else handler.missing?.();
  }

  #skipTo(frame: StreamFrame, expected: number): void {
    this.#next = frame.seq + 1;
    for (let seq = Math.max(expected, frame.seq - MOST_MISSING); seq < frame.seq; seq++) {
      this.#missing.add(seq);
    }
    this.#distrust(frame, expected);
  }

  /** Frames are missing, or were assigned to the wrong sequence. */
  #distrust(frame: StreamFrame, expected: number): void {
    const { handler, report } = this.#options;
    this.#lastTs = Math.max(this.#lastTs, frame.ts);
    // Also reported while a snapshot is pending: it will not contain what was only an event, such as a fill.
    report({ kind: 'gap', ...this.subscription, expected, got: frame.seq });
    handler.incomplete();
    handler.apply(frame, 'unsynced');
    if (!this.#awaiting) this.#ask();
  }

  #ask(): void {
    this.#awaiting = true;
    this.#options.link.subscribe(this.subscription);
    if (this.#awaiting && this.#options.isOpen()) this.#watchForSnapshot();
  }

  #watchForSnapshot(withinMs = SNAPSHOT_TIMEOUT_MS): void {
    this.#cancelTimer();
    if (!this.#hasSnapshot) return;
    this.#cancelTimer = this.#options.env.timers.after(withinMs, () => {
      if (!this.#awaiting || !this.#options.isOpen()) return;
      this.#options.report({ kind: 'no_snapshot', ...this.subscription });
      // The second answer may be lost: the first one alone is better than none.
      if (this.#candidate.length > 0) return this.#beginEpoch();
      this.#misses += 1;
      if (this.#misses >= MISSES) this.#options.handler.missing?.();
      // The service's clock may have been set back.
      this.#lastTs = Number.NEGATIVE_INFINITY;
      this.#ask();
    });
  }
}
