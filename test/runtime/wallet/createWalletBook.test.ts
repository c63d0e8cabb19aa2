import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type {
  BalanceRecord,
  ExecutionRecord,
  FillRecord,
  MonitorRecord,
  OrderRecord,
  PositionRecord,
} from '../../../src/contract/index.ts';
import { createWalletBook } from '../../../src/runtime/wallet/createWalletBook.ts';
import type { DayStart } from '../../../src/runtime/wallet/createDayLoss.ts';
import type { WalletBook } from '../../../src/runtime/wallet/WalletBook.ts';
import type { AccountModel } from '../../../src/streams/index.ts';
import { holdLaw } from '../../holdLaw.ts';

const DAY = 86_400_000;

const account = {
  wallet: 'main',
  equity: 0,
  available_margin: 0,
  used_margin: 0,
  unrealized_pnl: 0,
  realized_pnl: 0,
  fees_paid: 0,
  funding_paid: 0,
  time: 0,
};
const balance = (asset: string, total: number): BalanceRecord => ({
  asset,
  total,
  available: total,
  held: 0,
});
const long = (size: number, entry_price: number): PositionRecord => ({
  symbol: 'BTC',
  side: 'long',
  size,
  entry_price,
  mark_price: entry_price,
  notional: size * entry_price,
  unrealized_pnl: 0,
  realized_pnl: 0,
  leverage: 10,
  opened_time: 0,
  updated_time: 0,
});
const modelOf = (balances: BalanceRecord[], positions: PositionRecord[] = []): AccountModel => ({
  wallet: 'main',
  version: 1,
  time: 0,
  complete: true,
  account,
  positions: new Map(positions.map((position) => [position.symbol, position])),
  balances: new Map(balances.map((item) => [item.asset, item])),
  openOrders: new Map(),
});

/** What a trade of this result leaves in the fills; of spot also its size and value. */
const fillOf = (closed_pnl: number, spot?: Partial<FillRecord>): FillRecord =>
  ({
    symbol: 'BTC',
    side: 'sell',
    size: 1,
    notional: 100,
    fee: 0,
    closed_pnl,
    ...spot,
  }) as FillRecord;

function setUp(dayStart?: DayStart, limit?: number) {
  let time = 10 * DAY;
  const prices = new Map<string, number>();
  const awaited = new Set<string>();
  const starts: DayStart[] = [];
  const book = createWalletBook({
    now: () => time,
    priceOf: (symbol) => prices.get(symbol),
    isListed: (symbol) => ['HYPE/USDC', 'SOL/USDC'].includes(symbol),
    isAwaited: (symbol) => awaited.has(symbol),
    dayStart,
    limit,
    onDayStart: (start) => starts.push(start),
  });
  return { book, prices, awaited, starts, setTime: (next: number) => (time = next) };
}

test('what fills and funding change counts until the next account record, which holds it', () => {
  const { book } = setUp();
  const shown = modelOf([balance('USDC', 1_000)]);
  book.model(shown);
  book.fill(fillOf(-50, { fee: 2 }));
  book.funding(3);
  const counted = { realized_pnl: -50, fees_paid: 2, funding_paid: 3 };
  expect(book.account()).toMatchObject(counted);
  book.model({ ...shown, version: 2 });
  expect(book.account()).toMatchObject(counted);
  book.model({ ...shown, version: 3, account: { ...account, ...counted } });
  expect(book.account()).toMatchObject(counted);
});

test('monitors count in each way, also of a list that can be read once', () => {
  const { book } = setUp();
  const monitorOf = (id: string, reduce_only: boolean) =>
    ({
      monitor_id: id,
      status: 'armed',
      trigger: { type: 'price_level' },
      action: { type: 'order', request: { symbol: 'BTC', side: 'sell', size: 2, reduce_only } },
    }) as unknown as MonitorRecord;
  book.monitors([monitorOf('entry', false), monitorOf('exit', true)].values());
  expect([...book.standingMonitors()!]).toEqual(['entry', 'exit']);
  expect(book.resting('BTC', 'sell')).toBe(2);
  expect(book.armed('BTC', 'sell')).toBe(2);
  expect(book.entryMonitors().map(({ monitor_id: id }) => id)).toEqual(['entry']);
});

