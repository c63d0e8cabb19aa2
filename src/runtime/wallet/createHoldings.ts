import type { Subscription } from 'rxjs';
import type { Budget } from '../../budget/index.ts';
import {
  toValidSize,
  type Exchange,
  type FillRecord,
  type OrderRecord,
  type ServiceRequest,
} from '../../contract/index.ts';
import type { Env } from '../../env/index.ts';
import { writeOrFail, type JournalStore } from '../../journal/index.ts';
import type { Emission } from '../../strategy/index.ts';
import type { Streams } from '../../streams/index.ts';
import type { BotPlan } from '../BotPlan.ts';
import { catchUpFills } from './catchUpFills.ts';
import { isSpot, type WalletBook } from './createWalletBook.ts';
import { isEnded } from './AtWork.ts';
import { OPERATOR } from '../operator.ts';
import type { PipeEvent } from '../PipeEvent.ts';
import { emptyBought, readBought, type BoughtSpot } from './BoughtSpot.ts';

/** A spot asset in base units. */
export interface Holding {
  symbol: string;
  size: number;
}

/** What the bot bought on spot and still holds, by its fills: the part of a wallet's assets that it may sell. */
export interface Holdings {
  /**
   * Reads the fills since the previous process; undefined if there is nothing to read. Until it resolves
   * nothing counts as bought.
   */
  begin(): Promise<void> | undefined;
  /** A fill of the wallet, of anyone's order. */
  fill(wallet: string, fill: FillRecord): void;
  /** The outcome of an intent: a sale is in flight until its end. */
  follow(event: PipeEvent): void;
  /** Base units; undefined while the fills are being read. */
  bought(wallet: string, symbol: string): number | undefined;
  /** What can be sold of it, by the instrument's lot, never more than is held. */
  sellable(wallet: string): readonly Holding[];
  /** Reports the wallet's other holdings: they are left, whatever ends the rest. */
  reportLeft(wallet: string): void;
  /** Passes an emission on, except a sale of what was sold already, or is being sold. */
  pass(emission: Emission, submit: (emission: Emission) => void): void;
}

export interface HoldingsOptions {
  plan: BotPlan;
  wallets: readonly string[];
  bookOf(wallet: string): WalletBook;
  isOwn(key: string): boolean;
  store: JournalStore;
  streams: Streams;
  env: Env;
  budget: Budget;
  request(request: ServiceRequest): Exchange | Promise<Exchange>;
  /** The bot is being flattened, and this much of a spot asset, which it did not buy, is left. Base units. */
  onLeft(left: { wallet: string } & Holding): void;
  /** The bot's; the subscriptions here end with it. */
  lifetime: Subscription;
  onFatal(error: unknown): void;
}

type Sized = Pick<FillRecord, 'order_id' | 'client_order_id' | 'execution_id'> & Holding;

/** How long the ids of fills are retained, to recognize those that are read again. */
const OVERLAP_MS = 60_000;
const SEEN_KEPT = 1_000;
const UNDECIDED_KEPT = 1_000;
/** If only perpetuals trade, a start reads back at most this far. */
const SINCE_EVERY_MS = 3_600_000;
const SPOT_INTENT = /"symbol":"[^"]*\//;
const ENDED: readonly PipeEvent['state'][] = ['denied', 'rejected', 'expired', 'absent'];

