/**
 * Frees one of the wallet's maintained rows (LEG-11, TRK-6), if the policy allows it:
 *
 * ```
 * pending intent → no row left → cancel of the least important own tracked entry → row free → pending intent
 *                │nothing to replace                        │refused: look again
 *              denied                                     denied, or another cancel
 * ```
 * The pending intent waits as `deferred` and is journaled before the cancel is. The cancel names it in its
 * cause, so that the next process knows what belongs together.
 */
import type { Cancel, MarketClock } from '../../env/index.ts';
import { cancelOrder } from '../../intents/index.ts';
import type { Emission } from '../../strategy/index.ts';
import { distanceBps, leastImportantFirst, type TrackedEntry } from './leastImportantFirst.ts';
import { OPERATOR, toEmissions } from '../operator.ts';
import { ownEntryOrders, type AtWork } from '../wallet/index.ts';
import type { PipeEvent } from '../PipeEvent.ts';

export interface RowReservationsOptions {
  market: MarketClock;
  /** Last price of a symbol, or undefined. */
  priceOf(symbol: string): number | undefined;
  workOf(wallet: string): AtWork;
  /** Ids of a wallet's open orders whose price follows a level, regardless of who placed them. */
  trackedOrders(wallet: string): ReadonlySet<string>;
  submit(emission: Emission): void;
}

/** An intent that lacks rows. */
export interface PendingIntent {
  emission: Emission;
  /** Idempotency key. */
  key: string;
}

/** Rows are being freed: the reason to wait, and how to start. */
export interface Room {
  reason: string;
  /** Requests the rows; `wake` is called once, when the intent is worth evaluating again. */
  begin(wake: () => void): void;
}

export interface RowReservations {
  /** Rows of a wallet that are free already, though the streams still show them. */
  freed(wallet: string): number;
  /** @param lack number of missing rows; undefined: nothing can be replaced */
  reserveRow(pendingIntent: PendingIntent, lack: number): Room | undefined;
  /** Restores a pending intent of an earlier process; it is evaluated again once the books are known. */
  hold(pendingIntent: PendingIntent, wake: () => void): void;
  /** The books are known, and entries may be sent. */
  open(): void;
  /** Receives the outcome of its cancels. */
  follow(event: PipeEvent): void;
  stop(): void;
}

interface Waiting {
  wake(): void;
  cancelTimer: Cancel;
}

const CAUSE = /^slot:([^:]+):(.+)$/;
/** Refusals of a cancel that mean that the order has ended: its row is free (TRK-7). */
const GONE: readonly string[] = ['not_found', 'invalid_transition'];
const FAILED: readonly PipeEvent['state'][] = [
  'rejected',
  'denied',
  'expired',
  'absent',
  'unresolved',
  'duplicate',
];
/** The intent went on or ended: what was tried for it is of no use any more. */
const WAITS_NO_MORE: readonly PipeEvent['state'][] = ['guarded', 'denied', 'expired'];

/** The pending intent and the order of a cancel that frees a row; undefined for every other cause. */
export function roomOf(cause: string): { pendingIntent: string; orderId: string } | undefined {
  const [, pendingIntent, orderId] = CAUSE.exec(cause) ?? [];
  return pendingIntent === undefined || orderId === undefined
    ? undefined
    : { pendingIntent, orderId };
}

