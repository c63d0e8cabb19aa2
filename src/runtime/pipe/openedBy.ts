import type { ServiceRequest, Side } from '../../contract/index.ts';
import type { GuardedIntent } from '../../guards/index.ts';
import type { Intent } from '../../intents/index.ts';
import type { IntentEffect, Reduction } from '../../intents/IntentEffect.ts';
import type { Accepted, Refs, Resized, WalletBook } from '../wallet/index.ts';

/** The order or execution that an intent changes. */
export interface Changed {
  symbol: string;
  side: string;
  reduce_only: boolean;
  /** Base units of an order; undefined as long as neither the streams nor an answer have shown it. */
  size?: number;
  /** At which it rests. */
  price?: number | null | undefined;
}

/**
 * As the streams show it, else as the service accepted it, else as the instance itself requested it under its ref: what
 * was just placed must not wait to be moved until it is shown.
 */
export function changedBy(
  intent: Intent,
  { pathParams }: ServiceRequest,
  known: {
    wallet: string;
    book: WalletBook;
    accepted: Pick<Accepted, 'unseenOrder' | 'unseenExecution'>;
    asked: ReturnType<Refs['askedOf']>;
  },
): Changed | undefined {
  const { wallet, book, accepted, asked } = known;
  const id = pathParams['id'] ?? '';
  switch (intent.kind) {
    case 'modify_order':
      return book.order(id) ?? accepted.unseenOrder(wallet, id) ?? asked('order', intent.order.ref);
    case 'control_execution': {
      const running = book.liveExecutions().find(({ execution_id }) => execution_id === id);
      return (
        running ?? accepted.unseenExecution(wallet, id) ?? asked('execution', intent.execution.ref)
      );
    }
    default:
      return undefined;
  }
}

/**
 * What an intent opens by changing something else. A new price of an entry and a resumed or completed execution
 * open as much as an entry does, though they may add nothing to what is counted already; a smaller size at the
 * same price, and anything reduce-only, opens nothing. Undefined if the intent itself shows all there is,
 * `opaque` if it can't be determined.
 */
export function openedBy(
  intent: Intent,
  { opaque }: IntentEffect,
  changed: Changed | undefined,
): GuardedIntent['entries'] | 'opaque' | undefined {
  if (!opaque) return undefined;
  if (changed === undefined) return 'opaque';
  if (changed.reduce_only) return [];
  const one = { symbol: changed.symbol, side: sideOf(changed) } as const;
  if (intent.kind !== 'modify_order') return [{ ...one, size: 0 }];
  const { price, size } = intent.change;
  if (size !== undefined && changed.size === undefined) return 'opaque';
  const added = Math.max(0, (size ?? 0) - (changed.size ?? 0));
  const grown = added > 0 ? { size: added, orderSize: size! } : { size: 0 };
  if (price !== undefined) return [{ ...one, ...grown, price }];
  if (added === 0) return [];
  // Valued at the price at which the order rests. The request does not set that price, so that no collar checks it.
  const rests = typeof changed.price === 'number' ? { triggeredAt: changed.price } : {};
  return [{ ...one, ...grown, ...rests }];
}

/** What an intent closes by making something else larger that only reduces; what it resumes is counted anyway. */
export function reducedBy(intent: Intent, changed: Changed): readonly Reduction[] {
  if (intent.kind !== 'modify_order' || !changed.reduce_only) return [];
  const { size = 0 } = intent.change;
  const more = size - (changed.size ?? 0);
  return more > 0 ? [{ symbol: changed.symbol, side: sideOf(changed), size: more }] : [];
}

/** The size that an intent gives to an order: it counts until it is shown. */
export function resizedBy(
  intent: Intent,
  { pathParams }: ServiceRequest,
  changed: Changed,
): Resized | undefined {
  if (intent.kind !== 'modify_order' || intent.change.size === undefined) return undefined;
  const { symbol, reduce_only: isReducing } = changed;
  const order = pathParams['id'] ?? '';
  return { order, symbol, side: sideOf(changed), size: intent.change.size, isReducing };
}

const sideOf = (changed: Changed): Side => (changed.side === 'sell' ? 'sell' : 'buy');
