import { scaleNumbers, wholesOf } from './packNumbers.ts';
import type { Row } from './packRows.ts';

const COLUMNS = ['open', 'high', 'low', 'close'] as const;

/**
 * Candles whose prices are written by how they hang together: the open by the close before it, the close by its open,
 * high and low by how far they stand out, `{ …others, '~c': [decimals, opens, closes, highs, lows] }`. Null for any other
 * object, and for prices that no common number of decimals gives back.
 */
export function packCandles(
  candles: Row,
  pack: (value: unknown) => unknown,
): Record<string, unknown> | null {
  const { open, high, low, close, ...others } = candles;
  const columns = [open, high, low, close];
  const length = Array.isArray(close) ? close.length : 0;
  if (length === 0 || !columns.every((column) => isPrices(column, length))) return null;
  const scaled = columns.map((column) => scaleNumbers(column as number[]));
  const decimals = Math.max(...scaled.map((one) => one?.decimals ?? Infinity));
  const wholes = scaled.map((one) => (one === null ? null : wholesOf(one, decimals)));
  const [opens, highs, lows, closes] = wholes;
  if (!opens || !highs || !lows || !closes) return null;
  const parts = [
    opens.map((value, at) => value - (closes[at - 1] ?? 0)),
    closes.map((value, at) => value - opens[at]!),
    highs.map((value, at) => value - Math.max(opens[at]!, closes[at]!)),
    lows.map((value, at) => Math.min(opens[at]!, closes[at]!) - value),
  ];
  const rest = Object.entries(others).map(([name, value]) => [name, pack(value)] as const);
  return { ...Object.fromEntries(rest), '~c': [decimals, ...parts] };
}

function isPrices(column: unknown, length: number): boolean {
  return (
    Array.isArray(column) &&
    column.length === length &&
    column.every((value) => Number.isFinite(value))
  );
}

/** Whether an object has the columns of candles. */
export const hasCandles = (value: Row): boolean => COLUMNS.every((name) => name in value);
