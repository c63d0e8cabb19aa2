import { readWeight, type Budget } from '../../budget/index.ts';
import {
  priceRecord,
  type Dialect,
  type Exchange,
  type ServiceRequest,
} from '../../contract/index.ts';
import { after, type Cancel, type MarketClock } from '../../env/index.ts';
import type { Reference } from '../../guards/index.ts';
import type { WalletBook } from './WalletBook.ts';
import type { SpotHolding } from './createWalletValue.ts';
import { entryOf } from './openMonitors.ts';

/**
 * The price of a symbol that the bot does not follow: another's order, position or holding in one of its
 * wallets counts against the wallet's limits all the same.
 */
export interface References {
  /** Undefined if nothing of the wallet is on the symbol. */
  of(wallet: string, symbol: string): Reference | undefined;
  /** Reads no more. */
  stop(): void;
}

export interface ReferencesOptions {
  bookOf(wallet: string): WalletBook;
  budget: Budget;
  dialect: Pick<Dialect, 'endpoints'>;
  /** Whether the service has an instrument of this name, whose price can be read. */
  isListed(symbol: string): boolean;
  market: MarketClock;
  request(request: ServiceRequest): Exchange | Promise<Exchange>;
}

/** The pause between two reads of a price, and before one that failed is requested again. */
const READ_EVERY_MS = 60_000;
/** An older price is none: what is held may be worth a multiple of it by now. One read may fail. */
const MOST_AGE_MS = 2 * READ_EVERY_MS;

export function createReferences({
  bookOf,
  budget,
  dialect,
  isListed,
  market,
  request,
}: ReferencesOptions): References {
  const prices = new Map<string, { price: number; at: number }>();
  const askedAt = new Map<string, number>();
  /** By wallet and symbol: a limit that asked once may be asked of it hours later, and then at once. */
  const next = new Map<string, Cancel>();
  const weight = readWeight(dialect, { endpoint: 'market.price' });

  const learn = (symbol: string, at: number, exchange: Exchange): void => {
    if (exchange.kind !== 'answered' || exchange.response.status !== 200) return;
    const parsed = priceRecord.safeParse(exchange.response.body);
    if (parsed.success && parsed.data.mark > 0) prices.set(symbol, { price: parsed.data.mark, at });
  };

  /** A market clock that was set back shows no age. */
  const isDue = (symbol: string): boolean => {
    const last = askedAt.get(symbol) ?? Number.NEGATIVE_INFINITY;
    const now = market.now();
    return now < last || now - last >= READ_EVERY_MS;
  };

  const readIfDue = (wallet: string, symbol: string): void => {
    if (!isDue(symbol) || !budget.admit('lookup', weight).admitted) return;
    const at = market.now();
    askedAt.set(symbol, at);
    budget.spend(weight, 'lookup');
    const asked = {
      endpoint: 'market.price',
      pathParams: { symbol },
      query: {},
      body: '',
    } as const;
    void after(request({ ...asked, wallet }), (exchange) => learn(symbol, at, exchange));
  };

  /** Reads it again and again, as long as the wallet has something on it that has no price of its own, or not for long. */
  const keepFresh = (wallet: string, symbol: string): void => {
    const key = `${wallet} ${symbol}`;
    if (next.has(key)) return;
    const again = (): void => {
      next.delete(key);
      const found = whatIsOn(bookOf(wallet), symbol, market.now());
      if (found === undefined || found.isPriced) return;
      readIfDue(wallet, symbol);
      keepFresh(wallet, symbol);
    };
    next.set(key, market.at(market.now() + READ_EVERY_MS, again));
  };

  /** The last price read, unless it is too old. */
  const lastPrice = (symbol: string): number | undefined => {
    const known = prices.get(symbol);
    if (known === undefined || Math.abs(market.now() - known.at) > MOST_AGE_MS) return undefined;
    return known.price;
  };

  /** No price of it is ever to come: it counts as in the equity, by the account's record. */
  const unlistedHolding = (wallet: string, symbol: string): SpotHolding | undefined =>
    isListed(symbol)
      ? undefined
      : bookOf(wallet)
          .spotHoldings()
          .find((holding) => holding.symbol === symbol);

  return {
    of(wallet, symbol) {
      const found = whatIsOn(bookOf(wallet), symbol, market.now());
      if (found === undefined) return undefined;
      const { what, own, isPriced } = found;
      const unlisted = unlistedHolding(wallet, symbol);
      // Nobody can end the entries of a wallet by sending it tokens: what came since the account's record is worth nothing.
      if (unlisted !== undefined) return { what, price: unlisted.price ?? 0 };
      if (!isPriced) {
        readIfDue(wallet, symbol);
        keepFresh(wallet, symbol);
      }
      return { what, price: own.length > 0 ? Math.max(...own) : lastPrice(symbol) };
    },
    stop() {
      for (const cancel of next.values()) cancel();
      next.clear();
    },
  };
}

const isPrice = (price: number | null | undefined): price is number => price != null && price > 0;

/**
 * What a wallet has on a symbol, for display, and the prices that its records contain. An execution's are of its start
 * and of its fills, which may be days ago, and then the mark of a position is its price; an order's is the one at which it
 * fills. It is priced if its prices stay valid.
 */
function whatIsOn(
  book: WalletBook,
  symbol: string,
  now: number,
): { what: string; own: readonly number[]; isPriced: boolean } | undefined {
  const position = book.positionRecord(symbol);
  const orders = book.openOrders().filter((order) => order.symbol === symbol);
  const executions = book.liveExecutions().filter((execution) => execution.symbol === symbol);
  const monitors = book.entryMonitors().filter((monitor) => entryOf(monitor).symbol === symbol);
  const parts = [
    ...(position === undefined ? [] : [`a position of ${position.size}`]),
    ...orders.map(({ order_id }) => `order ${order_id}`),
    ...executions.map(({ execution_id }) => `execution ${execution_id}`),
    ...monitors.map(({ monitor_id }) => `monitor ${monitor_id}`),
  ];
  const held = position === undefined ? book.position(symbol) : 0;
  if (held !== 0) parts.unshift(`a holding of ${held}`);
  if (parts.length === 0) return undefined;
  // One order without a price makes the others' prices useless as a bound.
  const priced = [
    ...(position === undefined ? [] : [position.mark_price]),
    ...orders.map(({ price }) => price),
    ...executions.map(({ average_price, arrival_price, created_time: time }) =>
      now - time > MOST_AGE_MS ? position?.mark_price : (arrival_price ?? average_price),
    ),
    ...monitors.map((monitor) => entryOf(monitor).price),
  ];
  const own = held === 0 && priced.every(isPrice) ? priced.filter(isPrice) : [];
  const more = parts.length > MOST_NAMED ? ` and ${parts.length - MOST_NAMED} more` : '';
  const isPriced = own.length > 0 && executions.length === 0;
  return { what: `${parts.slice(0, MOST_NAMED).join(', ')}${more}`, own, isPriced };
}

const MOST_NAMED = 3;
