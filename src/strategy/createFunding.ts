import { Observable } from 'rxjs';
import type { MarketTick } from '../streams/index.ts';

/** What a wallet paid at one settlement. */
export interface FundingPayment {
  symbol: string;
  /** Quote units; above 0 it was paid, below 0 received. */
  amount: number;
  /** Of the settlement, epoch milliseconds. */
  time: number;
}

/** Funding of a perpetual, as far as it is published. */
export interface Funding {
  symbol: string;
  /**
   * A fraction (above 0, longs pay): the one of the last settlement, or what the service announces for the next;
   * null for spot, and for a service that publishes none. Never one that a tape has of a later settlement.
   */
  rate: number | null;
  /** Of the next settlement, epoch milliseconds; null if it is not known. */
  next_time: number | null;
  /** Quote units that the wallet has paid on this symbol since the subscription, less what it received. */
  paid: number;
  /** The last payment since the subscription. */
  last: FundingPayment | null;
  /** Of this value, epoch milliseconds. */
  time: number;
}

/** A change of the rate or of the next settlement, or a payment. */
export function createFunding(
  symbol: string,
  market$: Observable<MarketTick>,
  payments$: Observable<FundingPayment>,
): Observable<Funding> {
  return new Observable((subscriber) => {
    let now: Funding | undefined;
    let paid = 0;
    let last: FundingPayment | null = null;
    const subscription = payments$.subscribe({
      next(payment) {
        if (payment.symbol !== symbol) return;
        const { amount, time } = payment;
        paid += amount;
        last = { symbol, amount, time };
        if (now !== undefined) emit({ ...now, paid, last, time });
      },
      error: (error: unknown) => subscriber.error(error),
    });
    const emit = (next: Funding): void => {
      now = next;
      subscriber.next(next);
    };
    subscription.add(
      market$.subscribe({
        next({ funding_rate: rate = null, next_funding_time: next_time = null, time }) {
          // The record comes at each closed minute.
          if (now !== undefined && now.rate === rate && now.next_time === next_time) return;
          emit({ symbol, rate, next_time, paid, last, time });
        },
        error: (error: unknown) => subscriber.error(error),
      }),
    );
    return subscription;
  });
}
