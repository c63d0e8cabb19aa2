import type { InterruptSpan, Link, SpanReceiver } from '../env/index.ts';
import {
  createDeferredBars,
  type DeferredBars,
  type Instants,
  type Ledger,
} from './record/index.ts';
import type { WalletBook } from './wallet/index.ts';

/** Stretches of a replay whose bars come as columns: what they change is put off until somebody reads it. */
export interface Spans {
  deferred: DeferredBars;
  /** Ledgers by which it is known whether anything is held; filled by the team. */
  ledgers: Ledger[];
  /** Books are as of the bar that is being delivered. */
  settle(): void;
  /** The same, and what follows may change anything: the bars of this instant are the last of the span. */
  interrupt(): void;
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

  /** Equity is the same at all of them; a day begins with the first that is in it. */
  function sampleDays(times: Float64Array, count: number): void {
    let dayEnd = Number.NEGATIVE_INFINITY;
    for (let at = 0; at < count; at++) {
      const time = times[at]!;
      if (time < dayEnd && at < count - 1) continue;
      dayEnd = (Math.floor(time / DAY_MS) + 1) * DAY_MS;
      for (const book of books()) book.sample(time);
    }
  }

  const deferred = createDeferredBars({
    isFlat: () => ledgers.every((one) => one.isFlat()) && books().every((book) => book.isFlat()),
    onFlatInstants(times, count) {
      instants.flat(times, count);
      sampleDays(times, count);
    },
  });
  return {
    deferred,
    ledgers,
    settle: deferred.settle,
    interrupt() {
      deferred.settle();
      cut?.();
    },
    offer(link, lane) {
      cut = link.offerSpans?.({ lane, settle: deferred.settle });
    },
  };
}
