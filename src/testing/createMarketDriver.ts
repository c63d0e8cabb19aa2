import type { InstrumentRecord, PriceRecord } from '../contract/index.ts';
import type { MarketTick } from '../streams/index.ts';
import type { DrivenSources } from './createDrivenSources.ts';
import type { TestAccount } from './createTestAccount.ts';
import type { BookInput, FundingInput } from './StrategyTest.ts';
import { requireNumbers } from './requireNumbers.ts';
import { testRefusal } from './testRefusal.ts';
import { toPrice } from './toPrice.ts';

export interface MarketDriver {
  price(symbol: string, price: number | Partial<PriceRecord>): void;
  market(symbol: string, change: Partial<MarketTick>): void;
  book(symbol: string, book: BookInput): void;
  funding(symbol: string, funding: FundingInput): void;
}

export interface MarketDriverOptions {
  driven: Pick<
    DrivenSources,
    'price$' | 'market$' | 'book$' | 'funding$' | 'account$' | 'balances$'
  >;
  account: TestAccount;
  now(): number;
  /** @throws for a symbol that is not of the test */
  requireSymbol(call: string, symbol: string): InstrumentRecord;
}

/** Prices, market records, books and funding, as a service publishes them. */
export function createMarketDriver(options: MarketDriverOptions): MarketDriver {
  const { driven, account, now, requireSymbol } = options;
  const records = new Map<string, MarketTick>();

  function market(call: string, symbol: string, change: Partial<MarketTick>): void {
    const mark = change.mark ?? account.markOf(symbol) ?? records.get(symbol)?.mark;
    if (mark === undefined || !(mark > 0)) {
      const given = call === 'market' ? 'Write { mark }, above 0, or close' : 'Close';
      throw testRefusal(
        `${call}: ${mark === undefined ? `no price of ${symbol} is known yet` : `mark ${mark}`}.`,
        `${given} a bar or set a price first.`,
      );
    }
    requireNumbers(`${call} of ${symbol}`, change);
    const before = records.get(symbol) ?? {
      index: mark,
      funding_rate: null,
      next_funding_time: null,
      volume_24h: 0,
      open_interest: null,
    };
    const record = { ...before, ...change, mark, symbol, time: now() };
    records.set(symbol, record);
    driven.market$(symbol).next(record);
  }

  return {
    price(symbol, price) {
      requireSymbol('price', symbol);
      const record = toPrice(symbol, price, { last: account.markOf(symbol), time: now() });
      account.mark(symbol, record.mark);
      driven.price$(symbol).next(record);
    },
    market(symbol, change) {
      requireSymbol('market', symbol);
      market('market', symbol, change);
    },
    book(symbol, { bids, asks, source = 'service' }) {
      requireSymbol('book', symbol);
      requireOrder(symbol, { bids, asks });
      for (const [, size] of [...bids, ...asks]) requireNumbers(`book of ${symbol}`, { size });
      driven.book$(symbol).next({ symbol, bids, asks, time: now(), source });
    },
    funding(symbol, { rate, next_time, paid }) {
      requireSymbol('funding', symbol);
      requireNumbers(`funding of ${symbol}`, { rate, next_time, paid });
      // The service reports what a settlement took before the rate that follows it.
      if (paid !== undefined) {
        account.payFunding(paid);
        driven.funding$.next({ symbol, amount: paid, time: now() });
        driven.balances$.next(account.balances());
        driven.account$.next(account.account);
      }
      if (rate === undefined && next_time === undefined) return;
      market('funding', symbol, {
        ...(rate === undefined ? {} : { funding_rate: rate }),
        ...(next_time === undefined ? {} : { next_funding_time: next_time }),
      });
    },
  };
}

/** @throws for levels that are not best first, or that cross */
function requireOrder(symbol: string, { bids, asks }: Pick<BookInput, 'bids' | 'asks'>): void {
  const isOrdered = (levels: BookInput['bids'], sign: 1 | -1): boolean =>
    levels.every(([price], at) => at === 0 || sign * (price - levels[at - 1]![0]) > 0);
  const [bid, ask] = [bids[0]?.[0] ?? 0, asks[0]?.[0] ?? Number.POSITIVE_INFINITY];
  if (isOrdered(bids, -1) && isOrdered(asks, 1) && bid < ask) return;
  throw testRefusal(
    `book of ${symbol}: its levels are not best first, or its sides cross.`,
    'Write bids from the highest price down and asks from the lowest up, bids below asks.',
  );
}
