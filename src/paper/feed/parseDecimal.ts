const DOT = 0x2e;
const MINUS = 0x2d;
const ZERO = 0x30;

/** Powers of ten that are exact as doubles: with an exact integer, one division rounds correctly. */
const EXACT_POWERS = Array.from({ length: 23 }, (_none, power) => Number(`1e${power}`));
const EXACT_INTEGER = 2 ** 53;

/**
 * The decimal in `bytes` from `start` to `end`, parsed directly: a conversion to text first costs more
 * than twice as much. NaN if it isn't one.
 */
export function parseDecimal(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  const negative = bytes[at] === MINUS;
  if (negative) at++;
  let digits = 0;
  let decimals = -1;
  let count = 0;
  for (; at < end; at++) {
    const code = bytes[at]!;
    if (code === DOT && decimals < 0) decimals = 0;
    else if (code >= ZERO && code <= ZERO + 9) {
      digits = digits * 10 + (code - ZERO);
      count++;
      if (decimals >= 0) decimals++;
    } else return slowNumber(textOf(bytes, start, end));
  }
  if (count === 0) return NaN;
  if (digits > EXACT_INTEGER || decimals > 22) return slowNumber(textOf(bytes, start, end));
  const value = decimals > 0 ? digits / EXACT_POWERS[decimals]! : digits;
  return negative ? -value : value;
}

export function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
}

/** Handles exponents and very long decimals, which some exchanges write. */
function slowNumber(text: string): number {
  const plain = text.trim();
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain) ? Number(plain) : NaN;
}
