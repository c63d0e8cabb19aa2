import { concatMap, filter, from, ignoreElements, map, merge, NEVER, tap } from 'rxjs';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { FillRecord, MonitorRecord, OrderRecord } from '../../src/contract/index.ts';
import { launch, placeOrder, type Intent } from '../../src/intents/index.ts';
import {
  outcomeOf,
  type Emission,
  type Funding,
  type Outcome,
  type StrategyContext,
} from '../../src/strategy/index.ts';
import type { BookTick, MarketTick } from '../../src/streams/index.ts';
import { runStrategy, START } from '../strategies/runStrategy.ts';
import { planted } from '../testing/planted.ts';

type Ctx = StrategyContext<Record<string, unknown>>;

const buy = (ref?: string): Intent =>
  placeOrder.limit(
    { symbol: 'BTC', side: 'buy', size: 2, price: 90 },
    ref === undefined ? {} : { ref },
  );
const orderOf = (id: string, over: Partial<OrderRecord> = {}): OrderRecord =>
  ({
    order_id: id,
    symbol: 'BTC',
    size: 2,
    filled_size: 0,
    status: 'open',
    updated_time: START,
    ...over,
  }) as OrderRecord;
const fillOf = (id: string, size: number, over: Partial<FillRecord> = {}): FillRecord =>
  ({ fill_id: id, order_id: 'o1', symbol: 'BTC', size, time: START + 1, ...over }) as FillRecord;

/** Reads from a context at each bar. */
function reading<T>(read: (ctx: Ctx) => T) {
  const seen: T[] = [];
  const run = runStrategy(
    planted((ctx) =>
      ctx.candles('BTC', '1m').pipe(
        tap(() => seen.push(read(ctx))),
        ignoreElements(),
      ),
    ),
  );
  return { run, seen };
}

describe('open orders', () => {
  test('are those of the symbol that the service shows now, with what is left', () => {
    const { run, seen } = reading((ctx) =>
      ctx.openOrders('BTC').map(({ order_id: id, ref, remaining_size: left }) => [id, ref, left]),
    );
    const { orders$ } = run.sources;
    orders$.next({ event: 'snapshot', order: { ...orderOf('o1'), ref: 'one' } });
    orders$.next({ event: 'changed', order: orderOf('o2', { symbol: 'ETH' }) });
    run.bars(100);
    orders$.next({ event: 'changed', order: orderOf('o3', { filled_size: 0.5 }) });
    orders$.next({ event: 'changed', order: orderOf('o1', { status: 'cancelled' }) });
    run.bars(100);
    orders$.next({ event: 'gone', order: orderOf('o3') });
    run.bars(100);
    expect(seen).toEqual([[['o1', 'one', 2]], [['o3', undefined, 1.5]], []]);
  });

  test('cost nothing as long as they are not requested', () => {
    const { run } = reading(() => undefined);
    run.bars(100, 101);
    const { orders$, refs$, monitors$, balances$, market$, book$, funding$ } = run.sources;
    for (const source of [orders$, refs$, monitors$, balances$, market$, book$, funding$])
      expect(source.observed).toBe(false);
  });
});

