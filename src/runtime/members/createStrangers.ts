import type { FillRecord } from '../../contract/index.ts';
import { addSize, type SizeSum } from '../../contract/sizes.ts';
import type { AccountModel } from '../../streams/index.ts';

/**
 * Positions of a wallet on its strategies' symbols that are not the strategies': an operator's, or one that lost its
 * owner. Until such a one is closed, its fills and its funding are none of a strategy's results.
 */
export interface Strangers {
  has(symbol: string): boolean;
  /** Whether a fill is such a position's; the one that closes it is the last. */
  takes(fill: FillRecord): boolean;
  add(symbol: string, signedSize: number): void;
  /** A snapshot lacks what was closed meanwhile: fills of before it may still come. */
  shown(model: Pick<AccountModel, 'positions' | 'time'>): void;
}

export function createStrangers(): Strangers {
  /** Base units, signed. */
  const sizes = new Map<string, SizeSum>();
  /** Symbol → time of the snapshot that no longer showed it, epoch milliseconds. */
  const goneAt = new Map<string, number>();
  return {
    has: (symbol) => sizes.has(symbol),
    takes({ symbol, side, size, time }) {
      if (sizes.size + goneAt.size === 0) return false;
      const held = sizes.get(symbol);
      if (held === undefined) return time <= (goneAt.get(symbol) ?? Number.NEGATIVE_INFINITY);
      addSize(held, side === 'buy' ? size : -size);
      if (held.size === 0) sizes.delete(symbol);
      return true;
    },
    add: (symbol, signedSize) => void sizes.set(symbol, { size: signedSize, dust: 0 }),
    shown({ positions, time }) {
      for (const symbol of sizes.keys()) {
        if (positions.has(symbol)) continue;
        sizes.delete(symbol);
        goneAt.set(symbol, time);
      }
    },
  };
}
