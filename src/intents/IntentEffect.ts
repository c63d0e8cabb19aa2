import type { ExecuteRequest } from '../contract/executeRequest.ts';
import type { OrderRequest } from '../contract/orderRequest.ts';
import type { Side } from '../contract/vocabulary.ts';

/** Exposure that an intent may add: base units on one side of one symbol. */
export interface Entry {
  symbol: string;
  side: Side;
  size: number;
  /** Its own price, if it names one, quote units. */
  price?: number;
  /** Price at which it is triggered, if it waits for one; null if that is not known beforehand. */
  triggeredAt?: number | null;
  /** A market order: nothing that waits for a price comes before it. */
  isAtOnce?: true;
  /** A monitor that re-arms makes it again each time that its trigger is reached. */
  isRepeated?: true;
}

/** What an intent may take off a position. */
export interface Reduction {
  symbol: string;
  /** Undefined if it closes a position of either side. */
  side?: Side;
  /** Base units; infinite if it closes whatever there is. */
  size: number;
  /** It waits for a price: a leg, a stop, a monitor. */
  isArmed?: true;
}

/** What an intent may do to the account, as far as the intent alone shows. Guards and lanes read it. */
export interface IntentEffect {
  /** Every symbol that it names; empty if only an id or the whole wallet is named. */
  symbols: readonly string[];
  /** Exposure that it may add, now or (a monitor) later. */
  entries: readonly Entry[];
  /** What it may close, now or (a leg, a monitor) later. */
  reductions: readonly Reduction[];
  /** It can only make a position smaller. */
  reduceOnly: boolean;
  /** It ends, shrinks or protects: cancel, stop, reduce-only, TP/SL, close. */
  isExit: boolean;
  /** It changes or ends what exists already and places nothing new. */
  isControl: boolean;
  /**
   * It may open what the intent doesn't show (a modified order, a resumed execution, a basket's template):
   * resolve the order, the execution or the template, and deny what can't be found.
   */
  opaque: boolean;
}

const NOTHING: IntentEffect = {
  symbols: [],
  entries: [],
  reductions: [],
  reduceOnly: false,
  isExit: false,
  isControl: false,
  opaque: false,
};

export function effect(part: Partial<IntentEffect>): IntentEffect {
  return { ...NOTHING, ...part };
}

/** Effect of an order or a launch: an entry, or an exit when it is reduce-only. */
export function requestEffect(request: OrderRequest | ExecuteRequest): IntentEffect {
  const { symbol, side } = request;
  const size = 'algo' in request ? request.total_size : request.size;
  if (request.reduce_only === true) {
    const reductions = [{ symbol, side, size }];
    return effect({ symbols: [symbol], reductions, reduceOnly: true, isExit: true });
  }
  const price = ownPriceOf(request);
  const entry: Entry = price === undefined ? { symbol, side, size } : { symbol, side, size, price };
  if (!('algo' in request) && request.order_type === 'market') entry.isAtOnce = true;
  return {
    symbols: [symbol],
    entries: [entry],
    reductions: NOTHING.reductions,
    reduceOnly: false,
    isExit: false,
    isControl: false,
    opaque: false,
  };
}

function ownPriceOf(request: OrderRequest | ExecuteRequest): number | undefined {
  if (!('algo' in request)) return request.price;
  const { params } = request;
  return params !== undefined && 'limit_price' in params ? params.limit_price : undefined;
}