describe('a ref', () => {
  /** Buys once under a ref, and reads it at each bar. */
  const twice = (early: boolean) => {
    const seen: unknown[] = [];
    const run = runStrategy(
      planted((ctx) => {
        if (early) ctx.byRef('one');
        return ctx.candles('BTC', '1m').pipe(
          concatMap((_, index) => {
            if (index > 0) {
              const { state, filled, remaining, ended, fills, order } = ctx.byRef('one');
              seen.push([state, filled, remaining, ended, fills.length, order?.status]);
            }
            return index === 0 ? [buy('one')] : [];
          }),
        );
      }),
    );
    run.bars(100);
    return { run, seen, emission: run.emissions[0]! };
  };
  const news = ({ decisionKey }: Emission) => ({ ref: 'one', decisionKey });

  test.each([true, false])('is known, whether it was read before: %s', (early) => {
    const { run, seen, emission } = twice(early);
    const { refs$ } = run.sources;
    run.outcome(emission, 'accepted');
    run.bars(100);
    refs$.next({ ...news(emission), kind: 'fill', fill: fillOf('f1', 0.5) });
    run.bars(100);
    refs$.next({ ...news(emission), kind: 'order', order: orderOf('o1', { filled_size: 0.5 }) });
    refs$.next({ ...news(emission), kind: 'gone', id: 'o1' });
    run.bars(100);
    expect(seen).toEqual([
      ['accepted', 0, 2, false, 0, undefined],
      ['accepted', 0.5, 1.5, false, 1, undefined],
      ['accepted', 0.5, 1.5, true, 1, 'open'],
    ]);
  });

  test('of an intent that was never sent has ended', () => {
    const { run, seen, emission } = twice(false);
    run.outcome(emission, 'denied', { guard: 'max_position_notional' });
    run.bars(100);
    expect(seen).toEqual([['denied', 0, 2, true, 0, undefined]]);
  });

  test('that was never used is empty, and reports its first change', () => {
    const { run, seen } = reading((ctx) => {
      const { changes$: _changes, ...state } = ctx.byRef('nothing');
      return state;
    });
    run.bars(100);
    expect(seen).toEqual([
      {
        ref: 'nothing',
        state: undefined,
        outcome: undefined,
        order: null,
        executions: [],
        monitor: null,
        fills: [],
        size: 0,
        filled: 0,
        remaining: 0,
        ended: false,
      },
    ]);
  });

  test('that is used again is that of the newest intent', () => {
    const seen: unknown[] = [];
    const run = runStrategy(
      planted((ctx) =>
        ctx.candles('BTC', '1m').pipe(
          concatMap(() => {
            seen.push([ctx.byRef('one').state, ctx.byRef('one').filled]);
            return [buy('one')];
          }),
        ),
      ),
    );
    run.bars(100);
    const [first] = run.emissions;
    run.outcome(first!, 'accepted');
    run.sources.refs$.next({ ...news(first!), kind: 'fill', fill: fillOf('f1', 2) });
    run.bars(100);
    const second = run.emissions[1]!;
    run.outcome(second, 'sending');
    run.sources.refs$.next({ ...news(first!), kind: 'fill', fill: fillOf('f2', 2) });
    run.outcome(first!, 'unknown');
    run.bars(100);
    expect(seen).toEqual([
      [undefined, 0],
      ['accepted', 2],
      ['sending', 0],
    ]);
  });

  test('is not touched by warm-up, which decides old bars again', () => {
    const seen: unknown[] = [];
    const run = runStrategy(
      planted((ctx) =>
        ctx.candles('BTC', '1m').pipe(
          concatMap(() => {
            seen.push(ctx.byRef('one').state);
            return [buy('one')];
          }),
        ),
      ),
      { history: [] },
    );
    run.bars(100);
    const [emission] = run.emissions;
    run.outcome(emission!, 'accepted');
    run.outcome(emission!, 'denied', { guard: 'warm_up' });
    run.outcome(emission!, 'duplicate');
    run.bars(100);
    expect(seen).toEqual([undefined, 'accepted']);
  });

  test('changes in turns of its own, named after what changed it, with the view up to date', () => {
    const run = runStrategy(
      planted((ctx) => {
        const { changes$ } = ctx.byRef('one');
        const sells$ = changes$.pipe(
          filter(({ filled }) => filled > 0),
          map(({ filled }) => {
            expect(ctx.byRef('one').filled).toBe(filled);
            return placeOrder.market({ symbol: 'BTC', side: 'sell', size: filled });
          }),
        );
        return merge(sells$, ctx.candles('BTC', '1m').pipe(map(() => buy('one'))));
      }),
    );
    run.bars(100);
    const [emission] = run.emissions;
    run.sources.refs$.next({ ...news(emission!), kind: 'fill', fill: fillOf('f1', 0.5) });
    const order = orderOf('o1', { filled_size: 0.75, updated_time: 7 });
    run.sources.refs$.next({ ...news(emission!), kind: 'order', order });
    run.outcome(emission!, 'accepted');
    expect(run.emissions.slice(1).map(({ cause }) => cause)).toEqual([
      'ref:one:fill:f1',
      'ref:one:order:o1:open:0.75:7',
      `ref:one:main:test:bar:BTC:1m:${START}:0:accepted`,
    ]);
    expect(run.emissions[1]!.trigger).toMatchObject({ ref: { ref: 'one', filled: 0.5 } });
    expect(run.emissions[1]!.causeTime).toBe(START + 1);
  });
});

describe('own streams', () => {
  test('orders, monitors and balances are causes, each named by its data', () => {
    const run = runStrategy(
      planted((ctx) => merge(ctx.orders$, ctx.monitors$, ctx.balances$).pipe(map(() => buy()))),
    );
    const { orders$, monitors$, balances$ } = run.sources;
    const monitor = (id: string, symbol: string) =>
      ({
        monitor_id: id,
        trigger: { type: 'price' },
        action: { type: 'order', request: { symbol } },
        status: 'fired',
      }) as unknown as MonitorRecord;
    orders$.next({ event: 'changed', order: orderOf('o1') });
    orders$.next({ event: 'changed', order: orderOf('o2', { symbol: 'ETH' }) });
    orders$.next({ event: 'gone', order: orderOf('o1') });
    monitors$.next({ event: 'fired', monitor: monitor('m1', 'BTC') });
    monitors$.next({ event: 'fired', monitor: monitor('m2', 'ETH') });
    balances$.next([{ asset: 'USDC', total: 5, available: 5, held: 0 }]);
    expect(run.emissions.map(({ cause }) => cause)).toEqual([
      `order:o1:open:0:${START}`,
      `order:o1:gone:${START}`,
      `monitor:m1:fired:${START}`,
      `balances:${START}`,
    ]);
  });

  test('a symbol and interval are warm once as many bars as `warmup` asks for have closed', () => {
    const seen: boolean[][] = [];
    const run = runStrategy(
      planted(
        (ctx) => {
          const look = () => seen.push([ctx.isWarm('BTC', '1m'), ctx.isWarm('BTC', '5m')]);
          look();
          return ctx.candles('BTC', '1m').pipe(tap(look), ignoreElements());
        },
        { warmup: 3 },
      ),
      { history: [1, 2], ownWarmup: true },
    );
    run.bars(3, 4);
    expect(seen.map(([first]) => first)).toEqual([false, false, false, true, true]);
    expect(seen.every(([, other]) => other === false)).toBe(true);
  });
});

