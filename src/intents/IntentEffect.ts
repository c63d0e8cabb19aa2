import { ALGO_DEFAULTS } from '../contract/algorithms.ts';
import { BPS, offsetPrice } from '../contract/bounds.ts';
import type { ExecuteRequest, LaunchOf } from '../contract/executeRequest.ts';
import type { OrderRequest } from '../contract/orderRequest.ts';
import type { Side } from '../contract/vocabulary.ts';

/** Exposure that an intent may add: base units on one side of one symbol. */
export interface Entry {
  symbol: string;
  side: Side;
  /** Base units; 0 if it re-prices or resumes what exists already, and adds nothing. */
  size: number;
  /** The whole order's after a change that adds `size` to it, base units; absent if `size` is all of it. */
  orderSize?: number;
  /** The outermost price at which it may trade on its side, if it names one, quote units. */
  price?: number;
  /**
   * Price for which it waits: a monitor's, or the trigger of a GhostSweep; null if that is not known beforehand. Absent
   * if it acts now.
   */
  triggeredAt?: number | null;
  /** How far beyond a trigger that is not known beforehand it may trade, basis points. */
  reachBps?: number;
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
  const entry: Entry = { symbol, side, size };
  if ('algo' in request) Object.assign(entry, pricesOf(request));
  else if (request.order_type === 'market') entry.isAtOnce = true;
  else if (request.price !== undefined) entry.price = request.price;
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

type Prices = Pick<Entry, 'price' | 'triggeredAt' | 'reachBps'>;

/** Where an algorithm may trade, as far as its launch names prices (conventions §4). */
function pricesOf(launch: ExecuteRequest): Prices {
  switch (launch.algo) {
    case 'glidemaker':
    case 'pacemaker':
    case 'flowscale': {
      const { limit_price: price } = launch.params;
      return price === undefined ? {} : { price };
    }
    case 'flowband':
      // Inside the band it trades at any price: the farthest is the edge that its side pays last.
      return { price: launch.side === 'buy' ? launch.params.band_high : launch.params.band_low };
    case 'ghostsweep':
      return sweepPricesOf(launch);
    default:
      return {};
  }
}

/** A sweep takes up to its limit, once the trigger is reached. */
function sweepPricesOf(launch: LaunchOf<'ghostsweep'>): Prices {
  const { side, params, sweep_limit: limit } = launch;
  const bps = launch.sweep_limit_bps ?? ALGO_DEFAULTS.sweepLimitBps;
  const trigger = params?.trigger_price;
  if (trigger !== undefined) {
    const price = limit ?? offsetPrice(trigger, side === 'buy' ? bps : -bps, BPS);
    return { price, triggeredAt: trigger };
  }
  // A level that the service reads: it is near the market when the launch is, so that a limit is measured from there.
  return limit === undefined ? { triggeredAt: null, reachBps: bps } : { price: limit };
}
