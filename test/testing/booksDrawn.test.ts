/** Orders, executions, positions and money of an author's test by plain arithmetic: two symbols, both sides, in any order. */
import fc from 'fast-check';
import { concatMap, ignoreElements, merge, NEVER, tap } from 'rxjs';
import { expect, test } from 'vitest';
import {
  bulkCancel,
  cancelOrder,
  closePosition,
  launch,
  modifyOrder,
  placeOrder,
  type Intent,
} from '../../src/intents/index.ts';
import type { AccountRecord } from '../../src/contract/index.ts';
import type { OwnFill } from '../../src/strategy/index.ts';
import { testStrategy } from '../../src/testing/index.ts';
import { holdLaw, Tried } from '../holdLaw.ts';
import { isFull } from '../tiers.ts';
import { planted } from './planted.ts';

const SYMBOLS = ['BTC', 'ETH'] as const;
type Symbol = (typeof SYMBOLS)[number];
const CAPITAL = 10_000;

const drawn = fc.array(
  fc.record({
    kind: fc.constantFrom(
      'limit',
      'limit',
      'market',
      'launch',
      'close',
      'fill',
      'fill',
      'fill',
      'cancel',
      'modify',
      'bulk',
    ),
    symbol: fc.constantFrom(...SYMBOLS),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    size: fc.constantFrom(1, 2, 4),
    price: fc.constantFrom(90, 100, 110),
    /** Which of what is open. */
    which: fc.nat(9),
    /** How much of what remains. */
    share: fc.constantFrom(0.25, 0.5, 1, 1, 2),
    fee: fc.constantFrom(0, 0.5, 2),
    reduces: fc.constantFrom(false, false, false, true),
    ofAll: fc.boolean(),
  }),
  { minLength: 6, maxLength: 30 },
);

/** One order or execution, as plainly as it can be kept. */
interface Plain {
  ref: string;
  kind: 'order' | 'execution';
  symbol: Symbol;
  side: 'buy' | 'sell';
  size: number;
  price: number | null;
  reduces: boolean;
  status: 'open' | 'filled' | 'cancelled';
  filled: number;
  paid: number;
  fees: number;
}

interface Held {
  size: number;
  entry: number;
  realized: number;
  opened: number;
}

const NOTHING: Held = { size: 0, entry: 0, realized: 0, opened: 0 };

