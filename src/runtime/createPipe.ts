/**
 * The pipe, on one screen, in the order of the data:
 *
 * ```
 * emission → identity → guards → journal → budget → wire → outcome → journal
 *                         │denied            │deferred         │
 *                         └──────────────────┴──── events ─────┘
 * ```
 * Denied and deferred intents travel on as events, so that the journal sees them and a strategy can
 * react. Nothing leaves before `sending` stands in the journal; no answer means unknown.
 */
import type { Budget, Lane } from '../budget/index.ts';
import type { ServiceRequest } from '../contract/index.ts';
import type { Cancel, MarketClock } from '../env/index.ts';
import type { GuardVerdict } from '../guards/index.ts';
import { idempotencyKeyOf, type Journal } from '../journal/index.ts';
import { createQueue } from './createQueue.ts';
import { createSending, type SendingOptions } from './createSending.ts';
import type { Emission } from '../strategy/Emission.ts';
import type { PipeEvent } from './PipeEvent.ts';
import { record, type PipeItem, type SendItem } from './PipeItem.ts';

/** An emission as a request, with what the guards say of it. */
export interface Prepared {
  request: ServiceRequest;
  lane: Lane;
  weight: number;
  verdict: GuardVerdict;
}

type FromPipe = 'tell' | 'requeue' | 'hasExpired' | 'isClosed';

export interface PipeOptions extends Omit<SendingOptions, FromPipe> {
  market: MarketClock;
  journal: Journal;
  budget: Budget;
  /** Waits on the budget's own clock: market time on a replay, wall time live. */
  at(time: number, run: () => void): Cancel;
  /** Turns an emission into a request and judges it, or says why it can't become one. */
  prepare(
    emission: Emission,
    key: string,
  ): { ok: true; prepared: Prepared } | { ok: false; reason: string };
  onEvent(event: PipeEvent): void;
  /** The journal failed: nothing more is sent. */
  onFatal(error: unknown): void;
  /** 1 on a replay at maximum speed: sends go one at a time, in the order of their intents. */
  concurrency: number;
}

export interface Pipe {
  /** Takes an intent at once: its verdict is known when this returns, its sending follows. */
  submit(emission: Emission): void;
  /** Resolves when nothing is being sent; what waits for the budget's clock may wait on. */
  settled(): Promise<void>;
  /** No further sends; resolves when those under way are concluded. */
  close(): Promise<void>;
  /** Requests sent so far. */
  readonly sends: number;
  /** Intents that wait for the budget. */
  readonly waiting: number;
}

export function createPipe(options: PipeOptions): Pipe {
  const { journal, market } = options;
  let sends = 0;
  let order = 0;

  const tell = (item: PipeItem, state: PipeEvent['state'], extra?: Partial<PipeEvent>): void => {
    const { emission, key, attempt } = item;
    options.onEvent({ state, emission, key, attempt, ...extra });
  };
  const fail = (error: unknown): void => {
    void queue.close();
    options.onFatal(error);
  };
  const write = (item: PipeItem): void => void record(journal, item).catch(fail);
  const hasExpired = ({ emission, unknownSince }: SendItem): boolean => {
    const end = emission.intent.not_after;
    return end !== undefined && unknownSince === undefined && market.now() > end;
  };

  const send = createSending({
    ...options,
    tell,
    hasExpired,
    requeue: (item) => queue.push(item),
    isClosed: () => queue.closed,
    send: (request, emission) => {
      sends++;
      return options.send(request, emission);
    },
  });

  const queue = createQueue({
    ...options,
    hasExpired,
    run: (item) => send(item).catch(fail),
    onDeferred(item, reason) {
      if (item.deferralTold) return;
      item.deferralTold = true;
      // An unknown intent stays unknown in the journal: to forget that would be to deny it was sent.
      if (item.unknownSince === undefined) item.steps.push({ state: 'deferred', data: { reason } });
      tell(item, 'deferred', { reason });
    },
  });

  return {
    submit(emission) {
      const key = idempotencyKeyOf(emission.decisionKey, 0);
      const steps = [{ state: 'emitted' as const, data: { cause: emission.cause } }];
      const item: PipeItem = { emission, key, steps, opened: false, attempt: 0 };
      if (queue.closed) return tell(item, 'expired', { reason: 'the bot is stopping' });
      if (journal.holds(key)) return tell(item, 'duplicate');

      const result = options.prepare(emission, key);
      const denial = denialOf(result);
      if (denial !== undefined || !result.ok) {
        item.steps.push({ state: 'denied', data: { ...denial } });
        write(item);
        return tell(item, 'denied', { ...denial });
      }

      const { request, lane, weight } = result.prepared;
      item.steps.push({ state: 'guarded', data: { lane, weight } });
      const full = { ...item, request, lane, weight, order: order++ };
      const ready: SendItem = { ...full, deferralTold: false, clockLearned: false };
      tell(ready, 'guarded');
      queue.push(ready);
      // Sent at once, its steps went into the journal with `sending`; else they go in now.
      write(ready);
    },
    settled: () => queue.settled(),
    close: () => queue.close(),
    get sends() {
      return sends;
    },
    get waiting() {
      return queue.waiting;
    },
  };
}

function denialOf(
  result: { ok: true; prepared: Prepared } | { ok: false; reason: string },
): { guard: string; reason: string } | undefined {
  if (!result.ok) return { guard: 'request', reason: result.reason };
  const { verdict } = result.prepared;
  return verdict.passed ? undefined : verdict;
}
