import type { BalanceRecord, PositionRecord } from '../../contract/index.ts';
import type { AccountModel } from '../../streams/index.ts';

export interface WalletValueOptions {
  /** Last price of a symbol, or undefined. */
  priceOf: (symbol: string) => number | undefined;
  /** Whether a price of the symbol is to come, if there is none yet. */
  isFollowed: (symbol: string) => boolean;
  /** Whether other symbols' bars of this instant are here, and this one's is still to come. */
  isAwaited: (symbol: string) => boolean;
}

/** What a wallet's positions and balances are worth at the last prices, quote units. */
export interface WalletValue {
  model(next: AccountModel): void;
  positions(): readonly PositionRecord[];
  /** Cash, spot holdings at their price, and open profit. */
  equity(): number;
  /** Open profit. */
  unrealized(): number;
  usedMargin(): number;
  /** Spot symbols whose base the wallet holds. */
  heldSpots(): string[];
  /** Whether prices may move the equity; without positions and assets beside the cash it is constant. */
  isPriced(): boolean;
  /** Adds the symbols of these prices. */
  priced(symbols: Set<string>): void;
  /** Half of a hedge at the new price and half at the old one would show a loss that does not exist. */
  isHalfMarked(): boolean;
  /** Without its price a holding is worth nothing, and a day that begins so hides what is lost in it. */
  lacksPrice(): boolean;
}

/** A wallet's cash is one asset (conventions §6). */
const CASH = 'USDC';

export const signedSize = (position: PositionRecord): number =>
  position.side === 'short' ? -position.size : position.size;

export function createWalletValue({
  priceOf,
  isFollowed,
  isAwaited,
}: WalletValueOptions): WalletValue {
  let model: AccountModel | undefined;
  /** Of the model, as lists: they are iterated at every bar. */
  let positions: readonly PositionRecord[] = [];
  let balances: readonly BalanceRecord[] = [];
  let isPriced = true;

  function unrealized(): number {
    let sum = 0;
    for (let at = 0; at < positions.length; at++) {
      const position = positions[at]!;
      const price = priceOf(position.symbol) ?? position.mark_price;
      sum += signedSize(position) * (price - position.entry_price);
    }
    return sum;
  }

  return {
    model(next) {
      if (next.positions !== model?.positions) positions = [...next.positions.values()];
      if (next.balances !== model?.balances) balances = [...next.balances.values()];
      model = next;
      isPriced = next.positions.size > 0 || next.balances.size > 1;
    },
    positions: () => positions,
    equity() {
      let sum = unrealized();
      for (let at = 0; at < balances.length; at++) {
        const { asset, total } = balances[at]!;
        sum += asset === CASH ? total : total * (priceOf(`${asset}/${CASH}`) ?? 0);
      }
      return sum;
    },
    unrealized,
    usedMargin() {
      let sum = 0;
      for (const position of positions) {
        const price = priceOf(position.symbol) ?? position.mark_price;
        sum += (position.size * price) / (position.leverage ?? 1);
      }
      return sum;
    },
    heldSpots: () =>
      balances
        .filter(({ asset, total }) => asset !== CASH && total > 0)
        .map(({ asset }) => `${asset}/${CASH}`),
    isPriced: () => isPriced,
    priced(symbols) {
      if (!isPriced) return;
      for (const { symbol } of positions) symbols.add(symbol);
      for (const { asset } of balances) {
        if (asset !== CASH) symbols.add(`${asset}/${CASH}`);
      }
    },
    isHalfMarked() {
      for (let at = 0; at < positions.length; at++) {
        if (isAwaited(positions[at]!.symbol)) return true;
      }
      for (let at = 0; at < balances.length; at++) {
        const { asset, total } = balances[at]!;
        if (asset !== CASH && total > 0 && isAwaited(`${asset}/${CASH}`)) return true;
      }
      return false;
    },
    lacksPrice: () =>
      balances.some(({ asset, total }) => {
        const symbol = `${asset}/${CASH}`;
        const isHeld = asset !== CASH && total > 0;
        return isHeld && isFollowed(symbol) && priceOf(symbol) === undefined;
      }),
  };
}
