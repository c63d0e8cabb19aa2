import type { FillRecord, PositionRecord } from '../../contract/index.ts';
import {
  createDrawdown,
  type DrawdownTimes,
  type MeasuredRun,
  type TimedValue,
} from '../../statistics/index.ts';
import { applied, applyFill, FLAT, type Holding } from './applyFill.ts';
import type { InstantColumns } from './createInstants.ts';

/** What one strategy instance earned, in quote units. */
export interface LedgerSummary {
  fills: number;
  /** Closed profit and loss before fees and funding. */
  realizedPnl: number;
  unrealizedPnl: number;
  fees: number;
  /** Positive when paid. */
  funding: number;
  /** realized + unrealized − fees − funding. */
  netPnl: number;
  /** Largest fall of the net P&L from its peak, quote units, at bar closes and now. */
  maxDrawdown: number;
  /** The same as a share of the equity at that peak (0.02 = 2 %). */
  maxDrawdownShare: number;
  /** Quote units that it started with. */
  capital: number;
}

/** P&L by strategy. One strategy owns a (wallet, symbol), so positions don't mix. */
export interface Ledger {
  /** Equity that the instance is allotted, quote units; only the first call counts. */
  fund(capital: number): void;
  /**
   * A position that was open before: it counts from its entry price on. The capital holds what it had earned by then,
   * so that this is no part of a drawdown.
   */
  adopt(position: PositionRecord): void;
  /**
   * What adopted positions had earned when they were: a part of the net P&L, and of the capital. Quote units; `open`
   * is the part of what is still held, and the rest is realised.
   */
  adopted(): { net: number; open: number };
  /** The former alone, asked at every instant of a run. */
  adoptedNet(): number;
  /**
   * Spot that was bought before, in base units, beside what the fills since tell. A wallet has no entry price of it, so
   * that it counts from the first price that is known here.
   */
  adoptSpot(symbol: string, size: number): void;
  fill(fill: FillRecord): void;
  /** Funding of a symbol; positive when paid. */
  funding(symbol: string, amount: number): void;
  /** A new price of a symbol. */
  mark(symbol: string, price: number): void;
  /**
   * An instant is complete: its P&L includes all of its prices, and counts as a peak or a trough.
   *
   * @param time of the instant, epoch milliseconds
   */
  sampleDrawdown(time: number): void;
  /** The same of many instants. */
  sampleColumns(instants: InstantColumns): void;
  /** The net P&L at each instant, until other instants are asked for. */
  netColumn(instants: InstantColumns): Float64Array;
  /** Adds the symbols whose price changes what it is worth. */
  priced(symbols: Set<string>): void;
  /** When it was below an earlier peak; the run's ends, which only its driver knows, included. */
  drawdownTimes(run: Omit<MeasuredRun, 'value'>): DrawdownTimes;
  /** The points of its curve that hold its extremes and its worst drawdowns. */
  drawdownMarks(): readonly TimedValue[];
  /** Signed position in base units. */
  position(symbol: string): number;
  /** Average price of that position; undefined while it is flat, or without a price yet. */
  entryPrice(symbol: string): number | undefined;
  /** Current net P&L, without the rest of the summary. */
  net(): number;
  summary(): LedgerSummary;
}

interface Held extends Holding {
  readonly symbol: string;
  /** Last price of the market; 0 before the first. */
  mark: number;
  /** The last fills in the order of the market, and what was held before them. */
  recent: FillRecord[];
  before: Holding;
}

/**
 * Fills of a symbol into which one that is learned of late is put in its place: the fills of an outage are read
 * when others have come already. One that is older still counts as the first of these.
 */
const MOST_RECENT = 512;

