import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Side } from '../../../src/contract/index.ts';
import { coverOf, createCoverage } from '../../../src/runtime/wallet/createCoverage.ts';
import { createExposure } from '../../../src/runtime/wallet/createExposure.ts';
import { createWalletBook } from '../../../src/runtime/wallet/createWalletBook.ts';
import { holdLaw } from '../../holdLaw.ts';
import { account } from '../../streams/records.ts';

/** A wallet's books against sums over lists: two wallets, perpetuals and spot, longs and shorts. */

const WALLETS = ['main', 'side'];
const SYMBOLS = ['BTC', 'ETH', 'SOL/USDC'];
const SIDES: readonly Side[] = ['buy', 'sell'];
const symbol = fc.constantFrom(...SYMBOLS);
const side = fc.constantFrom(...SIDES);
const size = fc.integer({ min: 1, max: 5 });
const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);

describe('what is in flight', () => {
  const key = fc.constantFrom('a', 'b', 'c');
  /** Records of a launch of the key: a basket has several. */
  const ids = (of: string): string[] => [`${of}1`, `${of}2`, `${of}3`];
  const op = fc.oneof(
    fc.record({
      op: fc.constant('add' as const),
      key,
      wallet: fc.constantFrom(...WALLETS),
      entries: fc.array(fc.record({ symbol, side, size }), { maxLength: 3 }),
      rows: fc.nat({ max: 2 }),
      executions: fc.nat({ max: 3 }),
    }),
    fc.record({
      op: fc.constant('becomes' as const),
      key,
      count: fc.integer({ min: 1, max: 3 }),
      isNamed: fc.boolean(),
    }),
    fc.record({ op: fc.constant('seen' as const), key, at: fc.nat({ max: 3 }) }),
    fc.record({ op: fc.constant('shown' as const), wallet: fc.constantFrom(...WALLETS) }),
    fc.record({ op: fc.constant('wait' as const), ms: fc.constantFrom(1, 29_999, 30_000, 30_001) }),
    fc.record({ op: fc.constant('remove' as const), key }),
  );
  interface Item {
    wallet: string;
    entries: ReadonlyArray<{ symbol: string; side: Side; size: number }>;
    rows: number;
    executions: number;
    answered?: { at: number; left: string[]; name: string | undefined };
  }

  test('counts whole until every record of it was shown, by whichever name, early or late', async () => {
    await holdLaw(800, fc.array(op, { minLength: 2, maxLength: 16 }), (ops) => {
      const exposure = createExposure();
      const open = new Map<string, Item>();
      const early = new Set<string>();
      let now = 1_000;
      const end = (of: string): void => {
        open.delete(of);
        if (open.size === 0) early.clear();
      };
      for (const one of ops) {
        if (one.op === 'wait') now += one.ms;
        if (one.op === 'add' && !open.has(one.key)) {
          const { entries, rows, executions } = one;
          exposure.add(one.key, one.wallet, { entries, rows, executions });
          if (entries.length + rows + executions > 0) open.set(one.key, { ...one });
        }
        if (one.op === 'becomes' && open.get(one.key)?.answered === undefined) {
          const names = ids(one.key).slice(0, one.count);
          const name = one.isNamed ? `client:${one.key}` : undefined;
          exposure.becomes(one.key, names, now, { clientName: name });
          const item = open.get(one.key);
          if (item !== undefined) {
            const left = names.filter((id) => !early.delete(id));
            item.answered = { at: now, left, name };
            if (left.length === 0 || (name !== undefined && early.delete(name))) end(one.key);
          }
        }
        if (one.op === 'seen') {
          const name = [...ids(one.key), `client:${one.key}`][one.at]!;
          exposure.seen(name);
          const of = [...open].find(
            ([, { answered }]) => answered?.left.includes(name) || answered?.name === name,
          );
          if (of === undefined) {
            if (open.size > 0) early.add(name);
          } else {
            const { answered } = of[1];
            answered!.left = answered!.left.filter((id) => id !== name);
            if (answered!.left.length === 0 || answered!.name === name) end(of[0]);
          }
        }
        if (one.op === 'shown') {
          exposure.shown(one.wallet, 'order', now);
          for (const [of, { wallet, answered }] of open)
            if (wallet === one.wallet && answered && now - answered.at >= 30_000) end(of);
        }
        if (one.op === 'remove') {
          exposure.remove(one.key);
          if (open.has(one.key)) end(one.key);
        }
        for (const wallet of WALLETS) {
          const items = [...open.values()].filter((item) => item.wallet === wallet);
          const entries = items.flatMap((item) => item.entries);
          expect(exposure.rows(wallet)).toBe(sum(items.map(({ rows }) => rows)));
          // As many of it as records that were not shown, once they have names.
          const starting = items.map(({ executions, answered }) =>
            answered === undefined ? executions : Math.min(executions, answered.left.length),
          );
          expect(exposure.executions(wallet)).toBe(sum(starting));
          expect(new Set(exposure.symbols(wallet))).toEqual(new Set(entries.map((e) => e.symbol)));
          for (const of of SYMBOLS)
            for (const on of SIDES) {
              const both = entries.filter((e) => e.symbol === of && e.side === on);
              expect(exposure.pending(wallet, of, on)).toBe(sum(both.map((e) => e.size)));
            }
        }
      }
    });
  });
});

