import { baseOf, isSpot, type FillRecord, type Side } from '../../contract/index.ts';
import type { AccountModel } from '../../streams/index.ts';

/**
 * What orders and executions are shown to have filled before their position shows it. The frames of one trade come one
 * after another (its fill, its order, its position), and a strategy may decide between them: what has left the order
 * counts as still to come until it is in the position, or in a snapshot.
 */
export interface UnshownFills {
  /**
   * A fill came as a frame in its turn.
   *
   * @param filled base units that its order or execution is shown to have filled; undefined if it was never shown
   */
  fill(fill: FillRecord, filled: number | undefined): void;
  /** A frame shows the order or execution of this id; if it is the first one, it shows what has filled by now. */
  seen(id: string): void;
  /** A change of the account, which may be a snapshot. */
  model(next: AccountModel): void;
  /** The position of a symbol was shown, though it may be what it was. */
  shown(symbol: string): void;
  /** Base units that are in no position yet, and that their orders and executions do not hold as remaining any more. */
  size(symbol: string, side: Side, isReducing: boolean): number;
  symbols(): Iterable<string>;
}

/** The fills of one order or execution since its position was shown. */
interface Unshown extends Pick<FillRecord, 'symbol' | 'side' | 'reduce_only'> {
  size: number;
  /** What it was shown to have filled without them; undefined as long as it was not shown. */
  before: number | undefined;
}

/** An execution's child orders are part of it. */
export const fillerOf = ({ order_id: order, execution_id: execution }: FillRecord): string =>
  execution ?? order;

/** @param filledOf base units that an open order or execution is shown to have filled; undefined if it is not open */
export function createUnshownFills(filledOf: (id: string) => number | undefined): UnshownFills {
  const unshown = new Map<string, Unshown>();
  let last: AccountModel | undefined;

  function shown(symbol: string): void {
    for (const [id, one] of unshown) if (one.symbol === symbol) unshown.delete(id);
  }

  const isMoved = (symbol: string, from: AccountModel, to: AccountModel): boolean =>
    isSpot(symbol)
      ? from.balances.get(baseOf(symbol)) !== to.balances.get(baseOf(symbol))
      : from.positions.get(symbol) !== to.positions.get(symbol);

  /** Until its frame comes, the order or execution holds it as remaining, or the intent that places it counts in full. */
  function takenOff(id: string, { size, before }: Unshown): number {
    if (before === undefined) return 0;
    const filled = filledOf(id);
    return filled === undefined ? size : Math.min(size, Math.max(0, filled - before));
  }

  return {
    fill(fill, filled) {
      const { symbol, side, reduce_only, size } = fill;
      const id = fillerOf(fill);
      const known = unshown.get(id);
      if (known === undefined) unshown.set(id, { symbol, side, reduce_only, size, before: filled });
      else known.size += size;
    },
    seen(id) {
      if (unshown.size === 0) return;
      const one = unshown.get(id);
      if (one !== undefined) one.before ??= 0;
    },
    model(next) {
      const before = last;
      last = next;
      if (unshown.size === 0) return;
      if (before?.account !== next.account) return unshown.clear();
      for (const [id, { symbol }] of unshown) if (isMoved(symbol, before, next)) unshown.delete(id);
    },
    shown,
    size(symbol, side, isReducing) {
      let size = 0;
      for (const [id, one] of unshown) {
        const isWanted = one.symbol === symbol && one.side === side;
        if (isWanted && one.reduce_only === isReducing) size += takenOff(id, one);
      }
      return size;
    },
    *symbols() {
      for (const { symbol } of unshown.values()) yield symbol;
    },
  };
}
