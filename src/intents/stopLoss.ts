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

/**
 * The four forms of a leg (LEG-1). An unwinding exit makes it a leg for the position surface only.
 *
 * The type parameters are never given: with one, the compiler reports a wrong argument alone, and without one also
 * that the result would not fit, as if it had an exit.
 */
export interface LegBuilder {
  /** At an absolute price, in quote units. */
  price(price: number): PriceForm;
  price<Exit extends Unwind = Unwind>(price: number, exit: NoInfer<Exit>): PriceForm & Exit;
  /** At anchor ± mult × indicator (LEG-2). */
  offset(spec: TpSlOffsetSpec): OffsetForm;
  offset<Exit extends Unwind = Unwind>(
    spec: TpSlOffsetSpec,
    exit: NoInfer<Exit>,
  ): OffsetForm & Exit;
  /** At an indicator's own level (LEG-3). */
  at(spec: TpSlAtSpec): AtForm;
  at<Exit extends UnwindByLevel = UnwindByLevel>(
    spec: TpSlAtSpec,
    exit: NoInfer<Exit>,
  ): AtForm & Exit;
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
