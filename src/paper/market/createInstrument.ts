import { decimalsOf, type InstrumentRecord } from '../../contract/index.ts';
import type { Feed } from '../feed/Feed.ts';

/** Settings of an engine for one symbol. */
export type InstrumentOverrides = Partial<Omit<Known<InstrumentRecord>, 'symbol'>>;

/** A record without the index signature that admits unknown fields. */
export type Known<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

type Kind = 'perp' | 'spot' | 'third_party_perp';

const SIZE_DECIMALS = 5;
const SIGNIFICANT_FIGURES = 5;
const MAX_LEVERAGE = 50;
/** Price and size decimals of an instrument add up to this on the venue. */
const DECIMALS_OF: Readonly<Record<Kind, number>> = { perp: 6, third_party_perp: 6, spot: 8 };

/** A slash means spot, a colon a third-party-deployed perp, else a perp against USD (conventions §6). */
function nameParts(symbol: string): {
  kind: Kind;
  base: string;
  quote: string;
  deployer: string | null;
} {
  const [base = symbol, quote] = symbol.split('/');
  if (quote !== undefined) return { kind: 'spot', base, quote, deployer: null };
  const colon = symbol.indexOf(':');
  if (colon < 0) return { kind: 'perp', base: symbol, quote: 'USD', deployer: null };
  const [deployer, listed] = [symbol.slice(0, colon), symbol.slice(colon + 1)];
  return { kind: 'third_party_perp', base: listed, quote: 'USD', deployer };
}

export function createInstrument(
  feed: Feed,
  minimums: { minOrderValue: number; algoMinValue: number },
  overrides: InstrumentOverrides = {},
): InstrumentRecord {
  const parts = nameParts(feed.symbol);
  const sizeDecimals = overrides.size_decimals ?? SIZE_DECIMALS;
  const usual = Math.max(0, DECIMALS_OF[parts.kind] - sizeDecimals);
  return {
    symbol: feed.symbol,
    kind: parts.kind,
    base: parts.base,
    quote: parts.quote,
    size_decimals: sizeDecimals,
    price_decimals: overrides.price_decimals ?? Math.max(usual, feedDecimals(feed)),
    price_significant_figures: SIGNIFICANT_FIGURES,
    min_order_value: minimums.minOrderValue,
    algo_min_value: minimums.algoMinValue,
    max_leverage: MAX_LEVERAGE,
    deployer: parts.deployer,
    ...overrides,
  };
}

/** By feed: the points of a sweep share theirs, and reading a million prices takes 13 ms. */
const knownDecimals = new WeakMap<Feed, number>();

/** The most decimals that any price of the feed has. */
function feedDecimals(feed: Feed): number {
  const known = knownDecimals.get(feed);
  if (known !== undefined) return known;
  const decimals = readDecimals(feed);
  knownDecimals.set(feed, decimals);
  return decimals;
}

/** Millions of prices pass here, so none is converted to text. */
function readDecimals(feed: Feed): number {
  let decimals = 0;
  for (const column of [feed.open, feed.high, feed.low, feed.close]) {
    let at = nextFiner(column, 0, decimals);
    while (at < column.length) {
      decimals = Math.max(decimals, decimalsOf(column[at]!));
      at = nextFiner(column, at + 1, decimals);
    }
  }
  return decimals;
}

/** Index of the first price from `from` on that has more decimals; the length if none has. */
function nextFiner(column: Float64Array, from: number, decimals: number): number {
  const power = 10 ** decimals;
  for (let at = from; at < column.length; at++) {
    const price = column[at]!;
    if (Math.round(price * power) / power !== price) return at;
  }
  return column.length;
}