test('an execution’s child order is part of what is left of it, and counts no second time', () => {
  const { book } = setUp();
  const orderOf = (order_id: string, over: Partial<OrderRecord>) =>
    ({
      order_id,
      symbol: 'BTC',
      side: 'buy',
      reduce_only: false,
      filled_size: 0,
      ...over,
    }) as const;
  const open = [
    orderOf('child', { execution_id: 'exe_1', size: 2, filled_size: 0.5 }),
    orderOf('own', { execution_id: null, size: 3, filled_size: 1 }),
    orderOf('other', { execution_id: null, size: 11, symbol: 'ETH' }),
    orderOf('child of exit', { execution_id: 'exe_2', size: 1, side: 'sell', reduce_only: true }),
    orderOf('exit', { execution_id: null, size: 4, side: 'sell', reduce_only: true }),
  ];
  book.model({
    ...modelOf([balance('USDC', 1_000)]),
    openOrders: new Map(open.map((order) => [order.order_id, order as OrderRecord])),
  });
  const execution = { symbol: 'BTC', side: 'buy', status: 'running', request: {}, filled_size: 1 };
  book.executions([
    { ...execution, execution_id: 'exe_1', remaining_size: 7 },
    {
      ...execution,
      execution_id: 'exe_2',
      side: 'sell',
      remaining_size: 5,
      reduce_only: true,
      status: 'paused',
    },
  ] as unknown as ExecutionRecord[]);
  expect([book.resting('BTC', 'buy'), book.resting('BTC', 'sell')]).toEqual([2 + 7, 0]);
  expect([book.closing('BTC', 'sell'), book.closing('BTC', 'buy')]).toEqual([4 + 5, 0]);
  expect(book.resting('ETH', 'buy')).toBe(11);
});

test('equity is cash, holdings at their price and open profit', () => {
  const { book, prices } = setUp();
  prices.set('BTC', 110).set('HYPE/USDC', 20);
  book.model(modelOf([balance('USDC', 1_000), balance('HYPE', 3)], [long(2, 100)]));
  expect(book.account()).toMatchObject({ equity: 1_000 + 60 + 20, unrealized_pnl: 20 });
});

test('each position and each holding counts in the equity, whichever comes first', () => {
  const held: PositionRecord[] = [
    long(2, 100),
    { ...long(5, 40), symbol: 'ETH', side: 'short' },
    { ...long(7, 10), symbol: 'XRP', mark_price: 13 },
  ];
  const cash = [balance('USDC', 1_000), balance('HYPE', 3), balance('SOL', 4)];
  // The last one has no bar yet: it counts at the service's price.
  const profit = 2 * 10 - 5 * 6 + 7 * 3;
  for (const turn of [0, 1, 2]) {
    const { book, prices } = setUp();
    const turned = <T>(all: readonly T[]): T[] => [...all.slice(turn), ...all.slice(0, turn)];
    prices.set('BTC', 110).set('ETH', 46).set('HYPE/USDC', 20).set('SOL/USDC', 150);
    book.model(modelOf(turned(cash), turned(held)));
    expect(book.account()).toMatchObject({
      equity: 1_000 + 60 + 600 + profit,
      unrealized_pnl: profit,
    });
    const priced = new Set<string>();
    book.priced(priced);
    expect([...priced].toSorted()).toEqual(['BTC', 'ETH', 'HYPE/USDC', 'SOL/USDC', 'XRP']);
  }
});

