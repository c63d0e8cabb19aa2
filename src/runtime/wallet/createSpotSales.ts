import { isSpot } from '../../contract/index.ts';
import type { JournalStore } from '../../journal/index.ts';
import type { Emission } from '../../strategy/index.ts';
import { OPERATOR } from '../operator.ts';
import type { PipeEvent } from '../PipeEvent.ts';

/** A spot asset in base units. */
export interface Holding {
  symbol: string;
  size: number;
}

/** A sale of spot by the runtime itself; undefined if the emission is something else. */
export function saleOf({ instance, intent }: Pick<Emission, 'instance' | 'intent'>) {
  if (instance !== OPERATOR || intent.kind !== 'place_order') return undefined;
  const { symbol, side, size } = intent.request;
  return side === 'sell' && isSpot(symbol) ? { symbol, size } : undefined;
}

const ENDED: readonly PipeEvent['state'][] = [
  'accepted',
  'denied',
  'rejected',
  'expired',
  'absent',
];

/** Spot sales without a final answer: a symbol has at most one at a time. */
export function createSpotSales() {
  /** Decision keys by wallet and symbol. */
  const underWay = new Map<string, Set<string>>();
  const placeOf = (wallet: string, symbol: string): string => `${wallet} ${symbol}`;

  function begin({ wallet, decisionKey }: Emission, { symbol }: Holding): void {
    const place = placeOf(wallet, symbol);
    underWay.set(place, (underWay.get(place) ?? new Set()).add(decisionKey));
  }

  return {
    begin,
    /** An unanswered sale of the previous process may have been executed. */
    resume(store: JournalStore): void {
      for (const row of store.openIntents()) {
        if (row.instance !== OPERATOR || row.kind !== 'place_order' || row.intent === '') continue;
        const { intent } = JSON.parse(row.intent) as Pick<Emission, 'intent'>;
        const emission = { ...row, intent } as unknown as Emission;
        const sale = saleOf(emission);
        if (sale !== undefined) begin(emission, sale);
      }
    },
    follow(
      { wallet, decisionKey }: Emission,
      { symbol }: Holding,
      state: PipeEvent['state'],
    ): void {
      if (ENDED.includes(state)) underWay.get(placeOf(wallet, symbol))?.delete(decisionKey);
    },
    isUnderWay: (wallet: string, symbol: string): boolean =>
      (underWay.get(placeOf(wallet, symbol))?.size ?? 0) > 0,
  };
}
