import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../src/journal/index.ts';
import type { BotPlan } from '../../../src/runtime/BotPlan.ts';
import type { AccountModel } from '../../../src/streams/index.ts';
import { openBooks } from '../../../src/runtime/wallet/openBooks.ts';
import { holdLaw } from '../../holdLaw.ts';

/**
 * What a wallet owns is what may be flattened there, and where a lost stop is offered again: the same symbol on another
 * wallet may be somebody else's.
 */
test('a wallet owns the symbols of its own strategies only, and has a book of its own', async () => {
  const strategy = fc.record({
    wallet: fc.constantFrom('main', 'side', 'third'),
    symbols: fc.uniqueArray(fc.constantFrom('BTC', 'ETH', 'SOL'), { minLength: 1 }),
  });
  await holdLaw(100, fc.array(strategy, { minLength: 1, maxLength: 4 }), (strategies) => {
    const books = openBooks({
      plan: { strategies, guards: {}, instruments: [] } as unknown as BotPlan,
      store: createMemoryStore(),
      market: { now: () => 0, at: () => () => {} },
      marks: { worth: () => undefined, isAwaited: () => false },
      onTransfer: () => {},
      onFatal: (error) => {
        throw error;
      },
    });
    const wallets = new Set(strategies.map(({ wallet }) => wallet));
    // In the strategies’ order: the first one is what is meant where no wallet is named.
    expect(books.wallets).toEqual([...wallets]);
    const all = new Set<string>();
    for (const wallet of wallets) {
      const own = new Set<string>();
      for (const one of strategies)
        if (one.wallet === wallet) for (const symbol of one.symbols) own.add(symbol);
      expect(new Set(books.symbolsOf(wallet))).toEqual(own);
      for (const symbol of own) all.add(symbol);
    }
    expect(books.symbols).toEqual(all);
    expect(new Set(books.all).size).toBe(wallets.size);
    expect(books.wallets.map(books.bookOf)).toEqual(books.all);
    expect(() => books.bookOf('fourth')).toThrow('No strategy of this bot trades wallet fourth.');
  });
});

test.each([
  ['SOL', Number.NEGATIVE_INFINITY],
  ['SPAM', 50],
])(
  'an asset that no strategy trades and that has no price yet (%s) is awaited if the service lists it',
  (asset, headroom) => {
    const { bookOf } = openBooks({
      plan: {
        strategies: [{ wallet: 'main', symbols: ['BTC'] }],
        guards: { daily_loss_limit: 50 },
        instruments: [{ symbol: 'BTC' }, { symbol: 'SOL/USDC' }],
      } as unknown as BotPlan,
      store: createMemoryStore(),
      market: { now: () => 0, at: () => () => {} },
      marks: { worth: () => undefined, isAwaited: () => false },
      onTransfer: () => {},
      onFatal: (error) => {
        throw error;
      },
    });
    const book = bookOf('main');
    const account = {
      equity: 1_000,
      unrealized_pnl: 0,
      realized_pnl: 0,
      fees_paid: 0,
      funding_paid: 0,
    };
    const shown = (totals: ReadonlyArray<readonly [string, number]>) =>
      ({
        wallet: 'main',
        complete: true,
        account,
        positions: new Map(),
        openOrders: new Map(),
        balances: new Map(totals.map(([name, total]) => [name, { asset: name, total }])),
      }) as unknown as AccountModel;
    book.model(shown([['USDC', 1_000]]));
    book.sample();
    expect(book.dayHeadroom()).toBe(50);
    book.model(
      shown([
        ['USDC', 1_000],
        [asset, 5],
      ]),
    );
    book.sample();
    expect(book.dayHeadroom()).toBe(headroom);
  },
);