describe('market data', () => {
  const record = (time: number, funding_rate: number, next_funding_time = 3_600_000): MarketTick =>
    ({ symbol: 'BTC', mark: 100, index: 100, funding_rate, next_funding_time, time }) as MarketTick;

  test('funding changes with the rate, the next settlement and a payment of the symbol', () => {
    const seen: Funding[] = [];
    const run = runStrategy(
      planted((ctx) =>
        ctx.funding('BTC').pipe(
          tap((value) => seen.push(value)),
          map(() => buy()),
        ),
      ),
    );
    const { market$, funding$ } = run.sources;
    funding$.next({ symbol: 'BTC', amount: 1, time: START - 5 });
    market$.next(record(START, 0.0001));
    market$.next(record(START + 1, 0.0001));
    funding$.next({ symbol: 'ETH', amount: 7, time: START + 2 });
    funding$.next({ symbol: 'BTC', amount: 2.5, time: START + 3 });
    market$.next(record(START + 4, -0.0002, 7_200_000));
    expect(seen).toMatchObject([
      { rate: 0.0001, next_time: 3_600_000, paid: 1, last: { amount: 1 }, time: START },
      { rate: 0.0001, paid: 3.5, last: { amount: 2.5, time: START + 3 }, time: START + 3 },
      { rate: -0.0002, next_time: 7_200_000, paid: 3.5, time: START + 4 },
    ]);
    expect(run.emissions.map(({ cause }) => cause)).toEqual([
      'funding:BTC:3600000:0.0001',
      `funding:BTC:paid:${START + 3}`,
      'funding:BTC:7200000:-0.0002',
    ]);
  });

  test('a record and a book are causes of their time', () => {
    const run = runStrategy(
      planted((ctx) => merge(ctx.market('BTC'), ctx.book('BTC', 5)).pipe(map(() => buy()))),
    );
    const { market$, book$ } = run.sources;
    market$.next(record(START + 7, 0));
    const levels = { bids: [[99, 1]], asks: [[101, 2]] } as Pick<BookTick, 'bids' | 'asks'>;
    book$.next({ symbol: 'BTC', ...levels, time: START + 9, source: 'recorded' });
    expect(run.emissions.map(({ cause, causeTime }) => [cause, causeTime])).toEqual([
      [`market:BTC:${START + 7}`, START + 7],
      [`book:BTC:1:${START + 9}`, START + 9],
    ]);
    expect(run.emissions[1]!.trigger).toMatchObject({
      book: { bid: [99, 1], ask: [101, 2], source: 'recorded' },
    });
  });

  test.each([0, 51, 1.5])('a depth of %s is refused', (depth) => {
    const { host } = runStrategy(planted((ctx) => ctx.book('BTC', depth)));
    const fault = { kind: 'setup_failed', code: 'TRIMTAB_BOOK_DEPTH' };
    expect(host.status).toMatchObject({ state: 'quarantined', fault });
  });
});

describe('an outcome', () => {
  test('has the record of its intent’s kind', () => {
    const ids: unknown[] = [];
    const run = runStrategy(
      planted((ctx) =>
        merge(
          ctx.candles('BTC', '1m').pipe(
            concatMap(() => {
              const params = { duration_seconds: 60 };
              return from([
                buy(),
                launch.pacemaker({ symbol: 'BTC', side: 'buy', total_size: 1, params }),
              ]);
            }),
          ),
          ctx.outcomes$.pipe(
            filter(outcomeOf('launch')),
            tap(({ intent, record }) => {
              expectTypeOf(intent.kind).toEqualTypeOf<'launch'>();
              expectTypeOf(record?.execution_id).toEqualTypeOf<string | undefined>();
              ids.push(record?.execution_id);
            }),
            ignoreElements(),
          ),
          NEVER,
        ),
      ),
    );
    run.bars(100);
    const [order, execution] = run.emissions;
    run.outcome(order!, 'accepted', { record: { order_id: 'o1' } as Outcome['record'] & object });
    run.outcome(execution!, 'accepted', {
      record: { execution_id: 'e1' } as Outcome['record'] & object,
    });
    expect(ids).toEqual(['e1']);
    // One of a kind is an outcome like any other.
    expectTypeOf((outcome: Outcome<'launch'>): Outcome => outcome).toBeFunction();
  });
});
