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

const DAY_MS = 86_400_000;

export function createSpans({ instants, books }: SpansOptions): Spans {
  const ledgers: Ledger[] = [];
  let cut: InterruptSpan | undefined;
  let bringUp: Link['bringUp'];
  let noteReader: Link['noteReader'];

  const sample = (time: number): void => {
    const all = books();
    for (let at = 0; at < all.length; at++) all[at]!.sample(time);
  };

  const isWatched = (): boolean => {
    const all = books();
    for (let at = 0; at < all.length; at++) if (all[at]!.isDayWatched()) return true;
    return false;
  };

  /**
   * A day begins with the first instant that is in it, and with the equity of the one before. Between days only the
   * last instant counts, which is sampled once its prices are taken; while a limit on the day's loss may be reached,
   * every instant does.
   */
  function sampleDays({ times, count, prices }: InstantColumns, set: (at: number) => void): void {
    const isPriced = prices.size > 0;
    let dayEnd = Number.NEGATIVE_INFINITY;
    for (let at = 0; at < count; at++) {
      const time = times[at]!;
      if (time < dayEnd) {
        if (!isPriced || !isWatched()) continue;
        set(at);
        sample(time);
        continue;
      }
      dayEnd = (Math.floor(time / DAY_MS) + 1) * DAY_MS;
      if (isPriced && at > 0) {
        set(at - 1);
        sample(times[at - 1]!);
      }
      if (isPriced) set(at);
      sample(time);
    }
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