describe('margin', () => {
  const modelWith = (
    shown: Partial<typeof account>,
    balances: BalanceRecord[],
    positions: PositionRecord[] = [],
  ): AccountModel => ({ ...modelOf(balances, positions), account: { ...account, ...shown } });
  const marginOf = (book: ReturnType<typeof setUp>['book']) => {
    const { used_margin: used, available_margin: available } = book.account()!;
    return { used, available };
  };

  test('of orders that rest is the service’s, and prices move that of positions', () => {
    const { book, prices } = setUp();
    prices.set('BTC', 100);
    const held = long(2, 100);
    // 30 of it for orders; 5 of cash for a buy of spot.
    const first = modelWith(
      { used_margin: 50, available_margin: 945 },
      [balance('USDC', 1_000)],
      [held],
    );
    book.model(first);
    expect(marginOf(book)).toEqual({ used: 50, available: 945 });
    prices.set('BTC', 110);
    expect(marginOf(book)).toEqual({ used: 52, available: 945 + 20 - 2 });
    // Closed at 110: profit is cash by then.
    book.model({
      ...first,
      positions: new Map(),
      balances: new Map([['USDC', balance('USDC', 1_020)]]),
    });
    expect(marginOf(book)).toEqual({ used: 30, available: 945 + 20 + 20 });
  });

  test('holdings of spot are none that is free', () => {
    const { book, prices } = setUp();
    prices.set('HYPE/USDC', 20);
    book.model(
      modelWith({ available_margin: 1_000 }, [balance('USDC', 1_000), balance('HYPE', 300)]),
    );
    expect(book.equity()).toBe(7_000);
    expect(marginOf(book)).toEqual({ used: 0, available: 1_000 });
  });

  test('of an isolated position is its own, whatever its price', () => {
    const { book, prices } = setUp();
    prices.set('BTC', 160);
    const isolated = { ...long(2, 100), mode: 'isolated' as const };
    // It was given 10 more than its leverage asks for.
    book.model(
      modelWith({ used_margin: 30, available_margin: 970 }, [balance('USDC', 1_000)], [isolated]),
    );
    expect(marginOf(book)).toEqual({ used: 30, available: 970 });
  });

  test('is never less than none', () => {
    const { book, prices } = setUp();
    prices.set('BTC', 20);
    book.model(
      modelWith({ used_margin: 20, available_margin: 30 }, [balance('USDC', 50)], [long(2, 100)]),
    );
    expect(marginOf(book)).toEqual({ used: 4, available: 0 });
  });
});

test('initial equity is the service’s, also for assets without a price', () => {
  const { book } = setUp();
  const first = modelOf([balance('USDC', 1_000), balance('HYPE', 3)]);
  book.model({ ...first, account: { ...account, equity: 1_060 } });
  book.model({ ...first, account: { ...account, equity: 900 } });
  expect(book.startEquity()).toBe(1_060);
});

