import type { Subscription } from 'rxjs';
import type { Budget } from '../../budget/index.ts';
import {
  isSpot,
  type Exchange,
  type FillRecord,
  type OrderRecord,
  type ServiceRequest,
} from '../../contract/index.ts';
import { floorSize } from '../../contract/sizes.ts';
import type { Env } from '../../env/index.ts';
import { effectOf } from '../../intents/effectOf.ts';
import { findNewest, type JournalStore } from '../../journal/index.ts';
import type { Emission } from '../../strategy/index.ts';
import type { Streams } from '../../streams/index.ts';
import type { BotPlan } from '../BotPlan.ts';
import { intentOf } from '../intentOf.ts';
import type { PipeEvent } from '../PipeEvent.ts';
import { catchUpFills, LIST_LAG_MS } from './catchUpFills.ts';
import { createBoughtSpots } from './createBoughtSpots.ts';
import { createSpotSales, saleOf, type Holding } from './createSpotSales.ts';
import type { WalletBook } from './WalletBook.ts';

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

/** Fills may be stamped before the frame that reported them. */
const OVERLAP_MS = 60_000;
/** In the text of a row: cheap, and also true of a bar of spot that something else was decided on. */
const NAMES_SPOT = /"symbol":"[^"]*\//;

export function createHoldings(options: HoldingsOptions): Holdings {
  const { plan, wallets, bookOf, store, streams, lifetime } = options;
  const spots = createBoughtSpots(options);
  const sales = createSpotSales();
  /** Wallets whose fills are being read. */
  const reading = new Set<string>();

  /** Wallets on which an earlier process traded spot. The journal is read once, and no further than it must be. */
  function walletsWithSpot(): string[] {
    const without = new Set(wallets.filter((wallet) => !spots.isJournaled(wallet)));
    if (without.size > 0) {
      findNewest(store, ({ wallet, intent }) => {
        const isOfSpot = without.has(wallet) && NAMES_SPOT.test(intent);
        if (isOfSpot && effectOf(intentOf(intent)).symbols.some(isSpot)) without.delete(wallet);
        return without.size === 0;
      });
    }
    return wallets.filter((wallet) => !without.has(wallet));
  }

  const isOver = (): boolean => lifetime.closed;

  /** @returns time of the newest fill that was listed; undefined without one */
  async function readSince(wallet: string, since: number): Promise<number | undefined> {
    const fills = await catchUpFills({ ...options, wallet, since, isOver });
    if (isOver()) return undefined;
    for (const one of fills ?? []) if (one.time >= since - OVERLAP_MS) spots.fill(wallet, one);
    return fills?.at(-1)?.time;
  }

  async function read(wallet: string): Promise<void> {
    const since = spots.since(wallet);
    const newest = (await readSince(wallet, since)) ?? since;
    reading.delete(wallet);
    // The last fills of the process before may not have been listed yet: what came this long before them was.
    const late = Math.max(since, newest - LIST_LAG_MS);
    const again = (): void => void readSince(wallet, late).catch(options.onFatal);
    const cancel = options.env.timers.after(LIST_LAG_MS, again);
    lifetime.add(() => cancel());
  }

  const gridOf = (symbol: string) => plan.instruments.find((one) => one.symbol === symbol);

  /** Whole steps: the rounding of a sum costs none when it is sold, and adds none. */
  function inSteps(symbol: string, size: number): number {
    const grid = gridOf(symbol);
    return grid === undefined ? size : floorSize(size, grid.size_decimals);
  }

  function bought(wallet: string, symbol: string): number | undefined {
    if (reading.has(wallet)) return undefined;
    const size = spots.size(wallet, symbol);
    if (size === 0) return 0;
    const held = Math.min(inSteps(symbol, size), bookOf(wallet).position(symbol));
    // The rounding of the service's own sum costs no step either.
    return Math.max(held, inSteps(symbol, held));
  }

  return {
    begin() {
      for (const wallet of wallets) {
        const { orders$ } = streams.wallet(wallet);
        lifetime.add(orders$.subscribe((order) => spots.order(wallet, order)));
      }
      sales.resume(store);
      const before = walletsWithSpot();
      if (before.length === 0) return undefined;
      for (const wallet of before) reading.add(wallet);
      return Promise.all(before.map(read)).then(() => {});
    },
    fill: spots.fill,
    follow({ state, emission, record }) {
      const sale = saleOf(emission);
      if (sale === undefined) return;
      // An operator who settles it may not know its order; its fills show then what it sold.
      if (state === 'accepted' && record !== undefined)
        spots.sold(emission.wallet, sale, record as OrderRecord);
      sales.follow(emission, sale, state);
    },
    bought,
    sellable(wallet) {
      return spots.symbols(wallet).flatMap((symbol) => {
        const lots = inSteps(symbol, bought(wallet, symbol) ?? 0);
        return lots > 0 ? [{ symbol, size: lots }] : [];
      });
    },
    reportLeft(wallet) {
      const book = bookOf(wallet);
      for (const symbol of book.exposedSymbols().filter(isSpot)) {
        const rest = book.position(symbol) - (bought(wallet, symbol) ?? 0);
        const size = inSteps(symbol, Number(rest.toPrecision(12)));
        if (size > 1e-9) options.onLeft({ wallet, symbol, size });
      }
    },
    pass(emission, submit) {
      const sale = saleOf(emission);
      if (sale === undefined) return submit(emission);
      const { wallet } = emission;
      if (sales.isUnderWay(wallet, sale.symbol)) return;
      if (sale.size > (bought(wallet, sale.symbol) ?? 0)) return;
      sales.begin(emission, sale);
      submit(emission);
    },
  };
}