export function createHoldings(options: HoldingsOptions): Holdings {
  const { plan, wallets, bookOf, isOwn, store, streams } = options;
  const states = new Map<string, BoughtSpot>();
  const reading = new Set<string>();
  /** Decision keys of sales without a final answer, by wallet and symbol. */
  const underWay = new Map<string, Set<string>>();
  /** What sales have filled, and which are over, by order: either may be shown before the answer arrives. */
  const filled = new Map<string, number>();
  const over = new Map<string, number>();
  const subscription = options.lifetime;
  const metaOf = (wallet: string): string => `spot:${wallet}`;
  const placeOf = (wallet: string, symbol: string): string => `${wallet} ${symbol}`;

  const stateOf = (wallet: string): BoughtSpot => {
    const known = states.get(wallet) ?? readBought(store.meta(metaOf(wallet))) ?? emptyBought();
    states.set(wallet, known);
    return known;
  };
  const write = (wallet: string): void => {
    const text = JSON.stringify(stateOf(wallet));
    writeOrFail(() => store.setMeta(metaOf(wallet), text), options.onFatal);
  };

  const ownsFill = ({ order_id, client_order_id, execution_id }: Sized): boolean =>
    [order_id, client_order_id, execution_id].some((key) => key != null && isOwn(key));

  function add(state: BoughtSpot, symbol: string, size: number): void {
    const next = (state.bought[symbol] ?? 0) + size;
    // The residue of float sums is no holding.
    state.bought[symbol] = next < Math.abs(size) * 1e-9 ? 0 : next;
  }

  /** A fill may arrive before the answer that shows whose order it belongs to. */
  function decide(state: BoughtSpot): void {
    const open = state.undecided.splice(0);
    for (const one of open) {
      if (ownsFill(one)) add(state, one.symbol, one.size);
      else state.undecided.push(one);
    }
    state.undecided.splice(0, state.undecided.length - UNDECIDED_KEPT);
  }

  /** Regardless of the seller, what is gone can't be sold again; in doubt it was the bot's. */
  function take(state: BoughtSpot, symbol: string, size: number): void {
    decide(state);
    let left = size - Math.max(0, state.bought[symbol] ?? 0);
    add(state, symbol, -Math.min(size, Math.max(0, state.bought[symbol] ?? 0)));
    for (const one of state.undecided) {
      if (left <= 0) break;
      if (one.symbol !== symbol) continue;
      const part = Math.min(one.size, left);
      one.size -= part;
      left -= part;
    }
  }

  function fill(wallet: string, record: FillRecord): void {
    const { fill_id: id, order_id: orderId, symbol, side, size, time } = record;
    const state = stateOf(wallet);
    if (!isSpot(symbol)) {
      if (state.since === 0 || time - state.since < SINCE_EVERY_MS) return;
      state.since = time;
      return write(wallet);
    }
    if (state.seen.includes(id)) return;
    state.seen.push(id);
    state.seen.splice(0, state.seen.length - SEEN_KEPT);
    state.since = Math.max(state.since, time);
    if (side === 'buy') {
      state.undecided.push({ ...keysOfFill(record), symbol, size });
      decide(state);
    } else {
      keep(filled, orderId, (filled.get(orderId) ?? 0) + size);
      const debit = state.debits[orderId] ?? 0;
      if (debit > 0) state.debits[orderId] = Math.max(0, debit - size);
      if (size > debit) take(state, symbol, size - debit);
    }
    write(wallet);
  }

  /** What the service accepted counts as sold, until its order is over with less. */
  function sold(wallet: string, symbol: string, size: number, record: OrderRecord): void {
    const { order_id: id } = record;
    if (typeof id !== 'string') return;
    const state = stateOf(wallet);
    const rest = size - (filled.get(id) ?? 0);
    if (rest > 0 && state.debits[id] === undefined) {
      take(state, symbol, rest);
      state.debits[id] = rest;
    }
    if (isEnded('order', record.status)) keep(over, id, record.filled_size);
    if (over.has(id)) settle(wallet, symbol, id);
    write(wallet);
  }

  function settle(wallet: string, symbol: string, id: string): void {
    const state = stateOf(wallet);
    const debit = state.debits[id];
    if (debit === undefined) return;
    const toShow = Math.max(0, over.get(id)! - (filled.get(id) ?? 0));
    if (toShow >= debit) return;
    add(state, symbol, debit - toShow);
    state.debits[id] = toShow;
  }

  function ended(wallet: string, order: OrderRecord): void {
    const { order_id: id, symbol, side, status } = order;
    if (!isSpot(symbol) || side !== 'sell' || !isEnded('order', status)) return;
    keep(over, id, order.filled_size);
    if (stateOf(wallet).debits[id] === undefined) return;
    settle(wallet, symbol, id);
    write(wallet);
  }

  function follow({ state, emission, record }: PipeEvent): void {
    const sale = saleOf(emission);
    if (sale === undefined) return;
    const { wallet, decisionKey } = emission;
    const keys = underWay.get(placeOf(wallet, sale.symbol));
    if (state === 'accepted') sold(wallet, sale.symbol, sale.size, record as OrderRecord);
    if (state === 'accepted' || ENDED.includes(state)) keys?.delete(decisionKey);
  }

  function begins(emission: Emission, symbol: string): void {
    const place = placeOf(emission.wallet, symbol);
    underWay.set(place, (underWay.get(place) ?? new Set()).add(emission.decisionKey));
  }

  function hadSpot(wallet: string): boolean {
    if (store.meta(metaOf(wallet)) !== undefined) return true;
    return store.intents().some((row) => row.wallet === wallet && SPOT_INTENT.test(row.intent));
  }

  async function read(wallet: string): Promise<void> {
    const { since } = stateOf(wallet);
    const isOver = (): boolean => subscription.closed;
    const fills = await catchUpFills({ ...options, wallet, since, isOver });
    if (isOver()) return;
    for (const one of fills ?? []) if (one.time >= since - OVERLAP_MS) fill(wallet, one);
    reading.delete(wallet);
  }

  const bought = (wallet: string, symbol: string): number | undefined => {
    if (reading.has(wallet)) return undefined;
    const state = stateOf(wallet);
    decide(state);
    // Without the binary tail, which would cost a lot when it is rounded down.
    const size = Math.max(0, Number((state.bought[symbol] ?? 0).toPrecision(12)));
    return size === 0 ? 0 : Math.min(size, bookOf(wallet).position(symbol));
  };

  function reportLeft(wallet: string): void {
    const book = bookOf(wallet);
    for (const symbol of new Set(book.exposedSymbols().filter(isSpot))) {
      const rest = book.position(symbol) - (bought(wallet, symbol) ?? 0);
      const size = Number(rest.toPrecision(12));
      if (size > 1e-9) options.onLeft({ wallet, symbol, size });
    }
  }

  return {
    begin() {
      for (const wallet of wallets) {
        const { orders$ } = streams.wallet(wallet);
        subscription.add(orders$.subscribe((order) => ended(wallet, order)));
      }
      // A sale of the previous process that has no answer yet may have been executed.
      for (const row of store.openIntents()) {
        if (row.instance !== OPERATOR || row.kind !== 'place_order' || row.intent === '') continue;
        const { intent } = JSON.parse(row.intent) as Pick<Emission, 'intent'>;
        const emission = { ...row, intent } as unknown as Emission;
        const sale = saleOf(emission);
        if (sale !== undefined) begins(emission, sale.symbol);
      }
      const before = wallets.filter(hadSpot);
      if (before.length === 0) return undefined;
      for (const wallet of before) reading.add(wallet);
      return Promise.all(before.map(read)).then(() => {});
    },
    fill,
    follow,
    bought,
    sellable(wallet) {
      return Object.keys(stateOf(wallet).bought).flatMap((symbol) => {
        const grid = plan.instruments.find((one) => one.symbol === symbol);
        const size = bought(wallet, symbol) ?? 0;
        const lots = grid === undefined || size === 0 ? size : toValidSize(size, grid);
        return lots > 0 ? [{ symbol, size: lots }] : [];
      });
    },
    reportLeft,
    pass(emission, submit) {
      const sale = saleOf(emission);
      if (sale === undefined) return submit(emission);
      const { wallet } = emission;
      const isUnderWay = (underWay.get(placeOf(wallet, sale.symbol))?.size ?? 0) > 0;
      if (isUnderWay || sale.size > (bought(wallet, sale.symbol) ?? 0)) return;
      begins(emission, sale.symbol);
      submit(emission);
    },
  };
}

const keysOfFill = ({ order_id, client_order_id, execution_id }: FillRecord) => ({
  order_id,
  client_order_id,
  execution_id,
});

/** A sale of spot by the runtime itself; undefined if the emission is something else. */
function saleOf({ instance, intent }: Emission): Holding | undefined {
  if (instance !== OPERATOR || intent.kind !== 'place_order') return undefined;
  const { symbol, side, size } = intent.request;
  return side === 'sell' && isSpot(symbol) ? { symbol, size } : undefined;
}

function keep(map: Map<string, number>, id: string, size: number): void {
  map.set(id, size);
  if (map.size > SEEN_KEPT) map.delete(map.keys().next().value!);
}