describe('a spot asset that no strategy trades', () => {
  const held = modelOf([balance('USDC', 1_000), balance('SOL', 5), balance('JUNK', 40)]);
  const withEquity = (model: AccountModel, equity: number): AccountModel => ({
    ...model,
    account: { ...account, equity },
  });

  test('counts as the service counted it, until it has a price, and is no loss at a start', () => {
    const { book, prices, starts } = setUp({ day: 10, equity: 1_750 });
    book.model(withEquity(held, 1_750));
    book.sample();
    expect(book.equity()).toBe(1_750);
    expect([book.dayLoss(), book.dayResult()]).toEqual([0, 0]);
    // What is left for the other, which no bar will ever price.
    prices.set('SOL/USDC', 140);
    expect(book.equity()).toBe(1_750);
    prices.set('SOL/USDC', 130);
    book.sample();
    expect(book.equity()).toBe(1_700);
    expect(book.dayLoss()).toBe(50);
    expect(starts).toMatchObject([{ day: 10, equity: 1_750 }]);
  });

  test('sold by hand is no gain, and hides no loss', () => {
    const { book, prices } = setUp();
    prices.set('SOL/USDC', 100);
    book.model(withEquity(modelOf([balance('USDC', 1_000), balance('SOL', 5)]), 1_500));
    book.sample();
    prices.set('SOL/USDC', 90);
    book.sample();
    expect(book.dayResult()).toBe(-50);
    book.fill(fillOf(-50, { symbol: 'SOL/USDC', size: 5, notional: 450 }));
    book.model({
      ...withEquity(modelOf([balance('USDC', 1_450), balance('SOL', 0)]), 1_450),
      account: { ...account, equity: 1_450, realized_pnl: -50 },
    });
    book.sample();
    expect([book.equity(), book.dayResult(), book.dayLoss()]).toEqual([1_450, -50, 50]);
    book.fill(fillOf(-50));
    book.model(modelOf([balance('USDC', 1_400)]));
    book.sample();
    expect(book.dayLoss()).toBe(100);
  });

  // Balance, fill and account record are separate frames, and a bar may close between any two of them.
  test.each(['balance first', 'fill first', 'fill after the record'])(
    'that is sold at its market price moves nothing: %s',
    (order) => {
      const { book, prices } = setUp();
      const of = (sol: number, cash: number, more: object = {}): AccountModel => ({
        ...modelOf([balance('USDC', cash), balance('SOL', sol)]),
        account: { ...account, equity: 1_500, ...more },
      });
      prices.set('SOL/USDC', 100);
      const before = of(5, 1_000, { unrealized_pnl: 1 });
      book.model(before);
      book.sample();
      const fill = (): void =>
        book.fill(fillOf(0, { symbol: 'SOL/USDC', size: 5, notional: 499, fee: 1 }));
      // Bought for 499: what is sold was held at its cost.
      const sold = { ...of(0, 1_498), account: before.account };
      const record = { ...sold, account: { ...account, equity: 1_498, fees_paid: 1 } };
      if (order === 'fill first') fill();
      prices.set('SOL/USDC', 120);
      book.model(sold);
      prices.set('SOL/USDC', 70);
      if (order === 'balance first') fill();
      book.model(record);
      if (order === 'fill after the record') fill();
      prices.set('SOL/USDC', 60);
      book.model({ ...record, account: { ...record.account } });
      book.sample();
      expect(book.equity()).toBe(1_498);
      expect(book.dayResult()).toBe(-2);
    },
  );

  // A guard may ask at any moment: a reaction to a fill comes before its balance.
  test.each(['balance first', 'fill first'])(
    'that is traded is neither loss nor gain between two of its frames: %s',
    (order) => {
      for (const side of ['buy', 'sell'] as const) {
        const { book, prices } = setUp();
        const sign = side === 'buy' ? 1 : -1;
        const of = (sol: number, cash: number): AccountModel => ({
          ...modelOf([balance('USDC', cash), balance('SOL', sol)]),
          account: first.account,
        });
        const first = withEquity(modelOf([balance('USDC', 1_000), balance('SOL', 5)]), 1_500);
        prices.set('SOL/USDC', 100);
        book.model(first);
        book.sample();
        const steps = [
          () => book.fill(fillOf(0, { symbol: 'SOL/USDC', side, size: 5, notional: 500 })),
          () => book.model(of(5 + sign * 5, 1_000 - sign * 500)),
        ];
        for (const step of order === 'fill first' ? steps : steps.toReversed()) {
          step();
          book.sample();
          expect([book.dayResult(), book.dayLoss()], side).toEqual([0, 0]);
        }
      }
    },
  );

  test('bought by hand is no loss before its first bar', () => {
    const { book, prices } = setUp();
    const first = withEquity(modelOf([balance('USDC', 1_000)]), 1_000);
    book.model(first);
    book.sample();
    book.fill(fillOf(0, { symbol: 'SOL/USDC', side: 'buy', size: 5, notional: 500 }));
    book.model({ ...first, balances: modelOf([balance('USDC', 500), balance('SOL', 5)]).balances });
    book.sample();
    expect(book.dayLoss()).toBe(0);
    prices.set('SOL/USDC', 98);
    book.sample();
    expect(book.dayLoss()).toBe(10);
  });

  test('without an instrument never keeps the limit from being evaluated', () => {
    const { book } = setUp();
    const first = withEquity(modelOf([balance('USDC', 1_000)]), 1_000);
    book.model(first);
    book.sample();
    book.fill(fillOf(0, { symbol: 'JUNK/USDC', side: 'buy', size: 5, notional: 100 }));
    book.model({
      ...first,
      balances: modelOf([balance('USDC', 900), balance('JUNK', 5)]).balances,
    });
    book.sample();
    expect(book.dayLoss()).toBe(100);
  });

  test('is worth what is left of the equity beside an open position', () => {
    const { book } = setUp();
    const position = { ...long(2, 100), mark_price: 110 };
    book.model(withEquity(modelOf([balance('USDC', 1_000), balance('SOL', 5)], [position]), 1_520));
    expect(book.spotHoldings()).toEqual([{ symbol: 'SOL/USDC', size: 5, price: 100 }]);
    expect(book.equity()).toBe(1_520);
  });
});

