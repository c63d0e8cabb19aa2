import { CsvRows, inverseContract, type CsvFault, type FeedResult } from '../../src/paper/index.ts';
import { readCsvBars, type BINANCE_COLUMNS } from './readCsv.ts';
import type { BarRows } from './Rows.ts';

/** Dollars of one coin-margined contract: 100 of BTC, 10 of any other coin. */
const CONTRACT_DOLLARS = [100, 10];
/** Volumes are rounded, and all trades of a bar may have one price. */
const ROUNDING = 1e-3;

/** Klines of Binance's archive. Those of an inverse contract are known by their values, whatever the file is called. */
export function readBinance(
  bytes: Uint8Array,
  file: string,
  header: typeof BINANCE_COLUMNS | undefined,
): FeedResult<BarRows> {
  const inverse = findInverse(new CsvRows(bytes, file, header));
  return inverse ?? readCsvBars(bytes, file, { header });
}

/**
 * A file has both values of a bar's volume. Of a linear contract they are base and quote units, whose ratio is a price of the
 * bar; of an inverse one they are contracts and base units. The first row that fits only one of the two decides.
 */
function findInverse(rows: CsvRows): CsvFault | null {
  const [low, high, volume, other] = ['low', 'high', 'volume', 'quote_volume'].map((name) =>
    rows.column(name),
  ) as [number, number, number, number];
  if (other < 0) return null;
  while (rows.next()) {
    const isPrice = (value: number): boolean =>
      value >= rows.number(low) * (1 - ROUNDING) && value <= rows.number(high) * (1 + ROUNDING);
    const units = rows.number(volume) / rows.number(other);
    const isLinear = isPrice(1 / units);
    const isInverse = CONTRACT_DOLLARS.some((dollars) => isPrice(dollars * units));
    if (isLinear === isInverse) continue;
    if (isLinear) return null;
    const { message, remedy } = inverseContract(null);
    return rows.fault(null, message, remedy);
  }
  return null;
}