export function createRowReservations(options: RowReservationsOptions): RowReservations {
  const { market, priceOf } = options;
  const waiting = new Map<string, Waiting>();
  /** Orders whose cancel is in flight, and for which intent. */
  const leaving = new Map<string, string>();
  /** Ended orders by wallet whose rows are still shown. */
  const left = new Map<string, Set<string>>();
  /** Orders that could not be cancelled for a pending intent. */
  const inVain = new Map<string, Set<string>>();
  let isOpen = false;

  const setOf = (map: Map<string, Set<string>>, key: string): Set<string> => {
    const known = map.get(key) ?? new Set();
    map.set(key, known);
    return known;
  };
  const countFor = (key: string): number =>
    [...leaving.values()].filter((pendingIntent) => pendingIntent === key).length;

  function candidates({ emission: { wallet }, key }: PendingIntent): TrackedEntry[] {
    const tracked = options.trackedOrders(wallet);
    const entries = ownEntryOrders(options.workOf(wallet)).flatMap((order): TrackedEntry[] => {
      const { order_id: orderId, symbol, price, created_time: createdTime } = order;
      if (price == null || !tracked.has(orderId) || leaving.has(orderId)) return [];
      if (left.get(wallet)?.has(orderId) || inVain.get(key)?.has(orderId)) return [];
      return [{ orderId, symbol, price, createdTime }];
    });
    return leastImportantFirst(entries, priceOf);
  }

  function wait({ emission, key }: PendingIntent, wake: () => void): void {
    const end = emission.intent.not_after;
    const look = (): void => {
      waiting.get(key)?.cancelTimer();
      waiting.delete(key);
      wake();
    };
    // A hanging cancel must not keep it past its `not_after`.
    const cancelTimer = end === undefined ? () => {} : market.at(end + 1, look);
    waiting.set(key, { wake: look, cancelTimer });
  }

  function forget(key: string): void {
    inVain.delete(key);
    waiting.get(key)?.cancelTimer();
    waiting.delete(key);
  }

  /** Evaluates again when nothing more is in flight for it. */
  function settle(key: string): void {
    if (isOpen && countFor(key) === 0) waiting.get(key)?.wake();
  }

  function ask({ emission, key }: PendingIntent, orderId: string): void {
    const { wallet, intent } = emission;
    const meta = intent.not_after === undefined ? {} : { not_after: intent.not_after };
    const origin = { wallet, cause: `slot:${key}:${orderId}`, market };
    for (const one of toEmissions([cancelOrder({ order_id: orderId }, meta)], origin)) {
      options.submit(one);
    }
  }

  return {
    freed(wallet) {
      const over = left.get(wallet);
      if (over === undefined || over.size === 0) return 0;
      const shown = options.trackedOrders(wallet);
      for (const orderId of over) if (!shown.has(orderId)) over.delete(orderId);
      return over.size;
    },
    reserveRow(pendingIntent, lack) {
      const { key } = pendingIntent;
      const missing = lack - countFor(key);
      const given = candidates(pendingIntent).slice(0, Math.max(0, missing));
      // Freeing only some of the rows would cost an entry and help no intent.
      if (given.length < missing) return undefined;
      const names = given.map((entry) => describe(entry, distanceBps(entry, priceOf)));
      const reason = `waits for a row of ${names.join(' and ') || 'an entry that is being cancelled'}`;
      const begin = (wake: () => void): void => {
        wait(pendingIntent, wake);
        for (const { orderId } of given) leaving.set(orderId, key);
        for (const { orderId } of given) ask(pendingIntent, orderId);
      };
      return { reason, begin };
    },
    hold(pendingIntent, wake) {
      wait(pendingIntent, wake);
      settle(pendingIntent.key);
    },
    open() {
      isOpen = true;
      for (const key of waiting.keys()) settle(key);
    },
    follow({ state, emission, key, fault }) {
      if (WAITS_NO_MORE.includes(state)) forget(key);
      const room = emission.instance === OPERATOR ? roomOf(emission.cause) : undefined;
      if (room === undefined) return;
      const { pendingIntent, orderId } = room;
      const isOver = state === 'accepted' || GONE.includes(fault?.code ?? '');
      if (!isOver && !FAILED.includes(state)) return void leaving.set(orderId, pendingIntent);
      leaving.delete(orderId);
      if (isOver) setOf(left, emission.wallet).add(orderId);
      else if (waiting.has(pendingIntent)) setOf(inVain, pendingIntent).add(orderId);
      settle(pendingIntent);
    },
    stop() {
      for (const { cancelTimer } of waiting.values()) cancelTimer();
      waiting.clear();
    },
  };
}

function describe({ orderId, symbol, price }: TrackedEntry, bps: number): string {
  const far = bps < 0 ? '' : `, ${bps.toFixed(0)} bps from the market`;
  return `${orderId} (${symbol} at ${price}${far})`;
}
