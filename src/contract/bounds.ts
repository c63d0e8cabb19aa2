/**
 * Bounds are checked on the decimals that were written, not on their binary neighbours: 34 → 35.7 is 500 basis points,
 * and 60 × (1 + 10/10⁴) is 60.06, while a double's arithmetic gives a little more or a little less. Every comparison
 * of a price with a bound in basis points or percent is made here (TRK-3, TRK-4, LEG-5, EXE-4, ORD-1).
 */

/** `units` × 10^-`decimals` is the shortest decimal that reads back as the value. */
function exactly(value: number): { units: bigint; decimals: number } {
  const [mantissa = '0', power = '0'] = value.toExponential().split('e');
  const [whole = '0', part = ''] = mantissa.split('.');
  return { units: BigInt(whole + part), decimals: part.length - Number(power) };
}

/** Zeros are appended so that the values of both are counted in the same unit. */
const scaled = ({ units, decimals }: ReturnType<typeof exactly>, to: number): bigint =>
  units * 10n ** BigInt(to - decimals);

/** All of them are exact as doubles, so that a quotient by one is the double nearest to its decimal. */
const POWERS = Array.from({ length: 21 }, (_, power) => Number(`1e${power}`));
/** A price with more decimals is rare, and goes by text. */
const MOST_PLACES = 8;

/** The fewest decimals that the value has, without its text; undefined above {@link MOST_PLACES}. */
function placesOf(value: number): number | undefined {
  for (let places = 0; places <= MOST_PLACES; places++) {
    const power = POWERS[places]!;
    const units = Math.round(value * power);
    if (!Number.isSafeInteger(units)) return undefined;
    if (units / power === value) return places;
  }
  return undefined;
}

/** Further from the bound, in basis points, arithmetic on doubles decides: text costs twenty times as much. */
const CLOSE = 1e-9;

/**
 * Compares the distance of two prices with a bound, exactly: 0 at the bound, above zero beyond it, below zero
 * inside it; NaN if a price is NaN.
 *
 * ```ts
 * compareMove(34, 35.7, 500); // => 0
 * compareMove(34, 35.71, 500); // => 1
 * ```
 *
 * @param from the price of which the basis points are
 * @param bps of `from`, zero or more
 */
export function compareMove(from: number, to: number, bps: number): number {
  const beyond = Math.abs(to - from) * 10_000 - bps * from;
  if (!(Math.abs(beyond) < CLOSE * Math.abs(from))) return Math.sign(beyond);
  const [first, second, bound] = [exactly(from), exactly(to), exactly(bps)];
  const at = Math.max(first.decimals, second.decimals);
  const least = Math.max(0, bound.decimals);
  const base = scaled(first, at);
  const moved = scaled(second, at) - base;
  const distance = (moved < 0n ? -moved : moved) * 10_000n * 10n ** BigInt(least);
  const most = scaled(bound, least) * base;
  return distance === most ? 0 : distance > most ? 1 : -1;
}

/** What a distance is a part of: of `price × by / BPS`, of `price × by / PERCENT`. */
export const BPS = 10_000;
export const PERCENT = 100;

/**
 * The double nearest to `price × (1 + by / per)` in decimal: a price that stands exactly at this bound is inside it.
 *
 * ```ts
 * offsetPrice(60, 10, BPS); // => 60.06
 * offsetPrice(60, -1.5, PERCENT); // => 59.1
 * ```
 *
 * @param by signed: below zero for a lower price
 * @param per a power of ten: {@link BPS} or {@link PERCENT}
 */
export function offsetPrice(price: number, by: number, per: typeof BPS | typeof PERCENT): number {
  if (!Number.isFinite(price) || !Number.isFinite(by)) return price * (1 + by / per);
  return offsetInteger(price, by, per) ?? offsetText(price, by, per);
}

/** With integers, where none becomes inexact. */
function offsetInteger(price: number, by: number, per: number): number | undefined {
  const places = placesOf(price);
  const least = placesOf(by);
  if (places === undefined || least === undefined) return undefined;
  const factor = per * POWERS[least]! + Math.round(by * POWERS[least]!);
  const units = Math.round(price * POWERS[places]!) * factor;
  if (!Number.isSafeInteger(units)) return undefined;
  return units / (POWERS[places + least]! * per);
}

function offsetText(price: number, by: number, per: number): number {
  const [base, offset] = [exactly(price), exactly(by)];
  const decimals = Math.max(0, offset.decimals);
  const factor = BigInt(per) * 10n ** BigInt(decimals) + scaled(offset, decimals);
  const places = base.decimals + decimals + (per === BPS ? 4 : 2);
  return Number(`${base.units * factor}e${-places}`);
}

/** Rounding errors of a sum or product of decimals, as a part of it. */
const DUST = 1e-12;

/**
 * Whether an amount that was computed (a notional, a margin) is at most a limit, but for its rounding errors: 1.1 × 100
 * is within 110. False if one is NaN: what can't be measured passes no limit.
 */
export function isWithin(value: number, limit: number): boolean {
  // The difference of two infinities is NaN.
  return value <= limit || value - limit <= DUST * Math.abs(limit);
}
