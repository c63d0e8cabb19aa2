import { z } from 'zod';
import { intervalSchema } from '../../src/contract/index.ts';
import { fileFault, type FeedResult } from '../../src/paper/index.ts';
import { CANDLE_REMEDY } from './readCsv.ts';
import { readJson, toNumber } from './readJson.ts';
import type { BarRows, FundingRows } from './Rows.ts';
import { BAR_COLUMNS, FUNDING_COLUMNS, RowColumns } from './RowColumns.ts';

const cell = z.union([z.number(), z.string()]).transform(toNumber);

/** An element of `candleSnapshot`. */
const candle = z.object({
  t: z.number(),
  s: z.string(),
  i: intervalSchema,
  o: cell,
  h: cell,
  l: cell,
  c: cell,
  v: cell,
});

/**
 * An element of `fundingHistory`; Binance's `fundingRate` and ccxt's have other names for the same
 * fields.
 */
const settlement = z.union([
  z.object({ coin: z.string(), time: z.number(), fundingRate: cell }),
  z
    .object({ symbol: z.string(), fundingTime: z.number(), fundingRate: cell })
    .transform(({ symbol, fundingTime, fundingRate }) => ({
      coin: symbol,
      time: fundingTime,
      fundingRate,
    })),
  z
    .object({ symbol: z.string(), timestamp: z.number(), fundingRate: cell })
    .transform(({ symbol, timestamp, fundingRate }) => ({
      coin: symbol,
      time: timestamp,
      fundingRate,
    })),
]);

/** Candles or funding as Hyperliquid's info endpoint returns them; the first element decides which. */
export function readHyperliquid(
  bytes: Uint8Array,
  file: string,
): FeedResult<BarRows | FundingRows> {
  const read = readJson(bytes, file);
  if (!read.ok) return read;
  const first = read.value[0];
  const isFunding = typeof first === 'object' && first !== null && 'fundingRate' in first;
  return isFunding ? readFunding(read.value, file) : readCandles(read.value, file);
}

function readCandles(elements: unknown[], file: string): FeedResult<BarRows> {
  const rows = readAll(elements, candle, file);
  if (!rows.ok) return rows;
  const { s: symbol, i: interval } = rows.value[0]!;
  const other = rows.value.findIndex((row) => row.s !== symbol || row.i !== interval);
  if (other >= 0) return mixed(file, `${symbol} ${interval}`, other);
  const columns = new RowColumns(BAR_COLUMNS);
  for (const [index, { t, o, h, l, c, v }] of rows.value.entries()) {
    columns.push(index + 1, { time: t, open: o, high: h, low: l, close: c, volume: v });
  }
  const about = { file, symbol, interval, notes: [] };
  return { ok: true, value: { kind: 'bars', ...about, ...columns.toArrays() } };
}

function readFunding(elements: unknown[], file: string): FeedResult<FundingRows> {
  const rows = readAll(elements, settlement, file);
  if (!rows.ok) return rows;
  const symbol = rows.value[0]!.coin;
  const other = rows.value.findIndex(({ coin }) => coin !== symbol);
  if (other >= 0) return mixed(file, symbol, other);
  const columns = new RowColumns(FUNDING_COLUMNS);
  for (const [index, { time, fundingRate }] of rows.value.entries()) {
    columns.push(index + 1, { time, rate: fundingRate });
  }
  const about = { file, symbol, notes: [] };
  return { ok: true, value: { kind: 'funding', ...about, ...columns.toArrays() } };
}

function readAll<T>(elements: unknown[], schema: z.ZodType<T>, file: string): FeedResult<T[]> {
  const rows: T[] = [];
  for (const [index, element] of elements.entries()) {
    const row = schema.safeParse(element);
    if (!row.success) {
      const field = row.error.issues[0]?.path.join('.') || 'its shape';
      // Nothing says yet that it is an exchange's response.
      if (index === 0) {
        const remedy = `${CANDLE_REMEDY} Hyperliquid's has t, s, i, o, h, l, c, v.`;
        return fileFault(file, `is not understood: ${field}.`, remedy, 1);
      }
      const what = `differs from the others: ${field}.`;
      return fileFault(file, what, 'Save the exchange’s response unchanged.', index + 1);
    }
    rows.push(row.data);
  }
  return { ok: true, value: rows };
}

function mixed(file: string, first: string, index: number) {
  return fileFault(file, `follows ${first}.`, 'A file holds one market: split it.', index + 1);
}