test('the day’s loss counts from the previous day’s closing equity', () => {
  const { book, starts, setTime } = setUp();
  book.model(modelOf([balance('USDC', 1_000)]));
  book.sample();
  expect(starts).toMatchObject([{ day: 10, equity: 1_000 }]);
  book.fill(fillOf(-60));
  book.model(modelOf([balance('USDC', 940)]));
  book.sample();
  expect(book.dayLoss()).toBe(60);
  setTime(11 * DAY);
  book.fill(fillOf(-10));
  book.model(modelOf([balance('USDC', 930)]));
  book.sample();
  expect(starts.at(-1)).toMatchObject({ day: 11, equity: 940 });
  expect(book.dayLoss()).toBe(10);
});

test('the day’s result has a fill before the next bar, and the limit’s loss with it', () => {
  const { book, prices } = setUp();
  prices.set('BTC', 100);
  book.model(modelOf([balance('USDC', 1_000)], [long(1, 100)]));
  book.sample();
  book.fill(fillOf(-5, { fee: 2 }));
  book.model(modelOf([balance('USDC', 993)]));
  expect([book.equity(), book.dayResult(), book.dayLoss()]).toEqual([993, -7, 0]);
  book.sample();
  expect([book.equity(), book.dayResult(), book.dayLoss()]).toEqual([993, -7, 7]);
  // A deposit is no result, also before a record has it.
  book.model(modelOf([balance('USDC', 5_993)]));
  expect([book.equity(), book.dayResult()]).toEqual([5_993, -7]);
});

test('the day’s result is that of the last bar while half of a hedge has no new price', () => {
  const { book, prices, awaited } = setUp();
  const short = { ...long(1, 100), symbol: 'ETH', side: 'short' } as const;
  for (const symbol of ['BTC', 'ETH']) prices.set(symbol, 100);
  book.model(modelOf([balance('USDC', 1_000)], [long(1, 100), short]));
  book.sample();
  prices.set('BTC', 60);
  awaited.add('ETH');
  expect(book.dayResult()).toBe(0);
  awaited.delete('ETH');
  prices.set('ETH', 61);
  expect(book.dayResult()).toBe(-1);
});

test('the day’s result does not take for lost what was bought and has no price yet', () => {
  const { book, prices } = setUp();
  book.model(modelOf([balance('USDC', 1_000)]));
  book.sample();
  book.fill(fillOf(0, { symbol: 'SOL/USDC', side: 'buy', size: 5, notional: 500 }));
  book.model(modelOf([balance('USDC', 500), balance('SOL', 5)]));
  expect(book.dayResult()).toBe(0);
  prices.set('SOL/USDC', 99);
  expect(book.dayResult()).toBe(-5);
});

test('a restart within the day keeps the day’s loss', () => {
  const { book } = setUp({ day: 10, equity: 1_000 });
  book.model(modelOf([balance('USDC', 940)]));
  book.sample();
  expect(book.dayLoss()).toBe(60);
});

