/**
 * One leg of a pair: what is held, and its one order on the way.
 *
 * Its refs are a few that are used in turn, so that a new process finds by them what the one before had sent.
 */
import { isWithin } from '../../contract/bounds.ts';
import { floorSize } from '../../contract/sizes.ts';
import type { InstrumentView, StrategyContext } from '../StrategyContext.ts';
import type { Intent } from '../../intents/index.ts';
import { placeOrder } from '../../intents/index.ts';
import { createHeld, type Turnover } from '../createHeld.ts';
import type { Outcome } from '../Outcome.ts';
import type { RefView } from '../refs/createByRef.ts';
import type { PairSettings } from './Pair.ts';

export type PairContext = Pick<
  StrategyContext,
  | 'byRef'
  | 'instrument'
  | 'liveness'
  | 'now'
  | 'orders$'
  | 'outcomes$'
  | 'position'
  | 'price'
  | 'scheduler'
>;

/** What became of an order of the leg. */
export type LegEnd = 'filled' | 'partly' | 'refused';

export type OrderKind = 'entry' | 'reduction';

export interface PairLeg {
  readonly instrument: InstrumentView;
  /** Quote units; undefined before the first price. */
  price: number | undefined;
  /** Refusals in a row, of each kind. */
  readonly refusals: Record<OrderKind, number>;
  /**
   * When an order of either kind was last refused or filled in part: market time, epoch milliseconds. A reduction does
   * not wait for what was refused as an entry.
   */
  readonly refusedAt: Partial<Record<OrderKind, number>>;
  /** Base units, as the service shows it, below zero for a short. */
  onPosition(size: number): void;
  follow(outcome: Outcome): void;
  /** What is held by all that is known; undefined while an order is on its way, or fills and position differ. */
  held(): number | undefined;
  /** How the last order ended, once. */
  takeEnd(): LegEnd | undefined;
  /** From when on `held` relies on the position, if fills and position still differ. */
  apartUntil(): number | undefined;
  /** @param size signed base units; undefined if nothing of it can be sent */
  order(size: number, not_after: number): Intent | undefined;
}

/** A ref is used again after as many orders: by then nothing of its former one comes any more. */
const REFS = 8;
/** Frames that come apart are together again after this much market time. */
const APART_MS = 10_000;

export function createPairLeg(
  ctx: PairContext,
  symbol: string,
  { name, slippage_bps }: Pick<PairSettings, 'name' | 'slippage_bps'>,
): PairLeg {
  const prefix = `${name}:${symbol.replaceAll(/[^\w.-]/g, '_')}:`;
  const views = Array.from({ length: REFS }, (_none, at) => ctx.byRef(`${prefix}${at}`));
  const instrument = ctx.instrument(symbol);
  const tally = createHeld(ctx);
  /** Filled by orders whose refs have been used again. */
  const before: Turnover = { bought: 0, sold: 0 };
  const halfStep = 0.5 * 10 ** -instrument.size_decimals;
  let position: number | undefined;
  let last: RefView | undefined;
  /** Whether the last order reduces. */
  let isReduction = false;
  /** It was proposed and has no outcome yet: its ref still shows the former order. */
  let silent: RefView | undefined;
  let apartSince: number | undefined;
  let at = 0;

  function turnover(): Turnover {
    const sum = { ...before };
    for (const view of views) if (view !== silent) add(sum, view);
    return sum;
  }

  const isOpen = ({ state, ended }: RefView): boolean => state !== undefined && !ended;
  const isOnItsWay = (): boolean => silent !== undefined || views.some(isOpen);

  function held(): number | undefined {
    if (position === undefined || isOnItsWay()) return undefined;
    const sum = turnover();
    const { long, short } = tally.bounds(position, sum);
    if (long - short < halfStep) {
      apartSince = undefined;
      return position;
    }
    apartSince ??= ctx.now();
    if (ctx.now() - apartSince < APART_MS) return undefined;
    // No frame came for it: the position is what the service says.
    apartSince = undefined;
    tally.onPosition(position, sum);
    return position;
  }

  function nextView(): RefView {
    at = (at + 1) % REFS;
    const view = views[at]!;
    add(before, view);
    return view;
  }

  return {
    instrument,
    price: undefined,
    refusals: { entry: 0, reduction: 0 },
    refusedAt: {},
    onPosition(size) {
      position = size;
      tally.onPosition(size, turnover());
    },
    follow({ intent: { ref } }) {
      if (ref !== undefined && ref === silent?.ref) silent = undefined;
    },
    held,
    takeEnd() {
      if (last === undefined || silent !== undefined || !last.ended) return undefined;
      const { remaining, filled } = last;
      last = undefined;
      if (remaining === 0) return 'filled';
      const kind = isReduction ? 'reduction' : 'entry';
      this.refusedAt[kind] = ctx.now();
      if (filled > 0) return 'partly';
      this.refusals[kind]++;
      return 'refused';
    },
    apartUntil: () => (apartSince === undefined ? undefined : apartSince + APART_MS),
    order(size, not_after) {
      const side = size > 0 ? 'buy' : 'sell';
      const valid = floorSize(Math.abs(size), instrument.size_decimals);
      const reduces = position !== undefined && position * size < 0;
      const isWorthIt = reduces || isWithin(instrument.min_order_value, valid * (this.price ?? 0));
      if (valid <= 0 || !isWorthIt) return undefined;
      silent = last = nextView();
      isReduction = reduces;
      const { ref } = last;
      const bound = slippage_bps === undefined ? {} : { slippage_bps };
      if (reduces)
        return placeOrder.market(
          { symbol, side, size: valid, reduce_only: true, ...bound },
          { ref },
        );
      return placeOrder.market({ symbol, side, size: valid, ...bound }, { ref, not_after });
    },
  };
}

function add(sum: Turnover, { filled, order, outcome }: RefView): void {
  const intent = outcome?.intent;
  const side = order?.side ?? (intent?.kind === 'place_order' ? intent.request.side : undefined);
  if (side === 'buy') sum.bought += filled;
  else if (side === 'sell') sum.sold += filled;
}
