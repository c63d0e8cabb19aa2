/**
 * The venue's price and size grid (conventions §6): a price has at most `price_significant_figures`
 * significant figures and at most `price_decimals` decimals, integers are always legal; a size has at
 * most `size_decimals` decimals. Values that a user sends are checked, never rounded; prices that the
 * service resolves are rounded to the nearest valid one.
 */
export interface PriceGrid {
  price_decimals: number;
  price_significant_figures: number;
  size_decimals: number;
}

/** Digits of the shortest decimal that reads back as `value`: `[digits, exponent]`, value = 0.digits × 10^exponent. */
function digitsOf(value: number): { digits: string; exponent: number } {
  const [mantissa = '0', power = '0'] = Math.abs(value).toExponential().split('e');
  return { digits: mantissa.replace('.', ''), exponent: Number(power) + 1 };
}

/** Number of decimals of the shortest decimal that reads back as `value`. */
export function decimalsOf(value: number): number {
  const { digits, exponent } = digitsOf(value);
  if (value === 0) return 0;
  return Math.max(0, digits.length - exponent);
}

/**
 * A size beyond the exact range of a double at its last decimal is on no grid: sums of it would be wrong.
 *
 * ```ts
 * const prices = { price_decimals: 2, price_significant_figures: 5, size_decimals: 3 };
 * isValidSize(0.125, prices); // => true
 * isValidSize(0.1255, prices); // => false
 * ```
 */
export function isValidSize(size: number, grid: PriceGrid): boolean {
  const steps = size * 10 ** grid.size_decimals;
  return size > 0 && steps <= Number.MAX_SAFE_INTEGER && hasDecimals(size, grid.size_decimals);
}

/** Steps up to which a product of a double and a power of ten is off by less than half a step. */
const EXACT_STEPS = 2 ** 50;
/** Number of zeros of the largest power of ten that a double represents exactly. */
const EXACT_POWER = 22;

/** Whether `decimals` decimals are enough for the shortest decimal that reads back as `value`. */
export function hasDecimals(value: number, decimals: number): boolean {
  const power = 10 ** decimals;
  const steps = Math.round(value * power);
  if (decimals > EXACT_POWER || !(Math.abs(steps) < EXACT_STEPS)) {
    return decimalsOf(value) <= decimals;
  }
  // The quotient of two exact numbers is the double nearest to that decimal, the same as parsing it.
  return steps / power === value;
}

/**
 * Whether a price is on the venue's grid; integers are always legal.
 *
 * ```ts
 * const prices = { price_decimals: 2, price_significant_figures: 5, size_decimals: 3 };
 * isValidPrice(100.25, prices); // => true
 * isValidPrice(100.255, prices); // => false
 * ```
 */
export function isValidPrice(price: number, grid: PriceGrid): boolean {
  if (Number.isNaN(price) || price <= 0 || price > Number.MAX_SAFE_INTEGER) return false;
  if (Number.isInteger(price)) return true;
  return (
    decimalsOf(price) <= grid.price_decimals &&
    digitsOf(price).digits.length <= grid.price_significant_figures
  );
}

/** Decimals that a price of this size may have: fewer for large prices, by the significant figures. */
function decimalsAllowed(price: number, grid: PriceGrid): number {
  const integerDigits = Math.floor(Math.log10(Math.abs(price))) + 1;
  return Math.max(0, Math.min(grid.price_decimals, grid.price_significant_figures - integerDigits));
}

type RoundingMode = 'nearest' | 'down' | 'up';

/** Steps up to which a product of a double and a power of ten is off by far less than {@link CLOSE}. */
const PLAIN_STEPS = 2 ** 40;
/** Nearer to a whole or half step, it may be on it. */
const CLOSE = 0.001;

/**
 * {@link roundTo} by arithmetic, for a value on a whole or half step or clearly between them: text costs twenty times as
 * much. NaN where only the digits can decide. So few steps have at most 13 digits, which a double tells apart: the
 * quotient of two exact numbers equals the value where, and only where, that decimal is the value's shortest.
 */
function roundPlainly(value: number, decimals: number, mode: RoundingMode): number {
  const power = 10 ** decimals;
  const steps = Math.abs(value) * power;
  if (!(steps < PLAIN_STEPS) || decimals < 0 || decimals > EXACT_POWER) return Number.NaN;
  const whole = Math.floor(steps);
  const part = steps - whole;
  if (part < CLOSE || part > 1 - CLOSE) {
    return Math.round(steps) / power === Math.abs(value) ? value : Number.NaN;
  }
  const isHalf = Math.abs(part - 0.5) < CLOSE;
  if (isHalf && (2 * whole + 1) / (2 * power) !== Math.abs(value)) return Number.NaN;
  const away = mode === 'nearest' ? isHalf || part > 0.5 : mode === 'up' ? value > 0 : value < 0;
  const magnitude = (away ? whole + 1 : whole) / power;
  return value < 0 ? -magnitude : magnitude;
}

/**
 * Rounds half away from zero in decimal, on the shortest decimal: 1.005 at 2 decimals is 1.01. What is not finite is on
 * no step, and stays as it is.
 */
export function roundTo(value: number, decimals: number, mode: RoundingMode = 'nearest'): number {
  const plain = roundPlainly(value, decimals, mode);
  if (!Number.isNaN(plain)) return plain;
  if (!Number.isFinite(value)) return value;
  if (decimalsOf(value) <= decimals) return value;
  const { digits, exponent } = digitsOf(value);
  const significand = digits.slice(0, Math.max(0, exponent + decimals)) || '0';
  const next = exponent + decimals < 0 ? 0 : Number(digits[exponent + decimals] ?? '0');
  const away = mode === 'nearest' ? next >= 5 : mode === 'up' ? value > 0 : value < 0;
  const units = BigInt(significand) + (away ? 1n : 0n);
  const magnitude = Number(`${units}e${-decimals}`);
  return value < 0 ? -magnitude : magnitude;
}

/**
 * The valid price next to `price`: `nearest`, or the next one `down` or `up`.
 *
 * ```ts
 * const prices = { price_decimals: 2, price_significant_figures: 5, size_decimals: 3 };
 * toValidPrice(100.256, prices); // => 100.26
 * toValidPrice(100.256, prices, 'down'); // => 100.25
 * ```
 */
export function toValidPrice(
  price: number,
  grid: PriceGrid,
  mode: RoundingMode = 'nearest',
): number {
  return roundTo(price, decimalsAllowed(price, grid), mode);
}

/**
 * The largest valid size that is not above `size`; never rounds up, so that a share stays a share.
 *
 * ```ts
 * const prices = { price_decimals: 2, price_significant_figures: 5, size_decimals: 3 };
 * toValidSize(0.1259, prices); // => 0.125
 * ```
 */
export function toValidSize(size: number, grid: PriceGrid): number {
  return roundTo(size, grid.size_decimals, 'down');
}

/** The smallest step of a valid price at `price`. */
export function tickAt(price: number, grid: PriceGrid): number {
  return Number(`1e${-decimalsAllowed(price, grid)}`);
}

/** Plain decimal text, without an exponent: `1e-7` becomes `0.0000001`. */
export function toPlainDecimal(value: number): string {
  const text = String(value);
  if (!/e/i.test(text)) return text;
  const { digits, exponent } = digitsOf(value);
  const sign = value < 0 ? '-' : '';
  if (exponent <= 0) return `${sign}0.${'0'.repeat(-exponent)}${digits}`;
  if (digits.length <= exponent) return `${sign}${digits}${'0'.repeat(exponent - digits.length)}`;
  return `${sign}${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
}
