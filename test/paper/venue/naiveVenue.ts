import {
  toValidPrice,
  toValidSize,
  type PriceGrid,
  type Side,
} from '../../../src/contract/index.ts';

/**
 * The venue of conventions §6, written independently from its text, as simply as possible: no clever data
 * structure, exact integers for the path, every order checked at every step. It is the reference for the
 * real one, so it imports nothing from it.
 */
export interface NaiveBar {
  /** Open time, epoch milliseconds; a bar lasts a minute. */
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

export interface NaiveOrder {
  side: Side;
  size: number;
  /** A limit order's price; a market order has `slippageBps` instead. */
  price?: number;
  slippageBps?: number;
  timeInForce?: 'gtc' | 'ioc' | 'post_only';
  reduceOnly?: boolean;
}

export interface NaiveFill {
  time: number;
  side: Side;
  price: number;
  size: number;
  liquidity: 'maker' | 'taker';
  fee: number;
}

/** Why the venue refused an order; null if accepted. */
export type NaiveRefusal = 'would_cross' | 'nothing_to_reduce' | null;

export interface NaiveOptions {
  bars: readonly NaiveBar[];
  grid: PriceGrid;
  startTime: number;
  balance: number;
  kind: 'perp' | 'spot';
  /**
   * Picks the first of several orders that fill in the same millisecond: the text leaves it open. Takes
   * their numbers, oldest first.
   */
  chooseFirst(ids: readonly number[]): number;
}

interface Resting {
  id: number;
  side: Side;
  left: number;
  price: number;
  reduceOnly: boolean;
  placedTime: number;
  /** It crossed when it was placed: the liquidity for its next fill is still in the book. */
  crossed: boolean;
}

const MINUTE = 60_000;
const HOUR = 3_600_000;
const HALF_SPREAD_BPS = 1;
const IMPACT_BPS = 10;
const VOLUME_SHARE = 0.1;
const MAKER_BPS = 1.5;
const TAKER_BPS = 4.5;
const FUNDING_AN_HOUR = 0.0000125;
/** The service's own fee by 14-day volume; a fill pays the tier of the volume before it. */
const TIERS = [
  { from: 100_000_000, bps: 0.25 },
  { from: 25_000_000, bps: 0.4 },
  { from: 5_000_000, bps: 0.6 },
  { from: 0, bps: 0.8 },
];
/** Prices as integers, so that a touch differs from a trade-through. */
const UNITS = 1_000_000;
const whole = (price: number): number => Math.round(price * UNITS);

export class NaiveVenue {
  readonly fills: NaiveFill[] = [];
  now: number;
  cash: number;
  /** Signed; base units. For spot, the holding. */
  position = 0;
  /** Average entry price. */
  entry = 0;
  feesPaid = 0;
  fundingPaid = 0;
  #resting: Resting[] = [];
  #orders = 0;
  #volume = 0;
  readonly #used = new Map<number, number>();
  readonly #options: NaiveOptions;

  constructor(options: NaiveOptions) {
    this.#options = options;
    this.now = options.startTime;
    this.cash = options.balance;
  }

  // ── The path: open at the bar's start, extremes at one and two thirds, close at its end ──────────

  /** The mark: the last price of the path. On a boundary the next bar has not begun. */
  get mark(): number {
    const bar = this.#options.bars.findLast((each) => each.time < this.now);
    if (bar === undefined) return this.#options.bars[0]!.open;
    const { above, below } = pathPrice(bar, Math.min(this.now, bar.time + MINUTE));
    return above / below / UNITS;
  }

  get bid(): number {
    return toValidPrice(this.mark * (1 - HALF_SPREAD_BPS / 10_000), this.#options.grid);
  }

  get ask(): number {
    return toValidPrice(this.mark * (1 + HALF_SPREAD_BPS / 10_000), this.#options.grid);
  }

  advanceTo(time: number): void {
    while (this.now < time) {
      const boundary = Math.floor(this.now / MINUTE) * MINUTE + MINUTE;
      this.#runBar(Math.min(time, boundary));
      if (this.now % HOUR === 0 && this.#options.kind === 'perp') this.#settleFunding();
    }
  }

  /** Runs the bar in progress until `to`, one fill at a time, earliest first. */
  #runBar(to: number): void {
    const start = Math.floor(this.now / MINUTE) * MINUTE;
    const bar = this.#options.bars.find((each) => each.time === start);
    let from = this.now + 1;
    while (bar !== undefined) {
      const next = this.#firstFill(bar, from, to);
      if (next === undefined) break;
      from = next.time;
      this.#fillResting(next.order, bar, next.time);
    }
    this.now = to;
  }

  #firstFill(bar: NaiveBar, from: number, to: number) {
    const found = this.#resting.flatMap((order) => {
      if (this.#available(bar) <= 0 && !this.#isIdle(order)) return [];
      const time = firstThrough(bar, order, from, to);
      return time === undefined ? [] : [{ order, time }];
    });
    const time = Math.min(...found.map((each) => each.time));
    const due = found.filter((each) => each.time === time).map((each) => each.order);
    if (due.length === 0) return undefined;
    const first = this.#options.chooseFirst(due.map(({ id }) => id));
    return { order: due.find(({ id }) => id === first)!, time };
  }

