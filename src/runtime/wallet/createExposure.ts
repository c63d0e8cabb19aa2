import type { Side } from '../../contract/index.ts';
import { OpenMap } from '../../env/index.ts';
import type { Entry } from '../../guards/index.ts';
import type { Reduction } from '../../intents/IntentEffect.ts';

/**
 * Exposure that is in flight: from the guards' approval until the streams show the order or execution that it
 * became. An unknown intent stays here with its full size, because it may have been executed.
 */
export interface Exposure {
  add(key: string, wallet: string, added: Added): void;
  /**
   * The service accepted it as records of these ids; it stays until the streams have shown all of them.
   *
   * @param now market time, epoch milliseconds
   * @param clientName the one record's name by its client id, under which it may be shown with another id
   */
  becomes(key: string, recordIds: readonly string[], now: number, clientName?: string): void;
  /** The wallet was shown as a whole: what became a record long before is in it, or over. */
  shown(wallet: string, now: number): void;
  /** The streams showed an order or execution of this id. */
  seen(recordId: string): void;
  remove(key: string): void;
  /** Base units still to come on one side of a symbol. */
  pending(wallet: string, symbol: string, side: Side): number;
  /** Base units that may still be taken off a position that this side closes. */
  closing(wallet: string, symbol: string, side: Side): number;
  /** The same of what will wait for a price once it is there. */
  armed(wallet: string, symbol: string, side: Side): number;
  symbols(wallet: string): readonly string[];
  rows(wallet: string): number;
}

/** What an intent may do to its wallet as long as it is in flight. */
export interface Added {
  entries: readonly Entry[];
  /** What it may close: until it is shown, the position does not offset an entry. */
  reductions?: readonly Reduction[];
  /** Trailing and tracked rows that it may take. */
  rows?: number;
}

/** A snapshot that arrives this long after an answer was made after it. */
const SURELY_SHOWN_MS = 30_000;

interface Item extends Required<Added> {
  key: string;
  wallet: string;
  /** Records that are known and not shown yet, with the time of the answer; none before the answer. */
  records?: { left: readonly string[]; since: number; clientName?: string | undefined };
}

const NONE: readonly Item[] = [];
const NO_SYMBOLS: readonly string[] = [];
const NO_REDUCTIONS: readonly Reduction[] = [];

export function createExposure(): Exposure {
  const open = new OpenMap<Item>();
  /**
   * The same by wallet, in the order in which they came: with a hundred strategies on a hundred wallets, queries are by
   * wallet.
   */
  const ofWallet = new Map<string, Item[]>();
  const keyOfRecord = new OpenMap<string>();
  const seenEarly = new Set<string>();

  const itemsOf = (wallet: string): readonly Item[] =>
    open.size === 0 ? NONE : (ofWallet.get(wallet) ?? NONE);

  function keep(item: Item): void {
    const former = open.get(item.key);
    if (former !== undefined) leave(former);
    open.set(item.key, item);
    const others = ofWallet.get(item.wallet);
    if (others === undefined) ofWallet.set(item.wallet, [item]);
    else others.push(item);
  }

  function leave(item: Item): void {
    const items = ofWallet.get(item.wallet)!;
    if (items.length === 1) items.pop();
    else items.splice(items.indexOf(item), 1);
  }

  function remove(key: string): void {
    const item = open.get(key);
    if (item === undefined) return;
    for (const id of item.records?.left ?? []) keyOfRecord.delete(id);
    const clientName = item.records?.clientName;
    if (clientName !== undefined) keyOfRecord.delete(clientName);
    open.delete(key);
    leave(item);
    if (open.size === 0 && seenEarly.size > 0) seenEarly.clear();
  }

  function reductionOf(wallet: string, wanted: Omit<Reduction, 'size'>): number {
    let size = 0;
    for (const { reductions } of itemsOf(wallet)) {
      for (const one of reductions) {
        const isSide = one.side === undefined || one.side === wanted.side;
        if (one.symbol === wanted.symbol && isSide && one.isArmed === wanted.isArmed) {
          size += one.size;
        }
      }
    }
    return size;
  }

  return {
    add(key, wallet, { entries, reductions = NO_REDUCTIONS, rows = 0 }) {
      if (entries.length + reductions.length + rows === 0) return;
      keep({ key, wallet, entries, reductions, rows });
    },
    becomes(key, recordIds, now, clientName) {
      const item = open.get(key);
      if (item === undefined) return;
      // A frame may overtake the answer that names its record.
      const left =
        seenEarly.size === 0 ? recordIds : recordIds.filter((id) => !seenEarly.delete(id));
      const isShown = clientName !== undefined && seenEarly.delete(clientName);
      if (left.length === 0 || isShown) return remove(key);
      item.records = { left, since: now, clientName };
      for (const id of left) keyOfRecord.set(id, key);
      if (clientName !== undefined) keyOfRecord.set(clientName, key);
    },
    seen(recordId) {
      const key = keyOfRecord.get(recordId);
      if (key === undefined) {
        if (open.size > 0) seenEarly.add(recordId);
        return;
      }
      keyOfRecord.delete(recordId);
      const records = open.get(key)!.records!;
      if (recordId === records.clientName || records.left.length === 1) return remove(key);
      records.left = records.left.filter((id) => id !== recordId);
    },
    shown(wallet, now) {
      if (open.size === 0) return;
      const isOver = ({ records }: Item): boolean =>
        records !== undefined && now - records.since >= SURELY_SHOWN_MS;
      for (const { key } of itemsOf(wallet).filter(isOver)) remove(key);
    },
    remove,
    pending(wallet, symbol, side) {
      let size = 0;
      for (const { entries } of itemsOf(wallet)) {
        for (const entry of entries) {
          if (entry.symbol === symbol && entry.side === side) size += entry.size;
        }
      }
      return size;
    },
    closing: (wallet, symbol, side) => reductionOf(wallet, { symbol, side }),
    armed: (wallet, symbol, side) => reductionOf(wallet, { symbol, side, isArmed: true }),
    rows(wallet) {
      let sum = 0;
      for (const { rows } of itemsOf(wallet)) sum += rows;
      return sum;
    },
    symbols(wallet) {
      const items = itemsOf(wallet);
      if (items.length === 0) return NO_SYMBOLS;
      const symbols: string[] = [];
      for (const { entries } of items) {
        for (const { symbol } of entries) symbols.push(symbol);
      }
      return symbols;
    },
  };
}