describe('a wallet’s book', () => {
  const flag = fc.boolean();
  const order = fc.record({
    symbol,
    side,
    size: fc.constant(5),
    filled_size: fc.nat({ max: 4 }),
    reduce_only: flag,
    execution_id: fc.constantFrom(undefined, null, 'parent'),
    client_order_id: fc.constantFrom(undefined, 'c'),
  });
  const execution = fc.record({
    symbol,
    side,
    remaining_size: size,
    reduce_only: flag,
    status: fc.constantFrom('running', 'paused', 'interrupted', 'completed', 'failed'),
    client_execution_id: fc.constantFrom(undefined, 'e', 'f'),
    updated_time: fc.nat({ max: 3 }),
  });
  const monitor = fc.record({
    status: fc.constantFrom('armed', 'paused', 'fired', 'stopped'),
    level: fc.constantFrom(undefined, 90, 150),
    on: symbol,
    request: fc.record({
      symbol,
      side,
      reduce_only: fc.constantFrom(undefined, null, false, true),
      amount: size,
      isLaunch: flag,
    }),
  });
  const position = fc.record({
    symbol: fc.constantFrom('BTC', 'ETH', 'XRP'),
    side: fc.constantFrom('long', 'short'),
    size,
    entry_price: fc.integer({ min: 90, max: 110 }),
    mark_price: fc.constant(100),
    leverage: fc.constantFrom(undefined, null, 1, 5),
  });
  const drawn = fc.record({
    orders: fc.array(order, { maxLength: 4 }),
    executions: fc.array(execution, { maxLength: 4 }),
    monitors: fc.array(monitor, { maxLength: 3 }),
    positions: fc.uniqueArray(position, { selector: (one) => one.symbol, maxLength: 3 }),
    cash: fc.integer({ min: -50, max: 500 }),
    sol: fc.nat({ max: 4 }),
    prices: fc.record({
      BTC: fc.integer({ min: 80, max: 120 }),
      'SOL/USDC': fc.integer({ min: 5, max: 9 }),
    }),
    fills: fc.array(
      fc.record({ fee: fc.nat({ max: 3 }), closed_pnl: fc.constantFrom(undefined, null, -2, 4) }),
      { maxLength: 3 },
    ),
    funding: fc.array(fc.integer({ min: -2, max: 2 }), { maxLength: 2 }),
  });

  test('adds up what is held, rests and may fire, on each side of each symbol', async () => {
    await holdLaw(500, drawn, (one) => {
      const prices: Readonly<Record<string, number>> = one.prices;
      const book = createWalletBook({
        priceOf: (of) => prices[of],
        isListed: () => false,
        isAwaited: () => false,
        now: () => 7,
      });
      const record = {
        ...account,
        equity: 1,
        used_margin: 40,
        available_margin: 20,
        realized_pnl: 10,
        fees_paid: 20,
        funding_paid: 30,
      };
      const keyed = <T extends object>(all: readonly T[], name: string) =>
        all.map((each, at) => ({ ...each, [name]: `${name}${at}` }));
      const orders = keyed(one.orders, 'order_id');
      book.model({
        wallet: 'main',
        complete: true,
        account: record,
        positions: new Map(one.positions.map((each) => [each.symbol, each])),
        openOrders: new Map(orders.map((each) => [each['order_id' as never] as string, each])),
        balances: new Map([
          ['USDC', { asset: 'USDC', total: one.cash }],
          ['SOL', { asset: 'SOL', total: one.sol }],
        ]),
      } as never);
      const executions = keyed(one.executions, 'execution_id');
      book.executions(executions as never);
      const monitors = keyed(one.monitors, 'monitor_id').map((each) => {
        const { request, level, on } = each as (typeof one.monitors)[number];
        const { amount, isLaunch, ...asked } = request;
        const by = isLaunch ? { total_size: amount } : { size: amount };
        const trigger =
          level === undefined
            ? { type: 'indicator_level', symbol: on, interval: '1h', indicator: 'ema' }
            : { type: 'price_level', symbol: on, price: level };
        const type = isLaunch ? 'execute' : 'order';
        return { ...each, trigger, action: { type, request: { ...asked, ...by } } };
      });
      book.monitors(monitors as never);
      const filled = one.fills.map((fill) => ({ symbol: 'BTC', ...fill }));
      for (const fill of filled) book.fill(fill as never);
      for (const amount of one.funding) book.funding(amount);

      const live = one.executions.filter((each, at) => {
        const isNewest = one.executions.every(
          (other, index) =>
            each.client_execution_id === undefined ||
            other.client_execution_id !== each.client_execution_id ||
            other.updated_time < each.updated_time ||
            (other.updated_time === each.updated_time && index <= at),
        );
        return isNewest && ['running', 'paused', 'interrupted'].includes(each.status);
      });
      const armed = one.monitors.filter(
        ({ status, request }) =>
          ['armed', 'paused'].includes(status) && request.reduce_only !== true,
      );
      for (const of of SYMBOLS)
        for (const on of SIDES) {
          const isOne = (each: { symbol: string; side: string }): boolean =>
            each.symbol === of && each.side === on;
          const resting = [
            ...one.orders
              .filter((each) => isOne(each) && !each.reduce_only && each.execution_id == null)
              .map((each) => each.size - each.filled_size),
            ...live
              .filter((each) => isOne(each) && !each.reduce_only)
              .map((each) => each.remaining_size),
            ...armed.filter(({ request }) => isOne(request)).map(({ request }) => request.amount),
          ];
          expect(book.resting(of, on)).toBe(sum(resting));
          const levels = armed
            .filter(({ request, on: watched }) => isOne(request) && watched === of)
            .map(({ level = 0 }) => level);
          expect(book.highestTrigger(of, on)).toBe(Math.max(0, ...levels));
        }
      expect(book.runningExecutions()).toBe(
        live.filter(({ status }) => status === 'running').length,
      );
      expect(book.armedExecutions()).toBe(armed.filter(({ request }) => request.isLaunch).length);
      expect(book.liveExecutions().length).toBe(live.length);
      expect(book.entryMonitors().length).toBe(armed.length);
      const exposed = [
        ...one.positions.map((each) => each.symbol),
        ...(one.sol > 0 ? ['SOL/USDC'] : []),
        ...one.orders.map((each) => each.symbol),
        ...live.map((each) => each.symbol),
        ...armed.map(({ request }) => request.symbol),
      ];
      expect(new Set(book.exposedSymbols())).toEqual(new Set(exposed));
      expect(book.position('SOL/USDC')).toBe(one.sol);
      for (const each of one.positions)
        expect(book.position(each.symbol)).toBe(each.side === 'short' ? -each.size : each.size);
      const priceOf = (of: string): number => prices[of] ?? 100;
      const open = sum(
        one.positions.map(
          (each) =>
            (priceOf(each.symbol) - each.entry_price) *
            each.size *
            (each.side === 'short' ? -1 : 1),
        ),
      );
      const equity = one.cash + one.sol * prices['SOL/USDC']! + open;
      // Since the record, at whose prices the service has counted: 100 each.
      const moved = sum(
        one.positions.map(
          (each) => (each.size * (priceOf(each.symbol) - 100)) / (each.leverage ?? 1),
        ),
      );
      const earned = sum(
        one.positions.map(
          (each) => (priceOf(each.symbol) - 100) * each.size * (each.side === 'short' ? -1 : 1),
        ),
      );
      expect(book.equity()).toBeCloseTo(equity, 9);
      expect(book.account()).toMatchObject({
        equity: expect.closeTo(equity, 9),
        used_margin: expect.closeTo(Math.max(0, 40 + moved), 9),
        available_margin: expect.closeTo(Math.max(0, 20 + earned - moved), 9),
        unrealized_pnl: expect.closeTo(open, 9),
        realized_pnl: 10 + sum(one.fills.map(({ closed_pnl: pnl }) => pnl ?? 0)),
        fees_paid: 20 + sum(one.fills.map(({ fee }) => fee)),
        funding_paid: 30 + sum(one.funding),
        time: 7,
      });
    });
  });

  const HOUR_MS = 3_600_000;
  test('the day’s loss is measured from the equity with which the day before ended, across restarts', async () => {
    const limits = fc.constantFrom(undefined, 1, 1, 4, 9);
    const step = fc.record({
      hours: fc.constantFrom(0, 0, 0, 1, 1, 11, 12, 23, 24, 30),
      equity: fc.integer({ min: 0, max: 9 }),
      isRestart: fc.constantFrom(false, false, true),
      // A new process may have another limit.
      limitOfNext: limits,
    });
    const steps = fc.array(step, { minLength: 2, maxLength: 12 });
    await holdLaw(500, fc.tuple(steps, limits), ([all, first]) => {
      let limit = first;
      let now = 100 * 24 * HOUR_MS;
      let written: { day: number; equity: number; lost?: number } | undefined;
      const open = () =>
        createWalletBook({
          priceOf: () => undefined,
          isListed: () => false,
          isAwaited: () => false,
          now: () => now,
          limit,
          dayStart: written,
          onDayStart: (start) => void (written = start),
        });
      let book = open();
      let start: { day: number; equity: number } | undefined;
      let last: number | undefined;
      let recorded = account;
      let reached: number | undefined;
      for (const { hours, equity, isRestart, limitOfNext } of all) {
        if (isRestart) {
          limit = limitOfNext;
          book = open();
          last = undefined;
        }
        // What was earned or lost comes as a fill; the first record of a process has that of before.
        if (last === undefined) recorded = { ...account, equity, realized_pnl: equity };
        const change = last === undefined ? [] : [equity - last];
        const trades = change.map((closed_pnl) => ({ symbol: 'BTC', fee: 0, closed_pnl }));
        for (const trade of trades) book.fill(trade as never);
        now += hours * HOUR_MS;
        const day = Math.floor(now / (24 * HOUR_MS));
        book.model({
          wallet: 'main',
          account: recorded,
          positions: new Map(),
          openOrders: new Map(),
          balances: new Map([['USDC', { asset: 'USDC', total: equity }]]),
        } as never);
        book.sample();
        // Without an equity of the day before, a new day begins with the first one that is known.
        if (start?.day !== day) {
          start = { day, equity: last ?? equity };
          reached = undefined;
        }
        last = equity;
        const loss = Math.max(0, start.equity - equity);
        // What reached a lower limit does not reach a higher one, and holds nothing then.
        if (limit !== undefined && loss >= limit && (reached ?? 0) < limit) reached = loss;
        expect(book.dayLoss()).toBe(loss);
        // It holds for the rest of the day, whatever is regained, also in the next process.
        expect(book.dayLimitReached()).toBe(reached);
        expect(book.dayResult()).toBe(equity - start.equity);
        expect(written).toMatchObject({ ...start });
        expect(written?.lost).toBe(reached);
      }
    });
  });
});

