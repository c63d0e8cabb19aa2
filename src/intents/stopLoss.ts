import type {
  AtForm,
  OffsetForm,
  PriceForm,
  TpSlAtSpec,
  TpSlOffsetSpec,
  TpSlTrailSpec,
  TrailForm,
  Unwind,
  UnwindByLevel,
} from '../contract/legs.ts';

/** The four forms of a leg (LEG-1). An unwinding exit makes it a leg for the position surface only. */
export interface LegBuilder {
  /** At an absolute price, in quote units. */
  price(price: number): PriceForm;
  price(price: number, exit: Unwind): PriceForm & Unwind;
  /** At anchor ± mult × indicator (LEG-2). */
  offset(spec: TpSlOffsetSpec): OffsetForm;
  offset(spec: TpSlOffsetSpec, exit: Unwind): OffsetForm & Unwind;
  /** At an indicator's own level (LEG-3). */
  at(spec: TpSlAtSpec): AtForm;
  at(spec: TpSlAtSpec, exit: UnwindByLevel): AtForm & UnwindByLevel;
  /** Trailing by percent, by ATR distance or by a level (LEG-4); it never unwinds (LEG-9). */
  trail(spec: TpSlTrailSpec): TrailForm;
}

const leg: LegBuilder = {
  price: (price: number, exit?: Unwind) => ({ price, ...exit }) as PriceForm & Unwind,
  offset: (offset: TpSlOffsetSpec, exit?: Unwind) => ({ offset, ...exit }) as OffsetForm & Unwind,
  at: (at: TpSlAtSpec, exit?: UnwindByLevel) => ({ at, ...exit }) as AtForm & UnwindByLevel,
  trail: (trail: TpSlTrailSpec) => ({ trail }),
};

/**
 * Reads naturally: `stop_loss: stopLoss.trail({ … })`.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(
 *   map(({ close }) =>
 *     placeOrder.market({
 *       symbol: ctx.symbol,
 *       side: 'buy',
 *       size: 0.5,
 *       stop_loss: stopLoss.price(Math.floor(close * 0.95)),
 *     }),
 *   ),
 * );
 * ```
 */
export const stopLoss = leg;
/**
 * Reads naturally: `take_profit: takeProfit.price(110)`.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(
 *   map(({ close }) =>
 *     placeOrder.market({
 *       symbol: ctx.symbol,
 *       side: 'buy',
 *       size: 0.5,
 *       take_profit: takeProfit.price(Math.ceil(close * 1.1)),
 *     }),
 *   ),
 * );
 * ```
 */
export const takeProfit = leg;
