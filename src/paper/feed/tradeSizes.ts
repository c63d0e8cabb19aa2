import type { CsvFault, CsvRows } from './CsvRows.ts';
import { inverseContract, isBinanceInverse } from './inverseContract.ts';

/** How many base units a size of the file stands for. */
export interface TradeSizes {
  /** Base units of one contract, as the caller knows it. */
  contractSize: number | undefined;
  /** The market that a column or the file's name gives. */
  market: string | null;
}

/** An OKX swap, future or option: its sizes are numbers of contracts. */
const OKX_CONTRACT = /^[A-Z0-9]+-([A-Z0-9]+)-(SWAP|\d{6})(-|$)/;

/**
 * Factor from a row's sizes to base units; the problem where they cannot be converted. A spot market's sizes, and those
 * of most linear contracts, are base units already; a contract worth a fixed number of dollars has no fixed size.
 *
 * @param rows at the first row
 */
export function baseUnits(
  rows: CsvRows,
  { contractSize, market }: TradeSizes,
): { ok: true; factor: number } | CsvFault {
  const okx = market === null ? null : OKX_CONTRACT.exec(market);
  if (okx?.[1] === 'USD' || isBinanceInverse(market ?? '') || isBybitInverse(rows)) {
    const { message, remedy } = inverseContract(market);
    return rows.fault(null, message, remedy);
  }
  if (okx !== null && contractSize === undefined) {
    const what = `sizes of ${market} are numbers of contracts.`;
    const remedy =
      'Make bars of it with the base units of one contract: `trimtab data import … --contract-size 0.01` for BTC-USDT-SWAP.';
    return rows.fault(null, what, remedy);
  }
  return { ok: true, factor: contractSize ?? 1 };
}

/** Bybit shows both values of a trade: an inverse contract's size is the one in dollars. */
function isBybitInverse(rows: CsvRows): boolean {
  const [size, price, foreign] = ['size', 'price', 'foreignnotional'].map((name) => {
    const field = rows.column(name);
    return field < 0 ? NaN : rows.number(field);
  }) as [number, number, number];
  return price !== 1 && Math.abs(foreign * price - size) <= 1e-6 * size;
}
