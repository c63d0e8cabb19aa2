/** Decimals beyond which a list of numbers is left as it is. */
const MOST_DECIMALS = 12;

/** Numbers as whole ones of a common number of decimals. */
export interface ScaledNumbers {
  decimals: number;
  wholes: readonly number[];
  values: readonly number[];
}

/** Twelve significant digits hold any price, size and epoch millisecond beyond display. */
export function shorten(value: number): number {
  return Number.isSafeInteger(value) ? value : Number(value.toPrecision(12));
}

/** Null where no number of decimals gives every value back, bit by bit. */
export function scaleNumbers(given: readonly number[]): ScaledNumbers | null {
  const values = given.map(shorten);
  let decimals = 0;
  for (const value of values) {
    while (decimals <= MOST_DECIMALS && !isWhole(value, decimals)) decimals += 1;
    if (decimals > MOST_DECIMALS) return null;
  }
  return { decimals, values, wholes: values.map((value) => Math.round(value * 10 ** decimals)) };
}

/** The whole numbers with more decimals; null where they would not give the values back. */
export function wholesOf({ values }: ScaledNumbers, decimals: number): number[] | null {
  if (!values.every((value) => isWhole(value, decimals))) return null;
  return values.map((value) => Math.round(value * 10 ** decimals));
}

function isWhole(value: number, decimals: number): boolean {
  const whole = Math.round(value * 10 ** decimals);
  return Number.isSafeInteger(whole * 2) && whole / 10 ** decimals === value;
}

/** Differences of each to the one before it, the first to zero. */
export function differencesOf(wholes: readonly number[]): number[] {
  return wholes.map((whole, at) => whole - (wholes[at - 1] ?? 0));
}
