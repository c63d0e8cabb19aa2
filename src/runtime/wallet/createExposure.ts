import type { OrderRecord, Side } from '../../contract/index.ts';
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
   * @param known the one record's name by its client id, under which it may be shown with another id; of a changed
   *   order, how it stands since: a frame of before the change does not show it
   */
  becomes(key: string, recordIds: readonly string[], now: number, known?: KnownRecord): void;
  /**
   * All that a wallet has of one kind was shown: what became a record of it long before is in it, or over. The account's
   * snapshot has orders alone.
   */
  shown(wallet: string, kind: RecordKind, now: number): void;
  /** Ids of records that became known and were not shown yet. */
  unshown(wallet: string, kind: RecordKind): readonly string[];
  /** The streams showed an order or execution of this id; an order as it stands. */
  seen(recordId: string, standing?: OrderStanding): void;
  remove(key: string): void;
  /**
   * Base units still to come on one side of a symbol.
   *
   * @param sizeOf how large an order is shown to be; default: none is shown
   */
  pending(wallet: string, symbol: string, side: Side, sizeOf?: SizeOf): number;
  /** Base units that may still be taken off a position that this side closes. */
  closing(wallet: string, symbol: string, side: Side, sizeOf?: SizeOf): number;
  /** The same of what will wait for a price once it is there. */
  armed(wallet: string, symbol: string, side: Side): number;
  /** Of what is to open. */
  symbols(wallet: string): readonly string[];
  /** Of all that is on its way, of what only closes as well. */
  symbolsInFlight(wallet: string): readonly string[];
  rows(wallet: string): number;
  /** Executions that may start, or started and were not shown yet. */
  executions(wallet: string): number;
  /** Highest price for which an entry on one side of a symbol waits; 0 if none does. */
  highestTrigger(wallet: string, symbol: string, side: Side): number;
}

/** Each has a channel of its own. */
export type RecordKind = 'order' | 'execution' | 'monitor';

/** How an order stands in an answer, or in a frame. */
export type OrderStanding = Pick<OrderRecord, 'size' | 'updated_time'>;

/** What an answer says of the one record that it names. */
export interface KnownRecord {
  /** Default: an order. */
  kind?: RecordKind | undefined;
  clientName?: string | undefined;
  standing?: OrderStanding | undefined;
}

/**
 * An order may be made smaller and larger again: the second change adds nothing to what is shown when it is decided, and
 * all of it once the first is shown.
 */
export interface Resized {
  /** Its id, or its client name. */
  order: string;
  symbol: string;
  side: Side;
  /** Base units. */
  size: number;
  isReducing: boolean;
}

/** Base units of an order by its name; undefined if it is not shown. */
export type SizeOf = (order: string) => number | undefined;

/** What an intent may do to its wallet as long as it is in flight. */
export interface Added {
  entries: readonly Entry[];
  /** The size that it gives to an order that is there. */
  resized?: Resized | undefined;
  /** What it may close: until it is shown, the position does not offset an entry. */
  reductions?: readonly Reduction[];
  /** Trailing and tracked rows that it may take. */
  rows?: number;
  /** Executions that it may start. */
  executions?: number;
}

type Place = Pick<Resized, 'symbol' | 'side' | 'isReducing'>;

/** A snapshot that arrives this long after an answer was made after it. */
const SURELY_SHOWN_MS = 30_000;
/** Names that are remembered for an answer which frames overtook; models show all that they hold again and again. */
const MOST_SEEN = 4_096;

interface Item extends Required<Omit<Added, 'resized'>> {
  resized: Resized | undefined;
  key: string;
  wallet: string;
  /** Records that are known and not shown yet, with the time of the answer; none before the answer. */
  records?: KnownRecord & { left: readonly string[]; since: number };
}

/**
 * Whether a frame shows an order with a change, or later. Of one instant, the frame of its placing comes before the one
 * of its change, and has the smaller size.
 */
function shows(frame: OrderStanding | undefined, { standing }: KnownRecord): boolean {
  if (frame === undefined || standing === undefined) return true;
  if (frame.updated_time !== standing.updated_time)
    return !(frame.updated_time < standing.updated_time);
  return frame.size >= standing.size;
}

const kindOf = ({ kind = 'order' }: KnownRecord): RecordKind => kind;