  // ── Orders ───────────────────────────────────────────────────────────────────────────────────────

  /** @returns the refusal, or null and the order's number */
  place(order: NaiveOrder): { refusal: NaiveRefusal; id: number } {
    const id = (this.#orders += 1);
    const reduceOnly = order.reduceOnly ?? false;
    if (reduceOnly && this.#reducible(order.side) === 0)
      return { refusal: 'nothing_to_reduce', id };
    const { price } = order;
    const crosses =
      price === undefined || (order.side === 'buy' ? price >= this.ask : price <= this.bid);
    if (order.timeInForce === 'post_only' && crosses) return { refusal: 'would_cross', id };
    const sign = order.side === 'buy' ? 1 : -1;
    const bound = price ?? this.mark * (1 + (sign * (order.slippageBps ?? 50)) / 10_000);
    let left = order.size;
    if (crosses) left -= this.#take({ ...order, reduceOnly, bound });
    left = clean(left);
    if (price !== undefined && order.timeInForce !== 'ioc' && left > 0) {
      const placedTime = this.now;
      const { side } = order;
      this.#resting.push({ id, side, left, price, reduceOnly, placedTime, crossed: crosses });
    }
    return { refusal: null, id };
  }

  cancel(id: number): boolean {
    const before = this.#resting.length;
    this.#resting = this.#resting.filter((order) => order.id !== id);
    return this.#resting.length < before;
  }

  /** Unfilled size of the resting orders of a side. */
  restingSize(side: Side): number {
    const own = this.#resting.filter((order) => order.side === side);
    return own.reduce((sum, order) => sum + order.left, 0);
  }

  isResting(id: number): boolean {
    return this.#resting.some((order) => order.id === id);
  }

  /** A taker pays touch × (1 ± 10⁻³ × share of the last closed bar), never past its bound. */
  #take(order: { side: Side; size: number; reduceOnly: boolean; bound: number }): number {
    const sign = order.side === 'buy' ? 1 : -1;
    const touch = order.side === 'buy' ? this.ask : this.bid;
    const bar = this.#options.bars.findLast((each) => each.time + MINUTE <= this.now);
    if (bar === undefined || bar.volume === 0) return 0;
    if (sign * (order.bound - touch) < 0) return 0;
    const slack = Math.abs(order.bound / touch - 1);
    const boundSize = (slack / (IMPACT_BPS / 10_000)) * bar.volume;
    const cap = order.reduceOnly ? this.#reducible(order.side) : Infinity;
    const wanted = Math.min(order.size, cap, boundSize, this.#available(bar));
    const size = toValidSize(wanted, this.#options.grid);
    if (size <= 0) return 0;
    const price = touch * (1 + sign * (IMPACT_BPS / 10_000) * (size / bar.volume));
    this.#record(bar, { time: this.now, side: order.side, price, size, liquidity: 'taker' });
    return size;
  }

  #fillable(order: Resting, bar: NaiveBar): number {
    const cap = order.reduceOnly ? this.#reducible(order.side) : Infinity;
    return toValidSize(Math.min(order.left, cap, this.#available(bar)), this.#options.grid);
  }

  /** A reduce-only order without a position to reduce; it is cancelled once the path trades through it. */
  #isIdle(order: Resting): boolean {
    return order.reduceOnly && this.#reducible(order.side) === 0;
  }

  #fillResting(order: Resting, bar: NaiveBar, time: number): void {
    if (this.#isIdle(order)) return void this.cancel(order.id);
    const size = this.#fillable(order, bar);
    const { side, price } = order;
    order.left = clean(order.left - size);
    if (order.left <= 0) this.cancel(order.id);
    const takes = order.crossed && this.#isFirstTrade(order, bar, time);
    this.#record(bar, { time, side, price, size, liquidity: takes ? 'taker' : 'maker' });
    if (this.#isIdle(order)) this.cancel(order.id);
  }

  /** Whether no trade happened since the order was placed. */
  #isFirstTrade({ placedTime }: Resting, bar: NaiveBar, time: number): boolean {
    const isLater = this.#options.bars.some(
      (each) => each.time + MINUTE > placedTime && each.time < bar.time,
    );
    return !isLater && time === Math.max(placedTime, bar.time) + 1;
  }

  /** No fill uses volume beyond the share of its bar. */
  #available(bar: NaiveBar): number {
    const left = VOLUME_SHARE * bar.volume - (this.#used.get(bar.time) ?? 0);
    return toValidSize(Math.max(0, left + 1e-9), this.#options.grid);
  }

  #reducible(side: Side): number {
    return Math.max(0, side === 'sell' ? this.position : -this.position);
  }

  // ── Money ────────────────────────────────────────────────────────────────────────────────────────

  #record(bar: NaiveBar, fill: Omit<NaiveFill, 'fee'>): void {
    const notional = fill.price * fill.size;
    const venueBps = fill.liquidity === 'maker' ? MAKER_BPS : TAKER_BPS;
    const tier = TIERS.find(({ from }) => this.#volume >= from)!;
    const fee = (notional * (venueBps + tier.bps)) / 10_000;
    this.#volume += notional;
    this.#used.set(bar.time, (this.#used.get(bar.time) ?? 0) + fill.size);
    this.fills.push({ ...fill, fee });
    this.feesPaid += fee;
    this.cash -= fee;
    const signed = fill.side === 'buy' ? fill.size : -fill.size;
    if (this.#options.kind === 'spot') this.#exchange(signed, notional);
    else this.#trade(signed, fill.price);
  }

  #exchange(signed: number, notional: number): void {
    this.cash -= Math.sign(signed) * notional;
    this.position = clean(this.position + signed);
  }

  /** A closing fill realises the difference to the average entry; an opening one moves the average. */
  #trade(signed: number, price: number): void {
    const closes =
      this.position * signed < 0 ? Math.min(Math.abs(this.position), Math.abs(signed)) : 0;
    this.cash += closes * (price - this.entry) * Math.sign(this.position);
    const opens = Math.abs(signed) - closes;
    const before = Math.abs(this.position) - closes;
    if (opens > 1e-9) this.entry = (before * this.entry + opens * price) / (before + opens);
    this.position = clean(this.position + signed);
  }

  #settleFunding(): void {
    const paid = this.position * this.mark * FUNDING_AN_HOUR;
    this.cash -= paid;
    this.fundingPaid += paid;
  }
}

const clean = (size: number): number => Math.round(size * 1e5) / 1e5;

function cornersOf({ open, high, low, close }: NaiveBar): [number, number, number, number] {
  // The nearer extreme comes first; on a tie, the low.
  const lowFirst = whole(open) - whole(low) <= whole(high) - whole(open);
  return lowFirst ? [open, low, high, close] : [open, high, low, close];
}

/**
 * Times of the corners, milliseconds after the open time. On a boundary there is no forming bar
 * (conventions §3), so the boundary's own millisecond is the last bar's, and a bar's start is the next.
 */
const CORNERS_MS = [1, MINUTE / 3, (2 * MINUTE) / 3, MINUTE] as const;

/** A path's price as a fraction of integers, exact between the corners. */
function pathPrice(bar: NaiveBar, time: number): { above: number; below: number } {
  const corners = cornersOf(bar).map(whole);
  const into = time - bar.time;
  const leg = into < CORNERS_MS[1] ? 0 : into < CORNERS_MS[2] ? 1 : 2;
  const [from, to] = [corners[leg]!, corners[leg + 1]!];
  const [start, end] = [CORNERS_MS[leg]!, CORNERS_MS[leg + 1]!];
  return { above: from * (end - start) + (to - from) * (into - start), below: end - start };
}

/** The first millisecond from `from` to `to` at which the path is beyond the order's price. */
function firstThrough(bar: NaiveBar, order: Resting, from: number, to: number): number | undefined {
  const isThrough = (time: number): boolean => {
    const { above, below } = pathPrice(bar, time);
    const level = whole(order.price) * below;
    return order.side === 'buy' ? above < level : above > level;
  };
  for (const leg of [0, 1, 2]) {
    let first = Math.max(from, bar.time + CORNERS_MS[leg]!);
    let last = Math.min(to, bar.time + CORNERS_MS[leg + 1]!);
    if (first > last) continue;
    if (isThrough(first)) return first;
    if (!isThrough(last)) continue;
    // Each leg of the path is monotonic, so bisection finds the time.
    while (last - first > 1) {
      const middle = Math.floor((first + last) / 2);
      if (isThrough(middle)) last = middle;
      else first = middle;
    }
    return last;
  }
  return undefined;
}
