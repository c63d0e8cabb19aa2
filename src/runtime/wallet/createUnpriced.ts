import { CASH } from '../../contract/index.ts';
import type { AccountModel } from '../../streams/index.ts';

/** What a wallet's assets without a price of their own are worth, by the service's own equity. */
export interface Unpriced {
  /** A new account record: its equity counts every asset. */
  shown(model: AccountModel): void;
  /**
   * Quote units a base unit; undefined if the last account record did not hold the asset, or came not yet. Of several
   * such assets only the sum is known, and each is taken for an equal part of it.
   */
  priceOf(asset: string): number | undefined;
}

/** @param priceOf last price of a spot symbol, or undefined */
export function createUnpriced(priceOf: (symbol: string) => number | undefined): Unpriced {
  let last: AccountModel | undefined;
  /** By asset; of the record and the assets that lacked a price when it was worked out. */
  let prices: ReadonlyMap<string, number> = new Map();
  let lacking = '';

  /** What the record's equity is beyond the cash, the open profit and the assets that do have a price. */
  function divide({ account, positions, balances }: AccountModel, without: readonly string[]) {
    let rest = account.equity;
    for (const { side, size, mark_price: mark, entry_price: entry } of positions.values()) {
      rest -= (side === 'short' ? -size : size) * (mark - entry);
    }
    for (const { asset, total } of balances.values()) {
      if (asset === CASH) rest -= total;
      else if (!without.includes(asset)) rest -= total * (priceOf(`${asset}/${CASH}`) ?? 0);
    }
    const part = Math.max(0, rest) / without.length;
    return new Map(without.map((asset) => [asset, part / balances.get(asset)!.total]));
  }

  return {
    shown(model) {
      last = model;
      lacking = '';
    },
    priceOf(asset) {
      if (last === undefined) return undefined;
      const without = [...last.balances.values()]
        .filter((one) => one.asset !== CASH && one.total > 0)
        .filter((one) => priceOf(`${one.asset}/${CASH}`) === undefined)
        .map((one) => one.asset);
      const names = without.join(' ');
      if (names !== lacking) {
        prices = divide(last, without);
        lacking = names;
      }
      return prices.get(asset);
    },
  };
}