export function createLedger(): Ledger {
  let capital: number | undefined;
  const holdings = new Map<string, Held>();
  /** The values as a list as well: iterating a map at every bar would allocate an object a bar. */
  const all: Held[] = [];
  let fills = 0;
  let realizedPnl = 0;
  let fees = 0;
  let fundingPaid = 0;
  let adopted = 0;
  const equityAt = (pnl: number): number => (capital ?? 0) - adopted + pnl;
  let drawdown = createDrawdown(equityAt);
  /** Needed at every bar, while most bars change nothing of it. */
  let netPnl = 0;
  let isStale = false;
  /** Net P&L at each of the instants that were valued last. */
  let values = new Float64Array();
  let valued: InstantColumns | undefined;

  const holding = (symbol: string): Held => {
    const known = holdings.get(symbol);
    if (known !== undefined) return known;
    const fresh: Held = { symbol, ...FLAT, mark: 0, recent: [], before: { ...FLAT } };
    holdings.set(symbol, fresh);
    all.push(fresh);
    return fresh;
  };

  const unrealized = (): number => {
    let sum = 0;
    for (let at = 0; at < all.length; at++) {
      const { size, entryPrice, mark } = all[at]!;
      sum += size * (mark - entryPrice);
    }
    return sum;
  };

  const net = (): number => {
    if (isStale) netPnl = realizedPnl + unrealized() - fees - fundingPaid;
    isStale = false;
    return netPnl;
  };

  const isPricedBy = (prices: InstantColumns['prices']): boolean =>
    all.some(({ symbol, size }) => size !== 0 && prices.has(symbol));

  /** The terms of `net` in their order, so that no sum differs from it by a bit. */
  function valueColumn({ count, prices }: InstantColumns): void {
    values.fill(0, 0, count);
    for (const { symbol, size, entryPrice, mark } of all) {
      const column = prices.get(symbol);
      // A flat position is worth nothing at any price; before the first it has none.
      if (column === undefined || size === 0) {
        const worth = size * (mark - entryPrice);
        for (let row = 0; row < count; row++) values[row]! += worth;
      } else {
        for (let row = 0; row < count; row++) values[row]! += size * (column[row]! - entryPrice);
      }
    }
    for (let row = 0; row < count; row++)
      values[row] = realizedPnl + values[row]! - fees - fundingPaid;
  }

  function netColumn(instants: InstantColumns): Float64Array {
    if (instants === valued) return values;
    const { times, count, prices } = instants;
    if (values.length < times.length) values = new Float64Array(times.length);
    if (isPricedBy(prices)) valueColumn(instants);
    else values.fill(net(), 0, count);
    valued = instants;
    return values;
  }

  /** Something was held before the recent fills: what these make of it is another sum. */
  function rebase(held: Held, before: Pick<Holding, 'size' | 'entryPrice'>): void {
    const earned = held.realizedPnl;
    Object.assign(held.before, before);
    Object.assign(held, held.recent.reduce(applied, { ...held.before }));
    realizedPnl += held.realizedPnl - earned;
    isStale = true;
  }

  /** The first price of a symbol is the entry price of what was adopted without one. */
  function priceAdopted(held: Held, first: number): void {
    const { size, entryPrice } = held.before;
    if (size !== 0 && entryPrice === 0) rebase(held, { size, entryPrice: first });
  }

  function take(held: Held, fill: FillRecord): void {
    const { recent } = held;
    const isLate = fill.time < (recent.at(-1)?.time ?? Number.NEGATIVE_INFINITY);
    if (!isLate) {
      recent.push(fill);
      realizedPnl += applyFill(held, fill);
    } else {
      const earned = held.realizedPnl;
      recent.splice(recent.findLastIndex(({ time }) => time <= fill.time) + 1, 0, fill);
      Object.assign(held, recent.reduce(applied, { ...held.before }));
      realizedPnl += held.realizedPnl - earned;
    }
    if (recent.length > MOST_RECENT) {
      held.before = recent.splice(0, MOST_RECENT / 2).reduce(applied, held.before);
    }
  }

  return {
    fund(amount) {
      capital ??= amount;
    },
    adopt({ symbol, side, size, entry_price, mark_price }) {
      const held = holding(symbol);
      held.size = side === 'short' ? -size : size;
      held.dust = 0;
      held.entryPrice = entry_price;
      held.mark = mark_price;
      held.recent = [];
      held.adopted = held.size * (mark_price - entry_price);
      const { size: units, entryPrice, realizedPnl: earned, adopted: before } = held;
      held.before = { size: units, dust: 0, entryPrice, realizedPnl: earned, adopted: before };
      isStale = true;
      adopted += held.adopted;
      // Nothing is earned before all of them are: there is no fall that this could forget.
      drawdown = createDrawdown(equityAt, net());
    },
    adoptedNet: () => adopted,
    adopted: () => ({ net: adopted, open: all.reduce((sum, held) => sum + held.adopted, 0) }),
    adoptSpot(symbol, size) {
      const held = holding(symbol);
      const { before, mark } = held;
      const sum = before.size + size;
      const entryPrice = (before.size * before.entryPrice + size * mark) / sum;
      rebase(held, { size: sum, entryPrice });
    },
    fill(fill) {
      fills++;
      fees += fill.fee;
      const held = holding(fill.symbol);
      if (held.mark === 0) priceAdopted(held, fill.price);
      take(held, fill);
      // The price paid is no price of the whole position: a thin book would revalue all of it.
      if (held.mark === 0) held.mark = fill.price;
      isStale = true;
    },
    funding(_symbol, amount) {
      fundingPaid += amount;
      isStale = true;
    },
    mark(symbol, price) {
      const held = holding(symbol);
      if (held.mark === 0) priceAdopted(held, price);
      held.mark = price;
      // A flat position is worth nothing at any price.
      if (held.size !== 0) isStale = true;
    },
    sampleDrawdown: (time) => drawdown.sample(time, net()),
    sampleColumns(instants) {
      const { times, count, prices } = instants;
      if (isPricedBy(prices)) drawdown.sampleColumn(times, netColumn(instants), count);
      else drawdown.sampleFlat(times, count, net());
    },
    netColumn,
    priced(symbols) {
      for (let at = 0; at < all.length; at++) {
        if (all[at]!.size !== 0) symbols.add(all[at]!.symbol);
      }
    },
    drawdownTimes: (run) => drawdown.times({ ...run, value: net() }),
    drawdownMarks: () => drawdown.marks(),
    position: (symbol) => holdings.get(symbol)?.size ?? 0,
    entryPrice(symbol) {
      const { size, entryPrice } = holdings.get(symbol) ?? FLAT;
      return size === 0 || entryPrice === 0 ? undefined : entryPrice;
    },
    net,
    summary() {
      const { amount, share } = drawdown.deepest(net());
      return {
        fills,
        realizedPnl,
        unrealizedPnl: unrealized(),
        fees,
        funding: fundingPaid,
        netPnl: net(),
        maxDrawdown: amount,
        maxDrawdownShare: share,
        capital: capital ?? 0,
      };
    },
  };
}
