/** An algorithm's order and its result. */
export interface WorkedOrder {
  algo: string;
  side: 'buy' | 'sell';
  filled_size: number;
  average_price?: number | undefined;
  /** Price at the time of the decision. */
  arrival_price?: number | undefined;
  fees: number;
}

/** Implementation shortfall of one algorithm; basis points of what was filled, at arrival prices. */
export interface Shortfall {
  algo: string;
  orders: number;
  /** Filled size at arrival prices, quote units. */
  notional: number;
  /** Positive: worse than the arrival price. */
  slippage_bps: number;
  fee_bps: number;
  /** Slippage and fees. */
  shortfall_bps: number;
}

/**
 * Implementation shortfall of what was filled, by algorithm (Perold, "The Implementation Shortfall", 1988):
 * price paid minus the arrival price, times the size, plus fees. The part for what was not filled needs a price
 * at which nothing was decided, and is left out.
 */
export function shortfallByAlgo(orders: readonly WorkedOrder[]): Shortfall[] {
  const sums = new Map<string, { orders: number; notional: number; slip: number; fees: number }>();
  for (const { algo, side, filled_size: size, average_price, arrival_price, fees } of orders) {
    if (average_price === undefined || arrival_price === undefined || size === 0) continue;
    const sum = sums.get(algo) ?? { orders: 0, notional: 0, slip: 0, fees: 0 };
    sums.set(algo, sum);
    sum.orders++;
    sum.notional += size * arrival_price;
    sum.slip += size * (average_price - arrival_price) * (side === 'buy' ? 1 : -1);
    sum.fees += fees;
  }
  return [...sums].map(([algo, { orders: count, notional, slip, fees }]) => ({
    algo,
    orders: count,
    notional,
    slippage_bps: (slip / notional) * 10_000,
    fee_bps: (fees / notional) * 10_000,
    shortfall_bps: ((slip + fees) / notional) * 10_000,
  }));
}
