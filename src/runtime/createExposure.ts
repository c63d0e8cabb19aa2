import type { Side } from '../contract/index.ts';
import type { Entry } from '../guards/index.ts';

/**
 * Exposure that is on its way: from the guard's yes until the streams show the order or execution
 * that it became. An unknown intent stays here with its full size, because it may have been executed.
 */
export interface Exposure {
  /** @param rows trailing and tracked rows that it may take */
  add(key: string, wallet: string, entries: readonly Entry[], rows?: number): void;
  /** The service took it as a record of this id; it stays until the streams show the record. */
  becomes(key: string, recordId: string): void;
  /** The streams showed an order or execution of this id. */
  seen(recordId: string): void;
  remove(key: string): void;
  /** Base units still to come on one side of a symbol. */
  pending(wallet: string, symbol: string, side: Side): number;
  symbols(wallet: string): string[];
  rows(wallet: string): number;
}

export function createExposure(): Exposure {
  const open = new Map<string, { wallet: string; entries: readonly Entry[]; rows: number }>();
  const keyOfRecord = new Map<string, string>();
  const seenEarly = new Set<string>();

  const remove = (key: string): void => void open.delete(key);

  return {
    add(key, wallet, entries, rows = 0) {
      if (entries.length + rows > 0) open.set(key, { wallet, entries, rows });
    },
    becomes(key, recordId) {
      // A frame may overtake the answer that names its record.
      if (seenEarly.delete(recordId)) remove(key);
      else if (open.has(key)) keyOfRecord.set(recordId, key);
    },
    seen(recordId) {
      const key = keyOfRecord.get(recordId);
      if (key !== undefined) {
        keyOfRecord.delete(recordId);
        remove(key);
      } else if (open.size > 0) seenEarly.add(recordId);
      if (open.size === 0) seenEarly.clear();
    },
    remove,
    pending(wallet, symbol, side) {
      let size = 0;
      for (const item of open.values()) {
        if (item.wallet !== wallet) continue;
        for (const entry of item.entries) {
          if (entry.symbol === symbol && entry.side === side) size += entry.size;
        }
      }
      return size;
    },
    rows(wallet) {
      let sum = 0;
      for (const item of open.values()) if (item.wallet === wallet) sum += item.rows;
      return sum;
    },
    symbols(wallet) {
      const items = [...open.values()].filter((item) => item.wallet === wallet);
      return items.flatMap((item) => item.entries.map((entry) => entry.symbol));
    },
  };
}
