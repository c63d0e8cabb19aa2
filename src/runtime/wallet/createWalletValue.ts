import { CASH, signedSize, type BalanceRecord, type PositionRecord } from '../../contract/index.ts';
import type { AccountModel } from '../../streams/index.ts';
import { createUnpriced } from './createUnpriced.ts';

export interface WalletValueOptions {
  /** Last price of a symbol, or undefined. */
  priceOf: (symbol: string) => number | undefined;
  /** Whether the service has an instrument of this name, by whose bars an asset gets a price. */
  isListed: (symbol: string) => boolean;
  /** Whether other symbols' bars of this instant are here, and this one's is still to come. */
  isAwaited: (symbol: string) => boolean;
}

/** A spot asset of a wallet; base units. */
export interface SpotHolding {
  symbol: string;
  size: number;
  /** By which it counts in the equity; undefined if nothing says what it is worth. */
  price: number | undefined;
}

/** What a wallet's positions and balances are worth at the last prices, quote units. */
export interface WalletValue {
  model(next: AccountModel): void;
  positions(): readonly PositionRecord[];
  /** Cash, spot holdings at their price, and open profit. */
  equity(): number;
  /** Open profit. */
  unrealized(): number;
  /** What the service's last account record says, moved by what positions, prices and cash changed since. */
  margin(): { used: number; available: number };
  /** Spot symbols whose base the wallet holds. */
  heldSpots(): string[];
  /** What the wallet holds of spot, all of it, at the last prices. */
  spotHoldings(): readonly SpotHolding[];
  /** What a base unit of an asset counts as, quote units; undefined if as nothing. */
  priceOf(asset: string): number | undefined;
  /** Whether prices may move the equity; without positions and assets beside the cash it is constant. */
  isPriced(): boolean;
  /** Adds the symbols of these prices. */
  priced(symbols: Set<string>): void;
  /** Half of a hedge at the new price and half at the old one would show a loss that does not exist. */
  isHalfMarked(): boolean;
  /** Without its price a holding is worth nothing, and a day that begins so hides what is lost in it. */
  lacksPrice(): boolean;
}

export function createWalletValue({
  priceOf,
  isListed,
  isAwaited,
}: WalletValueOptions): WalletValue {
  let model: AccountModel | undefined;
  /** Of the model, as lists: they are iterated at every bar. */
  let positions: readonly PositionRecord[] = [];
  let balances: readonly BalanceRecord[] = [];
  let isPriced = true;
  /** Of the last account record, at the service's prices. */
  let shown: Margin | undefined;
  const unpriced = createUnpriced(priceOf);

  /** An asset without a bar counts as the service counted it in its last account record. */
  const priceOfAsset = (asset: string): number | undefined =>
    priceOf(`${asset}/${CASH}`) ?? unpriced.priceOf(asset);

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
      if (next.account !== model?.account) {
        unpriced.shown(next);
        shown = marginAt(next, () => undefined);
      }
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
        sum += asset === CASH ? total : total * (priceOfAsset(asset) ?? 0);
      }
      return sum;
    },
    unrealized,
    margin() {
      const { account } = model!;
      const [now, then] = [marginAt(model!, priceOf), shown!];
      return {
        used: Math.max(0, account.used_margin + now.used - then.used),
        available: Math.max(0, account.available_margin + now.free - then.free),
      };
    },
    heldSpots: () =>
      balances
        .filter(({ asset, total }) => asset !== CASH && total > 0)
        .map(({ asset }) => `${asset}/${CASH}`),
    spotHoldings: () =>
      balances
        .filter(({ asset, total }) => asset !== CASH && total > 0)
        .map(({ asset, total }) => ({
          symbol: `${asset}/${CASH}`,
          size: total,
          price: priceOfAsset(asset),
        })),
    priceOf: priceOfAsset,
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
        if (asset === CASH || total <= 0 || priceOf(symbol) !== undefined) return false;
        // One that came since the last account record is worth something, and nothing says yet how much. Whether a
        // strategy trades it is no matter: bars that never come must not keep the day's limit from being evaluated.
        return isListed(symbol) && unpriced.priceOf(asset) === undefined;
      }),
  };
}

/** What positions use, and what cash and their open profit leave; quote units. */
interface Margin {
  used: number;
  free: number;
}

/**
 * Of positions and cash alone: no record says at which leverage an order rests, and spot holdings back no position. What an
 * isolated position has of its own does not follow its price, and its profit backs no other.
 */
function marginAt(
  { positions, balances }: Pick<AccountModel, 'positions' | 'balances'>,
  priceOf: (symbol: string) => number | undefined,
): Margin {
  let used = 0;
  let collateral = balances.get(CASH)?.total ?? 0;
  for (const position of positions.values()) {
    const { symbol, size, entry_price: entry, mark_price: mark, leverage, mode } = position;
    const price = mode === 'isolated' ? entry : (priceOf(symbol) ?? mark);
    used += (size * price) / (leverage ?? 1);
    collateral += (price - entry) * signedSize(position);
  }
  return { used, free: collateral - used };
}