test('what is shown of orders, executions, positions and the account is what the fills make of them', async () => {
  const tried = new Tried();
  await holdLaw(120, drawn, (course) => {
    let next: Intent | undefined;
    const orders = new Map<string, { status: string; filled_size: number; size: number }>();
    const executions = new Map<string, Record<string, unknown>>();
    let fillShown: OwnFill | undefined;
    let account: AccountRecord | undefined;
    const strategy = planted((ctx) =>
      merge(
        ctx.orders$.pipe(tap(({ order }) => void orders.set(order.ref!, order as never))),
        ctx.executions$.pipe(
          tap(({ execution }) => void executions.set(execution.ref!, execution as never)),
        ),
        ctx.fills$.pipe(tap((fill) => (fillShown = fill))),
        ctx.account$.pipe(tap((shown) => (account = shown))),
      ).pipe(ignoreElements(), (seen$) =>
        merge(seen$, ctx.price('BTC').pipe(concatMap(() => (next === undefined ? [] : [next])))),
      ),
    );
    const bot = testStrategy(strategy, { symbols: [...SYMBOLS], capital: CAPITAL });
    const all: Plain[] = [];
    const held = new Map<Symbol, Held>();
    const marks = new Map<Symbol, number>();
    const sums = { fees: 0, realized: 0 };
    let count = 0;

    const emit = (intent: Intent): void => {
      next = intent;
      bot.price('BTC', 100);
      marks.set('BTC', 100);
      next = undefined;
      bot.accept(bot.intents.at(-1)!);
    };
    const opposite = ({ symbol, side, size }: Pick<Plain, 'symbol' | 'side' | 'size'>): boolean => {
      const position = held.get(symbol)?.size ?? 0;
      return side === 'buy' ? position <= -size : position >= size;
    };
    const place = (plain: Omit<Plain, 'ref' | 'status' | 'filled' | 'paid' | 'fees'>): string => {
      const ref = `ref-${count++}`;
      all.push({ ...plain, ref, status: 'open', filled: 0, paid: 0, fees: 0 });
      return ref;
    };
    const book = (
      symbol: Symbol,
      delta: number,
      { price, fee }: { price: number; fee: number },
    ) => {
      const { size, entry, realized, opened } = held.get(symbol) ?? NOTHING;
      const after = size + delta;
      const closes = size * delta < 0 ? Math.min(Math.abs(size), Math.abs(delta)) : 0;
      const profit = closes * (price - entry) * Math.sign(size);
      const opens = Math.abs(delta) - closes;
      sums.realized += profit;
      sums.fees += fee;
      marks.set(symbol, price);
      const turns = size * after < 0 || size === 0;
      const value = (turns ? 0 : (Math.abs(size) - closes) * entry) + opens * price;
      if (after === 0) held.delete(symbol);
      else
        held.set(symbol, {
          size: after,
          entry: opens === 0 ? entry : value / Math.abs(after),
          realized: turns ? 0 : realized + profit,
          opened: turns ? bot.now : opened,
        });
    };

    for (const { kind, symbol, side, size, price, which, share, fee, reduces, ofAll } of course) {
      bot.advance('1s');
      const open = all.filter(({ status }) => status === 'open');
      const openOrders = open.filter((one) => one.kind === 'order');
      if (kind === 'limit' || kind === 'market') {
        // The service refuses what would reduce nothing.
        const position = held.get(symbol)?.size ?? 0;
        if (reduces && (side === 'buy' ? position >= 0 : position <= 0)) continue;
        const isLimit = kind === 'limit';
        const ref = place({
          kind: 'order',
          symbol,
          side,
          size,
          price: isLimit ? price : null,
          reduces,
        });
        const request = { symbol, side, size, ...(reduces && { reduce_only: true }) };
        emit(
          isLimit
            ? placeOrder.limit({ ...request, price }, { ref })
            : placeOrder.market(request, { ref }),
        );
      } else if (kind === 'launch') {
        const ref = place({ kind: 'execution', symbol, side, size, price: null, reduces });
        const params = { duration_seconds: 600 };
        const request = {
          symbol,
          side,
          total_size: size,
          params,
          ...(reduces && { reduce_only: true }),
        };
        emit(launch.pacemaker(request, { ref }));
      } else if (kind === 'close') {
        const position = held.get(symbol);
        if (position === undefined) continue;
        const closing = position.size > 0 ? ('sell' as const) : ('buy' as const);
        const ref = place({
          kind: 'order',
          symbol,
          side: closing,
          size: Math.abs(position.size),
          price: null,
          reduces: true,
        });
        emit(closePosition.atMarket(symbol, {}, { ref }));
      } else if (kind === 'bulk') {
        emit(bulkCancel(ofAll ? {} : { symbol }, { ref: `bulk-${count++}` }));
        for (const one of openOrders) if (ofAll || one.symbol === symbol) one.status = 'cancelled';
        tried.take('bulk');
      } else if (kind === 'cancel' || kind === 'modify') {
        const limits = openOrders.filter((one) => one.price !== null);
        if (limits.length === 0) continue;
        const one = limits[which % limits.length]!;
        const ref = `change-${count++}`;
        if (kind === 'cancel') {
          emit(cancelOrder({ ref: one.ref }, { ref }));
          one.status = 'cancelled';
        } else {
          emit(modifyOrder({ ref: one.ref }, { price, size: one.filled + size }, { ref }));
          Object.assign(one, { price, size: one.filled + size });
        }
      } else {
        if (all.length === 0) continue;
        const one = all[which % all.length]!;
        const rest = one.size - one.filled;
        const filling = rest * share;
        const isAllowed =
          one.status === 'open' &&
          share <= 1 &&
          (!one.reduces || opposite({ ...one, size: filling }));
        const hasPrice = one.price === null;
        const fill = () => bot.fill(one.ref, { size: filling, fee, ...(hasPrice && { price }) });
        // The service fills in steps of the size.
        const steps = filling * 1e5;
        const isOnGrid = Math.abs(steps - Math.round(steps)) < 1e-6;
        if (!isAllowed || !isOnGrid || filling === 0) {
          expect(fill).toThrow();
          tried.take('refused fill');
          continue;
        }
        fill();
        const paid = one.price ?? price;
        book(one.symbol, one.side === 'buy' ? filling : -filling, { price: paid, fee });
        one.filled += filling;
        one.paid += filling * paid;
        one.fees += fee;
        if (one.filled === one.size) one.status = 'filled';
        const execution = executions.get(one.ref)?.['execution_id'] ?? null;
        expect(fillShown).toMatchObject({
          ref: one.ref,
          liquidity: one.price === null ? 'taker' : 'maker',
          execution_id: execution,
        });
        const unrealized = [...held].reduce(
          (sum, [of, { size: now, entry }]) => sum + now * (marks.get(of)! - entry),
          0,
        );
        expect(account).toMatchObject({
          realized_pnl: expect.closeTo(sums.realized, 8),
          unrealized_pnl: expect.closeTo(unrealized, 8),
          fees_paid: expect.closeTo(sums.fees, 8),
          equity: expect.closeTo(CAPITAL + sums.realized - sums.fees + unrealized, 8),
        });
        tried.take(one.status === 'filled' ? 'filled' : 'part');
      }
      for (const one of all) {
        const average = one.filled === 0 ? null : expect.closeTo(one.paid / one.filled, 8);
        if (one.kind === 'order')
          expect(orders.get(one.ref)).toMatchObject({
            status: one.status,
            size: one.size,
            filled_size: one.filled,
            average_price: average,
            side: one.side,
            reduce_only: one.reduces,
          });
        else
          expect(executions.get(one.ref)).toMatchObject({
            status: one.status === 'filled' ? 'completed' : 'running',
            filled_size: one.filled,
            remaining_size: one.size - one.filled,
            average_price: average,
            fees: one.fees,
            side: one.side,
            reduce_only: one.reduces,
          });
      }
      for (const each of SYMBOLS) {
        const one = held.get(each);
        if (one === undefined) expect(bot.positionOf(each)).toBeNull();
        else
          expect(bot.positionOf(each)).toMatchObject({
            side: one.size > 0 ? 'long' : 'short',
            size: Math.abs(one.size),
            entry_price: expect.closeTo(one.entry, 8),
            realized_pnl: expect.closeTo(one.realized, 8),
            opened_time: one.opened,
          });
      }
      if (kind === 'close') tried.take('closed');
    }
  });
  const kinds = ['bulk', 'refused fill', 'filled', 'part', 'closed'];
  if (isFull) expect(tried.rare(kinds, 10)).toEqual([]);
});

