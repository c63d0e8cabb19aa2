import { type Holdings, isSpot, type WalletBook } from '../wallet/index.ts';
import type { BotPlan } from '../BotPlan.ts';

/** Where a position is. */
export interface Place {
  wallet: string;
  symbol: string;
}

/** What the bot's wallets hold, by what orders can take. */
export interface HeldPositions {
  /** The symbols of which a wallet has something, whoever owns it. */
  symbolsOf(wallet: string): string[];
  /**
   * Whether the bot has a position in a symbol: of spot, what it bought. Less than a step of the instrument is the rest
   * of a sale, which no order can take.
   */
  isHeld(wallet: string, symbol: string): boolean;
  /** The same by the wallet's whole size: of a spot asset, what others hold counts, too. */
  isLeft(wallet: string, symbol: string): boolean;
  /** Worth less than the least order: no decision about it could be carried out. */
  isDust(wallet: string, symbol: string): boolean;
}

export interface HeldPositionsOptions {
  plan: Pick<BotPlan, 'instruments'>;
  bookOf(wallet: string): WalletBook;
  holdings: Pick<Holdings, 'bought'>;
}

export function createHeldPositions({
  plan,
  bookOf,
  holdings,
}: HeldPositionsOptions): HeldPositions {
  const limitsOf = createLimitsOf(plan.instruments);

  /** Of spot, what the bot bought is its position; while that is unknown, the whole holding may be. */
  function sizeHeld(wallet: string, symbol: string): number {
    const bought = isSpot(symbol) ? holdings.bought(wallet, symbol) : undefined;
    return bought ?? bookOf(wallet).position(symbol);
  }

  const isEnough = (symbol: string, size: number): boolean =>
    isSpot(symbol) ? size >= limitsOf(symbol).step : size !== 0;

  return {
    symbolsOf(wallet) {
      const book = bookOf(wallet);
      const perps = book.openPositions().map(({ symbol }) => symbol);
      const spots = book.spotHoldings().map(({ symbol }) => symbol);
      return [...perps, ...spots].filter((symbol) => book.position(symbol) !== 0);
    },
    isHeld: (wallet, symbol) => isEnough(symbol, sizeHeld(wallet, symbol)),
    isLeft: (wallet, symbol) => isEnough(symbol, bookOf(wallet).position(symbol)),
    isDust(wallet, symbol) {
      if (!isSpot(symbol)) return false;
      const holding = bookOf(wallet)
        .spotHoldings()
        .find((one) => one.symbol === symbol);
      if (holding?.price === undefined) return false;
      return sizeHeld(wallet, symbol) * holding.price < limitsOf(symbol).least;
    },
  };
}

/** What an instrument's orders can take, as sizes and quote units; of one that is not listed, as good as nothing. */
function createLimitsOf(instruments: BotPlan['instruments']) {
  const limits = new Map(
    instruments.map(({ symbol, size_decimals: decimals, min_order_value: least }) => [
      symbol,
      { step: Number(`1e${-decimals}`), least },
    ]),
  );
  return (symbol: string) => limits.get(symbol) ?? { step: 1e-9, least: 0 };
}
