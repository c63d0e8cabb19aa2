import { readWeight, type Budget } from '../../budget/index.ts';
import {
  priceRecord,
  type Dialect,
  type Exchange,
  type ServiceRequest,
} from '../../contract/index.ts';
import { after, type MarketClock } from '../../env/index.ts';
import type { Reference } from '../../guards/index.ts';
import type { WalletBook } from './WalletBook.ts';
import { entryOf } from './openMonitors.ts';

/**
 * The price of a symbol that the bot does not follow: another's order, position or holding in one of its
 * wallets counts against the wallet's limits all the same.
 */
export interface References {
  /** Undefined if nothing of the wallet is on the symbol. */
  of(wallet: string, symbol: string): Reference | undefined;
}

export interface ReferencesOptions {
  bookOf(wallet: string): WalletBook;
  budget: Budget;
  dialect: Pick<Dialect, 'endpoints'>;
  market: Pick<MarketClock, 'now'>;
  request(request: ServiceRequest): Exchange | Promise<Exchange>;
}

/** How long a price that was read is valid, and the pause before one that failed is requested again. */
const READ_EVERY_MS = 60_000;

export function createReferences({
  bookOf,
  budget,
  dialect,
  market,
  request,
}: ReferencesOptions): References {
  const prices = new Map<string, number>();
  const askedAt = new Map<string, number>();
  const weight = readWeight(dialect, { endpoint: 'market.price' });

  const learn = (symbol: string, exchange: Exchange): void => {
    if (exchange.kind !== 'answered' || exchange.response.status !== 200) return;
    const parsed = priceRecord.safeParse(exchange.response.body);
    if (parsed.success && parsed.data.mark > 0) prices.set(symbol, parsed.data.mark);
  };

  /** The last price read; if it is old, a newer one is on its way. */
  const readPrice = (wallet: string, symbol: string): number | undefined => {
    const last = askedAt.get(symbol) ?? Number.NEGATIVE_INFINITY;
    if (market.now() - last >= READ_EVERY_MS && budget.admit('lookup', weight).admitted) {
      askedAt.set(symbol, market.now());
      budget.spend(weight, 'lookup');
      const asked = {
        endpoint: 'market.price',
        pathParams: { symbol },
        query: {},
        body: '',
      } as const;
      void after(request({ ...asked, wallet }), (exchange) => learn(symbol, exchange));
    }
    return prices.get(symbol);
  };

  return {
    of(wallet, symbol) {
      const found = whatIsOn(bookOf(wallet), symbol);
      if (found === undefined) return undefined;
      const { what, own } = found;
      const price = own.length > 0 ? Math.max(...own) : readPrice(wallet, symbol);
      return { what, price };
    },
  };
}

const isPrice = (price: number | null | undefined): price is number => price != null && price > 0;

/** What a wallet has on a symbol, for display, and the prices that its records contain. */
function whatIsOn(
  book: WalletBook,
  symbol: string,
): { what: string; own: readonly number[] } | undefined {
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
    ...executions.map(({ average_price, arrival_price }) => arrival_price ?? average_price),
    ...monitors.map((monitor) => entryOf(monitor).price),
  ];
  const own = held === 0 && priced.every(isPrice) ? priced.filter(isPrice) : [];
  const more = parts.length > MOST_NAMED ? ` and ${parts.length - MOST_NAMED} more` : '';
  return { what: `${parts.slice(0, MOST_NAMED).join(', ')}${more}`, own };
}

const MOST_NAMED = 3;