test('a position that is set is of its side, and symbols have their own', () => {
  const bot = testStrategy(
    planted(() => NEVER),
    { symbols: [...SYMBOLS] },
  );
  bot.position('ETH', { side: 'short', size: 3, entry_price: 90 });
  expect(bot.positionOf('ETH')).toMatchObject({ side: 'short', size: 3, entry_price: 90 });
  expect(bot.positionOf('BTC')).toBeNull();
  bot.foreignFill({ symbol: 'ETH', side: 'buy', price: 80, size: 3 });
  expect(bot.positionOf('ETH')).toBeNull();
});

test('spans of time have their units, in whole milliseconds', () => {
  const bot = testStrategy(
    planted(() => NEVER),
    { symbols: ['BTC'] },
  );
  let now = bot.now;
  for (const [span, ms] of [
    ['1ms', 1],
    ['1s', 1_000],
    ['1.5m', 90_000],
    ['1h', 3_600_000],
    ['1d', 86_400_000],
    ['1w', 604_800_000],
    [250, 250],
  ] as const) {
    now += ms;
    expect(bot.advance(span).now).toBe(now);
  }
  for (const span of ['0.5ms', 0.5, -1, '1x', '', 'm'] as const)
    expect(() => bot.advance(span as never)).toThrow('is no span of time');
});

test.each([
  { open: 10, high: 12, low: 10.5, close: 11 },
  { open: 10, high: 10.5, low: 9, close: 11 },
  { open: 10, high: 12, low: 9, close: 0 },
  { open: 10, high: 12, low: 9, close: 11, volume: -1 },
])('a bar that cannot be is refused: %j', (bar) => {
  const strategy = planted((ctx) => ctx.candles('BTC', '5m').pipe(ignoreElements()));
  const bot = testStrategy(strategy, { symbols: ['BTC'] });
  expect(() => bot.bars('BTC', '5m', [bar])).toThrow('bars of BTC 5m');
});
