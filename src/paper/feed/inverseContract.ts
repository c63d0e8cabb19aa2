import { fileFault, type FeedProblem } from './FeedProblem.ts';
import { fileNameOf } from './unzip.ts';

/** `BTCUSD_PERP`: Binance's inverse contract without an end. */
const PERPETUAL = String.raw`[A-Z0-9]+USD_PERP`;
/** `BTCUSD_240329`: one that ends that day. `BTCBUSD_210129` is BTC in BUSD, and linear; `BNBUSD_240329` is BNB in USD. */
const DATED = String.raw`[A-Z0-9]+(?<![A-Z0-9]{3}B)USD_\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])`;
/** What follows the market in the name of Binance's archive; other files have a market and a day in their names, too. */
const IN_ARCHIVE = String.raw`(?=-(?:\d+(?:s|m|h|d|w|mo)|trades|aggTrades|bookTicker|bookDepth)-\d{4})`;
const MARKET = new RegExp(`^(?:${PERPETUAL}|${DATED})$`);
const IN_NAME = new RegExp(`(?<![A-Z0-9])(?:${PERPETUAL}(?![A-Z0-9])|${DATED}${IN_ARCHIVE})`, 'i');

/** Whether a market's name is that of one of Binance's inverse contracts. */
export function isBinanceInverse(market: string): boolean {
  return MARKET.test(market);
}

/** What is said of a contract that is worth a fixed number of dollars. */
export function inverseContract(market: string | null): { message: string; remedy: string } {
  return {
    message: `${market ?? 'This market'} is an inverse contract, whose sizes are not base units.`,
    remedy: 'Take the linear contract of the market, whose sizes are base units.',
  };
}

/** The refusal of a file by its name, which the user's own file of another market may have. */
export function refuseByName(file: string, market: string): { ok: false; problem: FeedProblem } {
  const { message, remedy } = inverseContract(market);
  return fileFault(file, message, `${remedy} A file of another market may be renamed.`);
}

/**
 * The refusal of a file whose name, or the market in it, is one of Binance's inverse contracts; null for any other. The
 * name counts whatever symbol the user gives it.
 */
export function refuseInverse(
  file: string,
  symbol: string | null,
): { ok: false; problem: FeedProblem } | null {
  if (symbol !== null && isBinanceInverse(symbol)) {
    const { message, remedy } = inverseContract(symbol);
    return fileFault(file, message, remedy);
  }
  const named = IN_NAME.exec(fileNameOf(file))?.[0] ?? null;
  return named === null ? null : refuseByName(file, named);
}
