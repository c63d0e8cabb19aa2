import { fileNameOf } from './unzip.ts';

const NAMES = [
  // Binance: BTCUSDT-aggTrades-2024-01.zip; OKX: BTC-USDT-SWAP-trades-2024-01-01.zip
  /^([A-Z0-9]+(?:[-_][A-Z0-9]+)*)-(?:agg)?trades-\d{4}/i,
  // Bybit: BTCUSDT_2024-01-01.csv.gz (spot), BTCUSDT2024-01-01.csv.gz
  /^([A-Z0-9]+?)_?\d{4}-\d{2}-\d{2}\./,
  // Kraken: XBTUSD.csv
  /^([A-Z0-9]{2,8}(?:USD[TC]?|EUR|GBP|CAD|JPY|AUD|CHF|XBT|ETH))\./,
];

/** The market in the name of an archive's file. */
export function marketOfName(file: string): string | null {
  const name = fileNameOf(file);
  for (const pattern of NAMES) {
    const found = pattern.exec(name)?.[1];
    if (found !== undefined) return found;
  }
  return null;
}
