import { fileFault, type FeedProblem } from './FeedProblem.ts';
import { fileNameOf } from './unzip.ts';

/** `BTCUSD_PERP`, `BTCUSD_240329`: Binance's inverse contracts; the digits are a day. */
const BINANCE = String.raw`[A-Z0-9]+USD_(?:PERP|\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))`;
const BINANCE_MARKET = new RegExp(`^${BINANCE}$`);
const BINANCE_IN_NAME = new RegExp(`(?<![A-Z0-9])${BINANCE}(?![A-Z0-9])`, 'i');

/** Whether a market's name is that of one of Binance's inverse contracts. */
export function isBinanceInverse(market: string): boolean {
  return BINANCE_MARKET.test(market);
}

/** What is said of a contract that is worth a fixed number of dollars. */
export function inverseContract(market: string | null): { message: string; remedy: string } {
  return {
    message: `${market ?? 'This market'} is an inverse contract, whose sizes are not base units.`,
    remedy: 'Take the linear contract of the market, whose sizes are base units.',
  };
}

/**
 * The refusal of a file whose name, or the market in it, is one of Binance's inverse contracts; null for any other. The
 * name counts whatever symbol the user gives it.
 */
export function refuseInverse(
  file: string,
  symbol: string | null,
): { ok: false; problem: FeedProblem } | null {
  const named = BINANCE_IN_NAME.exec(fileNameOf(file))?.[0] ?? null;
  const market = symbol !== null && isBinanceInverse(symbol) ? symbol : named;
  if (market === null) return null;
  const { message, remedy } = inverseContract(market);
  return fileFault(file, message, remedy);
}
