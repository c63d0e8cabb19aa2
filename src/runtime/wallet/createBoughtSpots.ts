import { isSpot, type FillRecord, type OrderRecord } from '../../contract/index.ts';
import { writeOrFail, type JournalStore } from '../../journal/index.ts';
import { RecentIds } from '../../streams/index.ts';
import { isEnded } from './AtWork.ts';
import {
  addBought,
  decideOwners,
  emptyBought,
  readBought,
  takeSold,
  type BoughtSpot,
} from './BoughtSpot.ts';

/** The bot's spot purchases on each wallet; every change of them is journaled. */
export interface BoughtSpots {
  /** A fill of the wallet, of anyone's order. */
  fill(wallet: string, fill: FillRecord): void;
  /** An accepted sale counts as sold, until its order ends with less. */
  sold(wallet: string, sale: { symbol: string; size: number }, order: OrderRecord): void;
  /** An order of the wallet as a stream shows it. */
  order(wallet: string, order: OrderRecord): void;
  /** Base units bought and not sold since. */
  size(wallet: string, symbol: string): number;
  /** Everything that was ever bought. */
  symbols(wallet: string): readonly string[];
  /** Service time of the newest fill that is counted, epoch milliseconds. */
  since(wallet: string): number;
  /** Whether the journal has purchases of the wallet. */
  isJournaled(wallet: string): boolean;
}

export interface BoughtSpotsOptions {
  store: JournalStore;
  isOwn(key: string): boolean;
  onFatal(error: unknown): void;
}

/** How many ids are retained for the next process, and of sales; it reads again what came a minute before it ended. */
const MOST_SEEN = 1_000;
/** How many ids this process retains, to recognize what is read again: as many as the streams. */
const MOST_READ = 65_536;
/** If only perpetuals trade, a start reads back at most this far. */
const SINCE_EVERY_MS = 3_600_000;

export function createBoughtSpots({ store, isOwn, onFatal }: BoughtSpotsOptions): BoughtSpots {
  const states = new Map<string, BoughtSpot>();
  const taken = new RecentIds(MOST_READ);
  /** Filled sizes and ends of sales, by order: either may be shown before the answer arrives. */
  const filled = new Map<string, number>();
  const over = new Map<string, number>();
  const metaOf = (wallet: string): string => `spot:${wallet}`;

  const stateOf = (wallet: string): BoughtSpot => {
    const known = states.get(wallet) ?? readBought(store.meta(metaOf(wallet))) ?? emptyBought();
    states.set(wallet, known);
    return known;
  };
  const write = (wallet: string): void => {
    const text = JSON.stringify(stateOf(wallet));
    writeOrFail(() => store.setMeta(metaOf(wallet), text), onFatal);
  };

  function take(state: BoughtSpot, symbol: string, size: number): void {
    decideOwners(state, isOwn);
    takeSold(state, symbol, size);
  }

  /** Returns what a sale took, once it is known that fewer fills are to be shown. */
  function settle(wallet: string, symbol: string, id: string): void {
    const state = stateOf(wallet);
    const debit = state.debits[id];
    if (debit === undefined) return;
    // An earlier process may have been shown some of its fills.
    const shown = Math.max(filled.get(id) ?? 0, (state.sizes[id] ?? 0) - debit);
    const toShow = Math.max(0, over.get(id)! - shown);
    if (toShow >= debit) return;
    addBought(state, symbol, debit - toShow);
    state.sizes[id] = over.get(id)!;
    owe(state, id, toShow);
  }

  function owe(state: BoughtSpot, id: string, debit: number): void {
    state.debits[id] = debit;
    if (debit === 0) delete state.sizes[id];
  }

  return {
    fill(wallet, record) {
      const { fill_id: id, order_id: orderId, symbol, side, size, time } = record;
      const state = stateOf(wallet);
      if (!isSpot(symbol)) {
        if (state.since === 0 || time - state.since < SINCE_EVERY_MS) return;
        state.since = time;
        return write(wallet);
      }
      // Also what the process before had taken: its journal soon names others.
      const isNew = taken.add(`${wallet} ${id}`);
      if (!isNew || state.seen.includes(id)) return;
      state.seen.push(id);
      state.seen.splice(0, state.seen.length - MOST_SEEN);
      state.since = Math.max(state.since, time);
      if (side === 'buy') {
        state.undecided.push({ ...keysOfFill(record), symbol, size });
        decideOwners(state, isOwn);
      } else {
        keep(filled, orderId, (filled.get(orderId) ?? 0) + size);
        const debit = state.debits[orderId] ?? 0;
        if (debit > 0) owe(state, orderId, Math.max(0, debit - size));
        if (size > debit) take(state, symbol, size - debit);
      }
      write(wallet);
    },
    sold(wallet, { symbol, size }, { order_id: id, status, filled_size: filledSize }) {
      if (typeof id !== 'string') return;
      const state = stateOf(wallet);
      const rest = size - (filled.get(id) ?? 0);
      if (rest > 0 && state.debits[id] === undefined) {
        take(state, symbol, rest);
        state.debits[id] = rest;
        state.sizes[id] = size;
      }
      if (isEnded('order', status)) keep(over, id, filledSize);
      if (over.has(id)) settle(wallet, symbol, id);
      write(wallet);
    },
    order(wallet, { order_id: id, symbol, side, status, filled_size: filledSize }) {
      if (!isSpot(symbol) || side !== 'sell' || !isEnded('order', status)) return;
      keep(over, id, filledSize);
      if (stateOf(wallet).debits[id] === undefined) return;
      settle(wallet, symbol, id);
      write(wallet);
    },
    size(wallet, symbol) {
      const state = stateOf(wallet);
      decideOwners(state, isOwn);
      // Without the binary tail of a sum, and with every digit of a size: rounded up, more would be sold than is held.
      return Math.max(0, Number((state.bought[symbol] ?? 0).toPrecision(15)));
    },
    symbols: (wallet) => Object.keys(stateOf(wallet).bought),
    since: (wallet) => stateOf(wallet).since,
    isJournaled: (wallet) => store.meta(metaOf(wallet)) !== undefined,
  };
}

const keysOfFill = ({ order_id, client_order_id, execution_id }: FillRecord) => ({
  order_id,
  client_order_id,
  execution_id,
});

function keep(map: Map<string, number>, id: string, size: number): void {
  map.set(id, size);
  if (map.size > MOST_SEEN) map.delete(map.keys().next().value!);
}
