import type { Side } from '../../contract/index.ts';
import { remainingOf, type Order } from './Order.ts';

export interface RestingSide {
  /** Base units. */
  size: number;
  /** Quote units, at the orders' prices. */
  notional: number;
}

/** What the orders with a price bind, summed in the order in which they came. */
export interface RestingTotals {
  /** Of the orders that need margin, by symbol, in the order in which the symbols came. */
  readonly margined: Map<string, Record<Side, RestingSide>>;
  /** USDC that spot buys hold. */
  heldCash: number;
}

/**
 * A wallet's open orders by id, in the order in which they came, and their totals: each new order is added
 * to them, and only an order that leaves or changes makes the next reader sum up again. So placing the
 * twentieth order costs what the first did, and the sums have the bits of a sum over all.
 */
export class OpenOrders extends Map<string, Order> {
  #totals: RestingTotals | null = null;
  #isSpot: IsSpot = () => false;

  override set(id: string, order: Order): this {
    if (this.has(id)) this.changed(order);
    if (this.#totals !== null) addTo(this.#totals, order, this.#isSpot);
    return super.set(id, order);
  }

  override delete(id: string): boolean {
    const order = this.get(id);
    if (order !== undefined) this.changed(order);
    return super.delete(id);
  }

  override clear(): void {
    this.#totals = null;
    super.clear();
  }

  /** To be called after the size, the fill or the price of an open order has changed. */
  changed(order: Order): void {
    // An order without a price binds nothing.
    if (order.record.price !== null) this.#totals = null;
  }

  /**
   * Calls `look` as if an order were not open, so that it does not count twice. It keeps its place among the others, as
   * in every list and event.
   */
  without<T>(id: string, look: () => T): T {
    const open = [...this];
    this.delete(id);
    try {
      return look();
    } finally {
      this.clear();
      for (const [key, order] of open) this.set(key, order);
    }
  }

  /** @param isSpot whether a symbol is delivered, not margined; it must always say the same */
  totals(isSpot: IsSpot): Readonly<RestingTotals> {
    this.#isSpot = isSpot;
    if (this.#totals === null) {
      this.#totals = { margined: new Map(), heldCash: 0 };
      for (const order of this.values()) addTo(this.#totals, order, isSpot);
    }
    return this.#totals;
  }
}

type IsSpot = (symbol: string) => boolean;

/** Spot orders need no margin; they hold cash or base. */
function addTo(totals: RestingTotals, order: Order, isSpot: IsSpot): void {
  const { symbol, side, price, reduce_only: reduceOnly } = order.record;
  if (price === null) return;
  const size = remainingOf(order);
  if (isSpot(symbol)) {
    if (side === 'buy') totals.heldCash += size * price;
  } else if (!reduceOnly) {
    const own = sidesOf(totals, symbol)[side];
    own.size += size;
    own.notional += size * price;
  }
}

function sidesOf({ margined }: RestingTotals, symbol: string): Record<Side, RestingSide> {
  let sides = margined.get(symbol);
  if (sides === undefined) {
    sides = { buy: { size: 0, notional: 0 }, sell: { size: 0, notional: 0 } };
    margined.set(symbol, sides);
  }
  return sides;
}
