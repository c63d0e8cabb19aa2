/**
 * A wallet's books by the definitions of conventions §6, written from their text: positions, holdings, margin, funding
 * and the rows of days, from fills and marks alone. It is the reference for the real one, so it imports nothing from it.
 */
export interface NaiveFill {
  symbol: string;
  side: 'buy' | 'sell';
  price: number;
  size: number;
  fee: number;
  time: number;
}

export interface NaivePosition {
  /** Signed. */
  size: number;
  entry: number;
  /** Of an isolated position, its own margin. */
  margin: number | null;
}

/** An order that rests. */
export interface NaiveOrder {
  symbol: string;
  side: 'buy' | 'sell';
  left: number;
  price: number;
  reduceOnly: boolean;
}

interface DayRow {
  realized: number;
  fees: number;
  funding: number;
  volume: number;
}

const DAY = 86_400_000;
const tidy = (size: number): number => Math.round(size * 1e5) / 1e5;
const isSpot = (symbol: string): boolean => symbol.includes('/');

export class NaiveMargin {
  cash: number;
  realized = 0;
  fees = 0;
  funding = 0;
  readonly positions = new Map<string, NaivePosition>();
  readonly holdings = new Map<string, NaivePosition>();
  readonly isolated = new Set<string>();
  readonly leverage = new Map<string, number>();
  /** `day symbol`, days since the epoch. */
  readonly rows = new Map<string, DayRow>();
  readonly #mark: (symbol: string) => number;
  readonly #most: Readonly<Record<string, number>>;
  readonly #usual: number;

  constructor(options: {
    balance: number;
    mark(symbol: string): number;
    /** Highest leverage of each perpetual. */
    most: Readonly<Record<string, number>>;
    usualLeverage: number;
  }) {
    this.cash = options.balance;
    this.#mark = options.mark;
    this.#most = options.most;
    this.#usual = options.usualLeverage;
  }

  leverageOf(symbol: string): number {
    return this.leverage.get(symbol) ?? Math.min(this.#most[symbol]!, this.#usual);
  }

  #row(symbol: string, time: number): DayRow {
    const key = `${Math.floor(time / DAY)} ${symbol}`;
    const row = this.rows.get(key) ?? { realized: 0, fees: 0, funding: 0, volume: 0 };
    this.rows.set(key, row);
    return row;
  }

  fill({ symbol, side, price, size, fee, time }: NaiveFill): void {
    const book = isSpot(symbol) ? this.holdings : this.positions;
    const held = book.get(symbol) ?? { size: 0, entry: 0, margin: null };
    const signed = side === 'buy' ? size : -size;
    const closed = held.size * signed < 0 ? Math.min(Math.abs(held.size), size) : 0;
    const made = closed * (price - held.entry) * Math.sign(held.size);
    const rest = Math.abs(held.size) - closed;
    const opened = size - closed;
    const entry =
      opened === 0 ? held.entry : (rest * held.entry + opened * price) / (rest + opened);
    let margin = held.margin;
    if (margin !== null) margin *= rest / Math.abs(held.size);
    if (opened > 0 && !isSpot(symbol) && this.isolated.has(symbol))
      margin = (margin ?? 0) + (opened * price) / this.leverageOf(symbol);
    const left = tidy(held.size + signed);
    if (left === 0) book.delete(symbol);
    else book.set(symbol, { size: left, entry, margin });
    this.cash += (isSpot(symbol) ? -signed * price : made) - fee;
    this.realized += made;
    this.fees += fee;
    const row = this.#row(symbol, time);
    row.realized += made;
    row.fees += fee;
    row.volume += price * size;
  }

  /** At the end of an hour, which belongs to the day that ends with it. */
  pay(symbol: string, rate: number, time: number): number {
    const position = this.positions.get(symbol)!;
    const amount = position.size * this.#mark(symbol) * rate;
    this.cash -= amount;
    this.funding += amount;
    if (position.margin !== null) position.margin -= amount;
    this.#row(symbol, time - 1).funding += amount;
    return amount;
  }

  openProfit(symbol: string): number {
    const held = this.positions.get(symbol) ?? this.holdings.get(symbol);
    return held === undefined ? 0 : held.size * (this.#mark(symbol) - held.entry);
  }

  get equity(): number {
    let equity = this.cash;
    for (const symbol of this.positions.keys()) equity += this.openProfit(symbol);
    for (const [symbol, { size }] of this.holdings) equity += size * this.#mark(symbol);
    return equity;
  }

  get unrealized(): number {
    const symbols = [...this.positions.keys(), ...this.holdings.keys()];
    return symbols.reduce((sum, symbol) => sum + this.openProfit(symbol), 0);
  }

  used(orders: readonly NaiveOrder[]): number {
    const symbols = new Set([...this.positions.keys(), ...orders.map(({ symbol }) => symbol)]);
    let used = 0;
    for (const symbol of symbols) if (!isSpot(symbol)) used += this.#usedBy(symbol, orders);
    return used;
  }

  /** What is held, or would be once all buys have filled, or all sells: the largest of them. */
  #usedBy(symbol: string, orders: readonly NaiveOrder[]): number {
    const { size, margin } = this.positions.get(symbol) ?? { size: 0, margin: null };
    const opening = (side: 'buy' | 'sell'): number => {
      const own = orders.filter((one) => one.symbol === symbol && one.side === side);
      const counted = own.filter(({ reduceOnly }) => !reduceOnly);
      const total = counted.reduce((sum, { left }) => sum + left, 0);
      const value = counted.reduce((sum, { left, price }) => sum + left * price, 0);
      const closes = side === 'buy' ? Math.max(0, -size) : Math.max(0, size);
      return total <= closes ? 0 : (value * (total - closes)) / total;
    };
    const leverage = this.leverageOf(symbol);
    if (margin !== null) return margin + Math.max(opening('buy'), opening('sell')) / leverage;
    const held = Math.abs(size) * this.#mark(symbol);
    const longs = (size > 0 ? held : 0) + opening('buy');
    const shorts = (size < 0 ? held : 0) + opening('sell');
    return Math.max(longs, shorts, held) / leverage;
  }

  available(orders: readonly NaiveOrder[]): number {
    let backing = this.cash;
    for (const [symbol, { margin }] of this.positions)
      if (margin === null) backing += this.openProfit(symbol);
    for (const { symbol, side, left, price } of orders)
      if (isSpot(symbol) && side === 'buy') backing -= left * price;
    return backing - this.used(orders);
  }

  /** What a position may lose before it is taken over: of its own margin, or of what backs all cross ones. */
  surplus(symbol: string): number {
    const after = (one: string): number =>
      this.openProfit(one) -
      (Math.abs(this.positions.get(one)!.size) * this.#mark(one)) / (2 * this.#most[one]!);
    const { margin } = this.positions.get(symbol)!;
    if (margin !== null) return margin + after(symbol);
    let surplus = this.cash;
    for (const [one, position] of this.positions)
      surplus += position.margin === null ? after(one) : -position.margin;
    return surplus;
  }

  /** Where the surplus is nothing if only this market moves. */
  liquidationPrice(symbol: string): number | null {
    const { size } = this.positions.get(symbol)!;
    const share = 1 / (2 * this.#most[symbol]!);
    const price = this.#mark(symbol) - this.surplus(symbol) / (size - Math.abs(size) * share);
    return price > 0 ? price : null;
  }
}