const UNSHOWN: SizeOf = () => undefined;
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
  /** An order may have been placed and made larger before it is shown: both wait for it. */
  const keysOfRecord = new OpenMap<readonly string[]>();
  const seenEarly = new Map<string, OrderStanding | undefined>();

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

  function waitFor(name: string, key: string): void {
    const others = keysOfRecord.get(name);
    keysOfRecord.set(name, others === undefined ? [key] : [...others, key]);
  }

  function stopWaiting(name: string, key: string): void {
    const keys = keysOfRecord.get(name);
    if (keys === undefined) return;
    const others = keys.length === 1 ? [] : keys.filter((other) => other !== key);
    if (others.length === 0) keysOfRecord.delete(name);
    else keysOfRecord.set(name, others);
  }

  /** A frame may overtake the answer that names its record. */
  function wasSeen(name: string, known: KnownRecord): boolean {
    return seenEarly.has(name) && shows(seenEarly.get(name), known) && seenEarly.delete(name);
  }

  function remember(name: string, standing: OrderStanding | undefined): void {
    seenEarly.set(name, standing);
    if (seenEarly.size > MOST_SEEN) seenEarly.delete(seenEarly.keys().next().value!);
  }

  function show(name: string, key: string): void {
    const records = open.get(key)!.records!;
    if (name === records.clientName || records.left.length === 1) return remove(key);
    stopWaiting(name, key);
    records.left = records.left.filter((id) => id !== name);
  }

  function remove(key: string): void {
    const item = open.get(key);
    if (item === undefined) return;
    for (const id of item.records?.left ?? []) stopWaiting(id, key);
    const clientName = item.records?.clientName;
    if (clientName !== undefined) stopWaiting(clientName, key);
    open.delete(key);
    leave(item);
    if (open.size === 0 && seenEarly.size > 0) seenEarly.clear();
  }

  /** What a change of an order adds to its size as it is shown, if that is more than it added when it was decided. */
  function atLeast(decided: number, { resized }: Item, at: Place, sizeOf: SizeOf): number {
    if (resized === undefined || resized.isReducing !== at.isReducing) return decided;
    if (resized.symbol !== at.symbol || resized.side !== at.side) return decided;
    return Math.max(decided, resized.size - (sizeOf(resized.order) ?? Number.POSITIVE_INFINITY));
  }

  function reductionOf(item: Item, wanted: Omit<Reduction, 'size'>): number {
    let size = 0;
    for (const one of item.reductions) {
      const isSide = one.side === undefined || one.side === wanted.side;
      if (one.symbol === wanted.symbol && isSide && one.isArmed === wanted.isArmed) {
        size += one.size;
      }
    }
    return size;
  }

  return {
    add(key, wallet, { entries, resized, reductions = NO_REDUCTIONS, rows = 0, executions = 0 }) {
      const isNone = entries.length + reductions.length + rows + executions === 0;
      if (isNone && resized === undefined) return;
      keep({ key, wallet, entries, resized, reductions, rows, executions });
    },
    becomes(key, recordIds, now, known = {}) {
      const item = open.get(key);
      if (item === undefined) return;
      const { clientName } = known;
      const left = seenEarly.size === 0 ? recordIds : recordIds.filter((id) => !wasSeen(id, known));
      const isShown = clientName !== undefined && wasSeen(clientName, known);
      if (left.length === 0 || isShown) return remove(key);
      item.records = { ...known, left, since: now };
      for (const id of left) waitFor(id, key);
      if (clientName !== undefined) waitFor(clientName, key);
    },
    seen(recordId, standing) {
      const keys = keysOfRecord.get(recordId);
      if (keys === undefined) {
        if (open.size > 0) remember(recordId, standing);
        return;
      }
      for (const key of keys) if (shows(standing, open.get(key)!.records!)) show(recordId, key);
    },
    shown(wallet, kind, now) {
      if (open.size === 0) return;
      const isOver = ({ records }: Item): boolean =>
        records !== undefined && kindOf(records) === kind && now - records.since >= SURELY_SHOWN_MS;
      for (const { key } of itemsOf(wallet).filter(isOver)) remove(key);
    },
    unshown(wallet, kind) {
      return itemsOf(wallet).flatMap(({ records }) =>
        records !== undefined && kindOf(records) === kind ? records.left : [],
      );
    },
    remove,
    pending(wallet, symbol, side, sizeOf = UNSHOWN) {
      let size = 0;
      for (const item of itemsOf(wallet)) {
        let own = 0;
        for (const entry of item.entries) {
          if (entry.symbol === symbol && entry.side === side) own += entry.size;
        }
        size += atLeast(own, item, { symbol, side, isReducing: false }, sizeOf);
      }
      return size;
    },
    closing(wallet, symbol, side, sizeOf = UNSHOWN) {
      let size = 0;
      for (const item of itemsOf(wallet)) {
        const own = reductionOf(item, { symbol, side });
        size += atLeast(own, item, { symbol, side, isReducing: true }, sizeOf);
      }
      return size;
    },
    armed(wallet, symbol, side) {
      let size = 0;
      for (const item of itemsOf(wallet))
        size += reductionOf(item, { symbol, side, isArmed: true });
      return size;
    },
    rows(wallet) {
      let sum = 0;
      for (const { rows } of itemsOf(wallet)) sum += rows;
      return sum;
    },
    executions(wallet) {
      let sum = 0;
      for (const { executions, records } of itemsOf(wallet)) {
        // The legs of a basket that are shown run already.
        sum += records === undefined ? executions : Math.min(executions, records.left.length);
      }
      return sum;
    },
    highestTrigger(wallet, symbol, side) {
      let highest = 0;
      for (const { entries } of itemsOf(wallet)) {
        for (const entry of entries) {
          if (entry.symbol !== symbol || entry.side !== side) continue;
          highest = Math.max(highest, entry.triggeredAt ?? 0);
        }
      }
      return highest;
    },
    symbolsInFlight: (wallet) =>
      itemsOf(wallet).flatMap(({ entries, reductions, resized }) =>
        [...entries, ...reductions, ...(resized === undefined ? [] : [resized])].map(
          ({ symbol }) => symbol,
        ),
      ),
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
