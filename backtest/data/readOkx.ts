import { CsvRows, type CsvFault, type FeedResult } from '../../src/paper/index.ts';
import { readCsvBars } from './readCsv.ts';
import type { BarRows } from './Rows.ts';

/** Columns by which OKX's candles are detected. */
export const OKX_COLUMNS = ['instrument_name', 'open_time', 'vol', 'vol_ccy'] as const;

/** `BTC-USDT`; contracts have a third part, such as `BTC-USDT-SWAP` or `BTC-USD-240329`. */
const SPOT = /^[A-Z0-9]+-[A-Z0-9]+$/i;

/**
 * Candles of OKX's archive. Base units are in `vol` for a spot market; for a contract that is the number of contracts,
 * and base units are in `vol_ccy`. `confirm` is not read: files of past days have 0 in it as well as 1.
 */
export function readOkx(bytes: Uint8Array, file: string): FeedResult<BarRows> {
  const market = marketOf(new CsvRows(bytes, file));
  if (typeof market !== 'string') return market;
  const read = readCsvBars(bytes, file, { volume: SPOT.test(market) ? 'vol' : 'vol_ccy' });
  return read.ok ? { ok: true, value: { ...read.value, symbol: market } } : read;
}

/** The market of all rows; some of OKX's files hold many. */
function marketOf(rows: CsvRows): string | CsvFault {
  const column = rows.column('instrument_name');
  let market: string | undefined;
  while (rows.next()) {
    const fault = rows.checkCount();
    if (fault !== null) return fault;
    market ??= rows.text(column);
    if (rows.text(column) !== market) {
      const remedy = 'A file of candles holds one market: split it.';
      return rows.fault(column, `follows ${market}.`, remedy);
    }
  }
  return market ?? rows.fault(null, 'has no rows.', 'Is the file cut off?');
}
