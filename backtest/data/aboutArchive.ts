import { INTERVAL_MS, INTERVALS, type Interval } from '../../src/contract/index.ts';
import { MINUTE_MS } from '../../src/contract/durations.ts';
import { fileNameOf } from '../../src/paper/index.ts';

/** Kraken's `XBTUSD_60.csv`, Bybit's `BTCUSDT_15_2024-01-01_2024-01-31.csv.gz`: the number is minutes. */
const MINUTES = /^([A-Z0-9]+)_(\d+)(?:_\d{4}-\d{2}-\d{2}.*)?\./;

/** Market and interval in the name of an archive's file of candles; null where the name has none. */
export function aboutArchive(file: string): { symbol: string | null; interval: Interval | null } {
  const name = fileNameOf(file);
  const match = MINUTES.exec(name);
  const ms = Number(match?.[2]) * MINUTE_MS;
  const interval = INTERVALS.find((each) => INTERVAL_MS[each] === ms) ?? null;
  return { symbol: match?.[1] ?? null, interval };
}