describe('a clock that jumps over midnight and comes back', () => {
  const HOUR = 3_600_000;
  const worth = (book: WalletBook, equity: number): void => {
    book.fill(fillOf(equity - book.equity()!));
    book.model(modelOf([balance('USDC', equity)]));
    book.sample();
  };
  /** The limit of 50 is reached at 14:00, and the clock jumps by half a day. */
  function jumped() {
    const before = setUp({ day: 10, equity: 1_000 }, 50);
    const { book, setTime } = before;
    book.model(modelOf([balance('USDC', 1_000)]));
    setTime(10 * DAY + 14 * HOUR);
    worth(book, 940);
    expect([book.dayLoss(), book.dayLimitReached()]).toEqual([60, 60]);
    setTime(11 * DAY + 2 * HOUR);
    worth(book, 935);
    return before;
  }

  test('continues the day, and the limit that was reached in it', () => {
    const { book, setTime, starts } = jumped();
    setTime(10 * DAY + 14 * HOUR + 60_000);
    // Also before the next bar.
    expect(book.dayLimitReached()).toBe(60);
    book.sample();
    expect([book.dayLoss(), book.dayLimitReached()]).toEqual([65, 60]);
    expect(starts.at(-1)).toMatchObject({ day: 10, equity: 1_000, lost: 60 });
  });

  test('continues it in the next process, too', () => {
    const { starts } = jumped();
    const { book, setTime } = setUp(JSON.parse(JSON.stringify(starts.at(-1))) as DayStart, 50);
    setTime(10 * DAY + 15 * HOUR);
    book.model(modelOf([balance('USDC', 935)]));
    book.sample();
    expect([book.dayLoss(), book.dayLimitReached()]).toEqual([65, 60]);
  });

  test('has the money that was moved meanwhile in the day that it continues', () => {
    const { book, setTime } = jumped();
    const record = { ...account, equity: 1_435, realized_pnl: -65 };
    book.model({ ...modelOf([balance('USDC', 1_435)]), account: record });
    setTime(10 * DAY + 15 * HOUR);
    book.sample();
    expect(book.dayLoss()).toBe(65);
  });

  test('begins the next day with no less than it is worth at midnight', () => {
    const { book, setTime } = jumped();
    setTime(10 * DAY + 15 * HOUR);
    worth(book, 990);
    setTime(11 * DAY);
    worth(book, 980);
    expect([book.dayLoss(), book.dayLimitReached()]).toEqual([10, undefined]);
  });

  test('and one that was set back for a while loses nothing of the day that it returns to', () => {
    const { book, setTime } = setUp({ day: 10, equity: 1_000 }, 50);
    book.model(modelOf([balance('USDC', 1_000)]));
    setTime(11 * DAY);
    book.sample();
    worth(book, 940);
    setTime(10 * DAY + 20 * HOUR);
    worth(book, 935);
    setTime(11 * DAY + HOUR);
    book.sample();
    expect([book.dayLoss(), book.dayLimitReached()]).toEqual([65, 60]);
  });

  test('while a bar that comes late begins no earlier day', () => {
    const { book, setTime, starts } = setUp({ day: 10, equity: 1_000 }, 50);
    book.model(modelOf([balance('USDC', 1_000)]));
    setTime(11 * DAY);
    book.sample();
    book.sample(11 * DAY - 60_000);
    expect(starts.at(-1)).toMatchObject({ day: 11 });
  });
});

test('nothing is sampled between the two balances of one trade', () => {
  const { book, prices } = setUp();
  prices.set('HYPE/USDC', 20);
  book.model(modelOf([balance('USDC', 1_000)]));
  book.sample();
  book.model(modelOf([balance('USDC', 400)]));
  expect(book.dayLoss()).toBe(0);
  book.model(modelOf([balance('USDC', 400), balance('HYPE', 30)]));
  book.sample();
  expect(book.dayLoss()).toBe(0);
});

test('a day begins with what the service says that holdings are worth, until they have a price', () => {
  const { book, prices, starts } = setUp();
  const held = modelOf([balance('USDC', 1_000), balance('HYPE', 30)]);
  book.model({ ...held, account: { ...account, equity: 1_600 } });
  book.sample();
  expect(starts).toMatchObject([{ day: 10, equity: 1_600 }]);
  prices.set('HYPE/USDC', 10);
  book.sample();
  expect(book.dayLoss()).toBe(300);
});

test('the limit of a day is evaluated beside a holding whose bars never come', () => {
  const { book } = setUp(undefined, 50);
  const held = modelOf([balance('USDC', 1_000), balance('HYPE', 1)]);
  book.model({ ...held, account: { ...account, equity: 1_020 } });
  book.sample();
  book.fill(fillOf(-60));
  const after = modelOf([balance('USDC', 940), balance('HYPE', 1)]);
  book.model({ ...after, account: { ...account, equity: 960, realized_pnl: -60 } });
  book.sample();
  expect([book.dayLoss(), book.dayLimitReached()]).toEqual([60, 60]);
});

