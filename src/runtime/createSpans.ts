import { DAY_MS } from '../contract/durations.ts';
import type { InterruptSpan, Link, SpanControl, SpanReceiver } from '../env/index.ts';
import {
  createDeferredBars,
  type DeferredBars,
  type InstantColumns,
  type Instants,
  type Ledger,
} from './record/index.ts';
import type { WalletBook } from './wallet/index.ts';

/** Stretches of a replay whose bars come as columns: what they change is put off until somebody reads it. */
export interface Spans extends SpanControl {
  deferred: DeferredBars;
  /** Ledgers by which it is known whether anything is held; filled by the team. */
  ledgers: Ledger[];
  /** Books are as of the bar that is being delivered. */
  settle(): void;
  /** From now on the link may hand on bars as columns, if it can. */
  offer(link: Link, lane: SpanReceiver['lane']): void;
}

export interface SpansOptions {
  instants: Instants;
  /** Of all wallets. */
  books(): readonly WalletBook[];
}

/** Of sums of doubles: what is this near to a limit is looked at. */
const ROUNDING = 1e-6;

export function createSpans({ instants, books }: SpansOptions): Spans {
  const ledgers: Ledger[] = [];
  let cut: InterruptSpan | undefined;
  let bringUp: Link['bringUp'];
  let noteReader: Link['noteReader'];

  const sample = (time: number): void => {
    const all = books();
    for (let at = 0; at < all.length; at++) all[at]!.sample(time);
  };

  /**
   * A day begins with the first instant that is in it, and with the equity of the one before. Between days only the
   * last instant counts, which is sampled once its prices are taken; where the day's loss might reach its limit, every
   * instant does.
   */
  function sampleDays(columns: InstantColumns, set: (at: number) => void): void {
    const { times, count, prices } = columns;
    const isPriced = prices.size > 0;
    for (let at = 0; at < count;) {
      if (isPriced && at > 0) {
        set(at - 1);
        sample(times[at - 1]!);
      }
      if (isPriced) set(at);
      sample(times[at]!);
      const next = firstFrom(columns, at + 1, (Math.floor(times[at]! / DAY_MS) + 1) * DAY_MS);
      if (isPriced && mayReachLimit(columns, at, next))
        for (let each = at + 1; each < next; each++) {
          set(each);
          sample(times[each]!);
        }
      at = next;
    }
  }

  /** Whether prices until an instant may bring a wallet's loss to its limit, from those that were sampled at another. */
  function mayReachLimit({ prices }: InstantColumns, sampled: number, until: number): boolean {
    if (until === sampled + 1) return false;
    const all = books();
    for (let at = 0; at < all.length; at++) {
      const headroom = all[at]!.dayHeadroom();
      if (headroom === Infinity) continue;
      // As if each symbol were at its worst at once.
      let fall = 0;
      for (const [symbol, closes] of prices) {
        const size = all[at]!.position(symbol);
        if (size !== 0) fall += size * (closes[sampled]! - worstOf(closes, sampled, until, size));
      }
      if (fall >= headroom * (1 - ROUNDING) - ROUNDING) return true;
    }
    return false;
  }

  const deferred = createDeferredBars({
    priced(symbols) {
      for (let at = 0; at < ledgers.length; at++) ledgers[at]!.priced(symbols);
      const all = books();
      for (let at = 0; at < all.length; at++) all[at]!.priced(symbols);
    },
    takeColumns: instants.takeColumns,
    onInstants(columns, set) {
      instants.bars(columns);
      sampleDays(columns, set);
    },
    onTaken: sample,
  });
  const settle = (): void => {
    bringUp?.();
    deferred.settle();
  };
  return {
    deferred,
    ledgers,
    settle,
    bringUp: () => bringUp?.(),
    noteReader: (stack, describe) => noteReader?.(stack, describe),
    interrupt() {
      settle();
      cut?.();
    },
    offer(link, lane) {
      bringUp = link.bringUp;
      noteReader = link.noteReader;
      cut = link.offerSpans?.({ lane, settle: deferred.settle });
    },
  };
}

/** The first place at or after one whose instant is not before a time; the count if there is none. */
function firstFrom({ times, count }: InstantColumns, from: number, time: number): number {
  let at = from;
  while (at < count && times[at]! < time) at++;
  return at;
}

/** The price that is worst for a position, of those from one place until another. */
function worstOf(closes: Float64Array, from: number, until: number, size: number): number {
  let worst = closes[from]!;
  if (size > 0) for (let at = from; at < until; at++) worst = Math.min(worst, closes[at]!);
  else for (let at = from; at < until; at++) worst = Math.max(worst, closes[at]!);
  return worst;
}