describe('cover', () => {
  const row = fc.record({
    watch_kind: fc.constantFrom('leg', 'leg', 'leg', 'entry'),
    kind: fc.constantFrom('stop_loss', 'stop_loss', 'take_profit'),
    status: fc.constantFrom('armed', 'armed', 'triggered', 'retired', 'pending'),
    symbol,
    order_id: fc.constantFrom(undefined, null, 'o1', 'o2'),
    execution_id: fc.constantFrom(undefined, null, 'e1'),
    coupled: fc.constantFrom(undefined, true, false),
    size: fc.constantFrom(undefined, 1, 2),
  });
  const monitor = fc.record({
    status: fc.constantFrom('armed', 'armed', 'paused', 'fired', 'stopped'),
    action: fc.record({
      symbol,
      side,
      reduce_only: fc.constantFrom(true, true, false, undefined),
      amount: fc.integer({ min: 1, max: 3 }),
      isLaunch: fc.boolean(),
    }),
    trigger: fc.record({ symbol, direction: fc.constantFrom('above', 'below') }),
    exit_style: fc.constantFrom(undefined, undefined, 'native', 'algo_unwind'),
  });
  const drawn = fc.record({
    positions: fc.uniqueArray(
      fc.record({
        symbol,
        side: fc.constantFrom('long', 'short'),
        size: fc.integer({ min: 1, max: 6 }),
      }),
      { selector: (one) => one.symbol, maxLength: 3 },
    ),
    rows: fc.array(row, { maxLength: 4 }),
    monitors: fc.array(monitor, { maxLength: 3 }),
    filled: fc.record({ o1: fc.constantFrom(undefined, 1, 3), o2: fc.constantFrom(undefined, 2) }),
  });

  test('is what armed stops of the losing side have, of a long and of a short, of each symbol', async () => {
    await holdLaw(1_200, drawn, ({ positions, rows, monitors, filled }) => {
      const filledOf = (id: string): number | undefined =>
        (filled as Record<string, number | undefined>)[id];
      const covers = coverOf('main', {
        positions: positions as never,
        rows: rows as never,
        monitors: monitors.map(({ action, exit_style, ...rest }) => {
          const { amount, isLaunch, ...asked } = action;
          const by = isLaunch ? { total_size: amount } : { size: amount };
          return { ...rest, action: { request: { ...asked, ...by } }, request: { exit_style } };
        }) as never,
        filledOf,
      });
      const expected = positions.map((position) => {
        const isLong = position.side === 'long';
        const stopping = monitors.filter(
          ({ action, trigger }) =>
            action.symbol === position.symbol &&
            trigger.symbol === position.symbol &&
            action.reduce_only === true &&
            action.side === (isLong ? 'sell' : 'buy') &&
            trigger.direction === (isLong ? 'below' : 'above'),
        );
        const isUnwound = stopping.some(
          (one) => one.exit_style === 'algo_unwind' && !['fired', 'stopped'].includes(one.status),
        );
        const stops = rows.filter(
          (one) =>
            one.watch_kind === 'leg' &&
            one.kind === 'stop_loss' &&
            one.status === 'armed' &&
            one.symbol === position.symbol,
        );
        const parts = stops.map((one) => {
          const owner = one.order_id ?? one.execution_id ?? undefined;
          if (owner === undefined && isUnwound) return 0;
          const done = owner === undefined ? undefined : filledOf(owner);
          if (one.coupled === true) return position.size;
          if (one.coupled === false && one.size !== undefined) return Math.max(one.size, done ?? 0);
          return done ?? position.size;
        });
        const exits = stopping
          .filter(({ status }) => status === 'armed')
          .map(({ action }) => action.amount);
        const covered = Math.min(position.size, sum(parts) + sum(exits));
        return { wallet: 'main', symbol: position.symbol, size: position.size, covered };
      });
      expect(covers).toEqual(expected);
    });
  });

  test('what was without it counts by time, two wallets, each instant once', async () => {
    const step = fc.record({
      wallet: fc.constantFrom(...WALLETS),
      bare: fc.subarray(SYMBOLS),
      seconds: fc.nat({ max: 3 }),
    });
    await holdLaw(400, fc.array(step, { minLength: 1, maxLength: 10 }), (steps) => {
      let now = 0;
      const coverage = createCoverage({ now: () => now * 1_000, isIgnored: () => false });
      const open = new Map<string, number>();
      let total = 0;
      let longest = 0;
      for (const { wallet, bare, seconds } of steps) {
        coverage.see(
          wallet,
          SYMBOLS.map((of) => ({
            wallet,
            symbol: of,
            size: 2,
            covered: bare.includes(of) ? 1 : 2,
          })),
        );
        for (const of of SYMBOLS) {
          const name = `${wallet} ${of}`;
          if (!bare.includes(of)) open.delete(name);
          else if (!open.has(name)) open.set(name, now);
        }
        now += seconds;
        if (open.size > 0) total += seconds;
        longest = Math.max(longest, ...[...open.values()].map((since) => now - since));
        expect(coverage.totalSeconds()).toBe(total);
        expect(coverage.longestSeconds()).toBe(longest);
        const uncovered = coverage
          .uncovered()
          .map((one) => `${one.wallet} ${one.symbol} ${one.since / 1_000}`);
        expect(uncovered.toSorted()).toEqual(
          [...open].map(([name, since]) => `${name} ${since}`).toSorted(),
        );
      }
    });
  });
});