test('an instant with a missing bar is not sampled, one without it is', () => {
  const { book, prices, awaited } = setUp();
  prices.set('BTC', 100).set('HYPE/USDC', 20);
  book.model(modelOf([balance('USDC', 1_000), balance('HYPE', 10)], [long(2, 100)]));
  book.sample();
  prices.set('BTC', 90);
  for (const symbol of ['HYPE/USDC', 'BTC']) {
    awaited.add(symbol);
    book.sample();
    expect(book.dayLoss()).toBe(0);
    awaited.clear();
  }
  prices.set('HYPE/USDC', 22);
  book.sample();
  expect(book.dayLoss()).toBe(0);
  prices.set('BTC', 80);
  book.sample();
  expect(book.dayLoss()).toBe(20);
});

test('a spot holding counts as a position for limits', () => {
  const { book } = setUp();
  book.model(modelOf([balance('USDC', 400), balance('HYPE', 30)], [long(1, 100)]));
  expect(book.position('HYPE/USDC')).toBe(30);
  expect(book.position('SOL/USDC')).toBe(0);
  expect(book.exposedSymbols().toSorted()).toEqual(['BTC', 'HYPE/USDC']);
});

test('an asset of which nothing is left keeps no day from beginning, and no bar of it is waited for', () => {
  const { book, awaited, starts } = setUp(undefined, 100);
  awaited.add('HYPE/USDC');
  const balances = [balance('USDC', 1_000), balance('HYPE', 0)];
  book.model(modelOf(balances, [long(1, 100)]));
  book.sample();
  expect(starts).toMatchObject([{ day: 10, equity: 1_000 }]);
  book.fill(fillOf(-150));
  book.model(modelOf([balance('USDC', 850), balance('HYPE', 0)], [long(1, 100)]));
  book.sample();
  expect(book.dayLoss()).toBe(150);
  expect(book.dayLimitReached()).toBe(150);
});

test.each([
  ['long', 110, 10],
  ['long', 90, -10],
  ['short', 110, -10],
  ['short', 90, 10],
] as const)(
  'an asset without a price counts as in the record, beside a %s of entry 100 at %d',
  (side, mark_price, profit) => {
    const { book } = setUp();
    const position = { ...long(1, 100), side, mark_price };
    const model = modelOf([balance('USDC', 1_000), balance('SPAM', 2)], [position]);
    book.model({ ...model, account: { ...account, equity: 1_000 + profit + 50 } });
    expect(book.spotHoldings()).toEqual([{ symbol: 'SPAM/USDC', size: 2, price: 25 }]);
    expect(book.equity()).toBe(1_050 + profit);
  },
);

test('the highest trigger is that of any monitor or execution that enters on the side of the symbol', async () => {
  const one = fc.record({
    kind: fc.constantFrom('monitor', 'execution'),
    symbol: fc.constantFrom('BTC', 'ETH'),
    side: fc.constantFrom('buy', 'sell'),
    reduce_only: fc.boolean(),
    price: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
  });
  await holdLaw(200, fc.array(one, { maxLength: 5 }), (all) => {
    const { book } = setUp();
    const ofKind = (wanted: string) => all.filter(({ kind }) => kind === wanted);
    book.monitors(
      ofKind('monitor').map(({ symbol, side, reduce_only, price }, at) => ({
        monitor_id: `m${at}`,
        status: 'armed',
        trigger: { type: 'price_level', symbol, price },
        action: { type: 'order', request: { symbol, side, size: 1, reduce_only } },
      })) as unknown as MonitorRecord[],
    );
    book.executions(
      ofKind('execution').map(({ symbol, side, reduce_only, price }, at) => ({
        execution_id: `e${at}`,
        status: 'running',
        remaining_size: 1,
        symbol,
        side,
        reduce_only,
        request: { params: { trigger_price: price } },
      })) as unknown as ExecutionRecord[],
    );
    for (const symbol of ['BTC', 'ETH']) {
      for (const side of ['buy', 'sell'] as const) {
        const prices = all
          .filter((each) => each.symbol === symbol && each.side === side && !each.reduce_only)
          .map(({ price = 0 }) => price);
        expect(book.highestTrigger(symbol, side)).toBe(Math.max(0, ...prices));
      }
    }
  });
});
