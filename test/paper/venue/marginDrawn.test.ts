/**
 * Several positions of a wallet at once, cross and isolated ones, of either side, with orders, spot holdings, funding and a
 * midnight, and a service that is saved and opened again: every figure, every takeover and what ends with it, by their
 * definitions (`naiveMargin.ts`).
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toValidPrice, type FillRecord, type OrderRecord } from '../../../src/contract/index.ts';
import type { EngineEvent } from '../../../src/paper/core/Engine.ts';
import { ServiceError } from '../../../src/paper/core/ServiceError.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';
import { createBench, feedOf, MINUTE, START, walk } from '../engine/bench.ts';
import { NaiveMargin, type NaiveOrder } from './naiveMargin.ts';

const HOUR = 60 * MINUTE;
const BARS = 170;
/** Over two hours' ends, of which the second is midnight. */
const BEGIN = START + 24 * HOUR - 80 * MINUTE;
const SPOT = 'HYPE/USDC';
const MOST = { BTC: 40, ETH: 20, SOL: 5 };
const PERPS = ['BTC', 'ETH', 'SOL'] as const;
const BALANCE = 10_000;
/** Between the corners of a bar's path every mark moves in a line. */
const CORNER = MINUTE / 3;
/** Quote units: closer to the bound than this, a rounding decides. */
const NEAR = 0.05;

const symbol = fc.constantFrom(...PERPS);
const action = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('order' as const),
      symbol,
      isBuy: fc.boolean(),
      /** Of what is available, or of the position if it closes. */
      part: fc.constantFrom(0.1, 0.3, 0.6),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('rest' as const),
      symbol,
      isBuy: fc.boolean(),
      part: fc.constantFrom(0.02, 0.1, 0.5, 0.9, 1.3),
      reduceOnly: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('leverage' as const),
      symbol,
      leverage: fc.constantFrom<number[]>(0.5, 1, 2, 4, 5, 20, 40, 41),
      mode: fc.constantFrom(undefined, undefined, 'cross' as const, 'isolated' as const),
      /** Of a market with a position, if there is one. */
      isHeld: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('spot' as const), isBuy: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'close' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'cancel' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'reopen' as const }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

const drawn = fc.record({
  seed: fc.nat(1e9),
  move: fc.constantFrom(0.01, 0.03, 0.06),
  rates: fc.record({
    BTC: fc.constantFrom(0.01, -0.01, 0.4),
    ETH: fc.constantFrom(0.004, -0.004, 0.4),
    SOL: fc.constantFrom(0.02, -0.02),
  }),
  /** Of each market at the start. */
  isLow: fc.boolean(),
  modes: fc.tuple(...PERPS.map(() => fc.constantFrom('cross' as const, 'isolated' as const))),
  /** Each before some minutes. */
  course: fc.array(fc.tuple(action, fc.constantFrom(0, 0, 1, 4, 15)), {
    minLength: 12,
    maxLength: 30,
  }),
});
type Case = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

/** SOL settles every second hour. */
const isDue = (at: string, time: number): boolean => time % (at === 'SOL' ? 2 * HOUR : HOUR) === 0;

function open({ seed, move, rates }: Case, onEvent: (event: EngineEvent) => void) {
  const feeds = [...PERPS, SPOT].map((at) =>
    feedOf(walk(`${seed} ${at}`, BARS, { move, volume: 1e7 }), { symbol: at, start: BEGIN }),
  );
  const options = {
    feeds,
    instruments: Object.fromEntries(
      [...PERPS, SPOT].map((at) => [
        at,
        {
          price_decimals: 2,
          size_decimals: 5,
          ...(at === SPOT ? {} : { max_leverage: MOST[at as 'BTC'] }),
        },
      ]),
    ),
    fundingRates: Object.fromEntries(
      PERPS.map((at) => [
        at,
        { constantRate: rates[at], intervalMs: at === 'SOL' ? 2 * HOUR : HOUR },
      ]),
    ),
    halfSpreadBps: 1e-6,
    impactBps: 0,
    fees: { all: { maker_bps: 1, taker_bps: 5, service_bps: 1 }, symbols: {} },
  };
  return { options, bench: createBench(options, { balance: BALANCE, onEvent }) };
}

function play(one: Case, tried: Tried): void {
  let lost: Map<string, number> | null = null;
  let lostAt = 0;
  const taken: Array<{ symbol: string; isIsolated: boolean }> = [];
  const filled = new Set<string>();
  let due: Set<string> | null = null;
  const settled: number[] = [];

  function follow({ event, data }: EngineEvent): void {
    const now = bench.engine.now;
    if (event === 'fill') {
      const fill = data as FillRecord;
      filled.add(fill.order_id);
      model.fill(fill as never);
    } else if (event === 'funding') {
      const { symbol: at, amount, rate } = data as { symbol: string; amount: number; rate: number };
      if (settled.at(-1) !== now) {
        settled.push(now);
        due = new Set([...model.positions.keys()].filter((held) => isDue(held, now)));
      }
      expect(due!.delete(at), `${at} pays once`).toBe(true);
      expect(rate).toBe(one.rates[at as 'BTC']);
      expect(amount).toBeCloseTo(model.pay(at, one.rates[at as 'BTC'], now), 8);
    } else if (event === 'liquidation') takeOver(data as { symbol: string; size: number }, now);
  }

  /** The venue takes over all that have lost their margin, before it trades the first of them. */
  function takeOver({ symbol: at, size }: { symbol: string; size: number }, now: number): void {
    if (lost === null || lostAt !== now || !lost.has(at)) {
      expectNoneLeft();
      lost = new Map();
      for (const [held, position] of model.positions)
        if (model.surplus(held) < NEAR) lost.set(held, position.size);
      lostAt = now;
    }
    expect([...lost.keys()], 'is lost').toContain(at);
    expect(size).toBe(Math.abs(lost.get(at)!));
    lost.delete(at);
    taken.push({ symbol: at, isIsolated: model.positions.get(at)!.margin !== null });
    tried.take(`${model.positions.get(at)!.margin === null ? 'cross' : 'isolated'} is taken`);
  }

  function expectNoneLeft(): void {
    for (const at of lost?.keys() ?? [])
      if (model.positions.has(at)) expect(model.surplus(at), `${at} stays`).toBeGreaterThan(-NEAR);
  }

  let { bench, options } = open(one, (event) => follow(event));
  const mark = (at: string): number => bench.engine.market.quote(at).mark;
  const model = new NaiveMargin({ balance: BALANCE, mark, most: MOST, usualLeverage: 10 });
  const resting = (): Array<NaiveOrder & { id: string }> =>
    bench
      .call('orders.list', { query: { limit: 500 } })
      .items.map((order: OrderRecord): NaiveOrder & { id: string } => ({
        id: order.order_id,
        symbol: order.symbol,
        side: order.side as 'buy' | 'sell',
        left: order.size - order.filled_size,
        price: order.price!,
        reduceOnly: order.reduce_only,
      }));

  function compare(): void {
    const orders = resting();
    const account = bench.call('account.get');
    expect(account.equity).toBeCloseTo(model.equity, 5);
    expect(account.unrealized_pnl).toBeCloseTo(model.unrealized, 5);
    expect(account.used_margin).toBeCloseTo(model.used(orders), 5);
    expect(account.available_margin).toBeCloseTo(model.available(orders), 5);
    expect(account.realized_pnl).toBeCloseTo(model.realized, 5);
    expect(account.fees_paid).toBeCloseTo(model.fees, 5);
    expect(account.funding_paid).toBeCloseTo(model.funding, 5);
    for (const at of PERPS) {
      const pathParams = { symbol: at };
      expect(bench.call('leverage.get', { pathParams })).toMatchObject({
        leverage: model.leverageOf(at),
        mode: model.isolated.has(at) ? 'isolated' : 'cross',
      });
    }
    const positions = bench.call('positions.list').items;
    expect(positions.map((row: { symbol: string }) => row.symbol).sort()).toEqual(
      [...model.positions.keys()].sort(),
    );
    for (const row of positions) {
      const { size, entry } = model.positions.get(row.symbol)!;
      expect([row.side, row.size]).toEqual([size > 0 ? 'long' : 'short', Math.abs(size)]);
      expect(row.entry_price).toBeCloseTo(entry, 6);
      expect(row.leverage).toBe(model.leverageOf(row.symbol));
      expect(row.mode).toBe(model.isolated.has(row.symbol) ? 'isolated' : 'cross');
      const price = model.liquidationPrice(row.symbol);
      // Where it is nothing, a rounding decides whether there is one.
      if (price === null) expect(row.liquidation_price ?? 0).toBeCloseTo(0, 6);
      else expect(row.liquidation_price ?? 0).toBeCloseTo(price, 3);
      const isNear = Math.abs(model.surplus(row.symbol)) < NEAR;
      if (!isNear) expect(model.surplus(row.symbol), row.symbol).toBeGreaterThan(0);
    }
  }

  /** Rows of the days; the one that ended has the open profit of its end. */
  function compareDays(atMidnight: ReadonlyMap<string, number> | null): void {
    const today = Math.floor(bench.engine.now / (24 * HOUR));
    const rows = bench.call('account.pnl', { query: { limit: 100 } }).items;
    for (const row of rows) {
      const day = Date.parse(row.day) / (24 * HOUR);
      const known = model.rows.get(`${day} ${row.symbol}`);
      expect(row.realized_pnl).toBeCloseTo(known?.realized ?? 0, 5);
      expect(row.fees).toBeCloseTo(known?.fees ?? 0, 5);
      expect(row.funding, `${row.day} ${row.symbol}`).toBeCloseTo(known?.funding ?? 0, 5);
      expect(row.volume).toBeCloseTo(known?.volume ?? 0, 3);
      if (day === today) expect(row.unrealized_pnl).toBeCloseTo(model.openProfit(row.symbol), 5);
      else if (atMidnight !== null)
        expect(row.unrealized_pnl, `${row.day} ${row.symbol}`).toBeCloseTo(
          atMidnight.get(row.symbol) ?? 0,
          5,
        );
    }
    const shown = rows.map((row: { day: string; symbol: string }) =>
      [Date.parse(row.day) / (24 * HOUR), row.symbol].join(' '),
    );
    expect(shown).toEqual(expect.arrayContaining([...model.rows.keys()]));
  }

  let atMidnight: Map<string, number> | null = new Map();

  function advance(): void {
    const before = resting();
    const held = new Map([...model.positions].map(([at, { size }]) => [at, size]));
    taken.length = 0;
    filled.clear();
    bench.engine.advanceTo(bench.engine.now + CORNER);
    const { now } = bench.engine;
    expectNoneLeft();
    lost = null;
    if (now % HOUR === 0) {
      // Each that was open and is due has paid.
      const unpaid =
        settled.at(-1) === now
          ? [...due!]
          : [...model.positions.keys()].filter((at) => isDue(at, now));
      expect(unpaid, 'pays funding').toEqual([]);
      if (settled.at(-1) === now) tried.take('funding');
    }
    if (now % (24 * HOUR) === 0) {
      const symbols = [...model.positions.keys(), ...model.holdings.keys()];
      atMidnight =
        taken.length > 0 ? null : new Map(symbols.map((at) => [at, model.openProfit(at)] as const));
      if (model.holdings.size > 0) tried.take('a holding at midnight');
      if (model.positions.size > 1) tried.take('positions at midnight');
    }
    if (taken.length === 0) return;
    const isAll = taken.some(({ isIsolated }) => !isIsolated);
    const open = new Set(resting().map(({ id }) => id));
    for (const { id, symbol: at, side, reduceOnly } of before) {
      // What only closes a position or a holding that stays needs neither margin nor cash.
      const onlyCloses = reduceOnly || (at.includes('/') && side === 'sell');
      const ends = taken.some((each) => each.symbol === at) || (isAll && !onlyCloses);
      if (ends) expect(open.has(id), `${at} order ends`).toBe(false);
      else if (!open.has(id) && !filled.has(id)) {
        // No takeover ends it; one that reduces only may have been reached with nothing left to reduce.
        const reason = bench.call('orders.get', { pathParams: { id } }).reject_reason;
        expect(reason, `${at} order stays`).toBe('nothing_to_reduce');
        const reduces = (size = 0): boolean => (side === 'buy' ? size < 0 : size > 0);
        const hasBoth = reduces(held.get(at)) && reduces(model.positions.get(at)?.size);
        expect([reduceOnly, hasBoth], at).toEqual([true, false]);
      }
      if (!ends) tried.take('an order stays');
    }
    if (model.positions.size > 0) tried.take('a position stays');
  }

  function attempt(run: () => unknown): string | null {
    try {
      run();
      return null;
    } catch (error) {
      if (error instanceof ServiceError) return error.code;
      throw error;
    }
  }

  function setLeverage({
    symbol: at,
    leverage,
    mode,
  }: Extract<Action, { kind: 'leverage' }>): void {
    const [orders, position] = [resting(), model.positions.get(at)];
    const former = [model.leverage.get(at), position?.margin] as const;
    const before = model.leverageOf(at);
    const leftBefore = model.available(orders);
    model.leverage.set(at, leverage);
    if (position?.margin != null)
      position.margin += Math.abs(position.size) * position.entry * (1 / leverage - 1 / before);
    const left = model.available(orders);
    const surplus = position === undefined ? Infinity : model.surplus(at);
    const isOut = leverage < 1 || leverage > MOST[at];
    const isHeld =
      mode !== undefined &&
      (mode === 'isolated') !== model.isolated.has(at) &&
      position !== undefined;
    // What needs no more than before is not refused, however little there is.
    const lacks = (left < 0 && left < leftBefore) || surplus <= 0;
    const expected = isOut
      ? 'leverage_out_of_range'
      : isHeld
        ? 'validation_failed'
        : lacks
          ? 'insufficient_margin'
          : null;
    if (expected === null && mode === 'isolated') model.isolated.add(at);
    if (expected === null && mode === 'cross') model.isolated.delete(at);
    if (expected !== null) {
      if (former[0] === undefined) model.leverage.delete(at);
      else model.leverage.set(at, former[0]);
      if (position !== undefined) position.margin = former[1]!;
    }
    const body = { leverage, ...(mode && { mode }) };
    const refused = attempt(() => bench.call('leverage.set', { pathParams: { symbol: at }, body }));
    // Where a rounding decides, the two may differ; nothing follows from it but this case's end.
    if (Math.min(Math.abs(left), Math.abs(surplus)) > 1e-6) expect(refused).toBe(expected);
    tried.take(`leverage ${expected ?? 'set'}`);
    if (expected === null && left < 0) tried.take('leverage below the initial margin');
  }

  function act(what: Action): void {
    if (what.kind === 'leverage') {
      const [held] = [...model.positions.keys()] as Array<(typeof PERPS)[number]>;
      return setLeverage(what.isHeld && held !== undefined ? { ...what, symbol: held } : what);
    }
    if (what.kind === 'reopen') {
      const saved = JSON.parse(JSON.stringify(bench.engine.save())) as never;
      bench = createBench({ ...options, saved } as never, { onEvent: (event) => follow(event) });
      return tried.take('reopened');
    }
    if (what.kind === 'cancel') {
      const [first] = resting();
      if (first) bench.call('orders.cancel', { pathParams: { id: first.id } });
      return;
    }
    if (what.kind === 'close') {
      const [at] = model.positions.keys();
      if (at !== undefined) bench.call('positions.close', { pathParams: { symbol: at } });
      return;
    }
    if (what.kind === 'spot') {
      const held = model.holdings.get(SPOT)?.size ?? 0;
      const size = what.isBuy ? 4 : Math.floor(held * 50) / 100;
      if (size > 0)
        attempt(() =>
          bench.order({
            symbol: SPOT,
            side: what.isBuy ? 'buy' : 'sell',
            size,
            order_type: 'market',
          }),
        );
      return;
    }
    const { symbol: at, isBuy } = what;
    const side = isBuy ? ('buy' as const) : ('sell' as const);
    const orders = resting();
    const left = model.available(orders);
    const price = mark(at);
    const held = model.positions.get(at)?.size ?? 0;
    const closes = held * (isBuy ? 1 : -1) < 0 ? Math.abs(held) : 0;
    const wanted = closes + (Math.max(0, left) * model.leverageOf(at)) / price;
    const size = Math.floor(wanted * what.part * 1e3) / 1e3;
    if (size * price < 20) return;
    if (what.kind === 'order') {
      attempt(() => bench.order({ symbol: at, side, size, order_type: 'market' }));
      return;
    }
    const instrument = bench.engine.market.instrument(at)!;
    const limit = toValidPrice(price * (isBuy ? 0.93 : 1.07), instrument);
    const more: NaiveOrder = {
      symbol: at,
      side,
      left: size,
      price: limit,
      reduceOnly: what.reduceOnly,
    };
    const required = model.used([...orders, more]) - model.used(orders);
    const lacks = required > 0 && required > left;
    const expected = what.reduceOnly
      ? closes > 0
        ? null
        : 'no_position'
      : lacks
        ? 'insufficient_margin'
        : null;
    const refused = attempt(() =>
      bench.order({
        symbol: at,
        side,
        size,
        price: limit,
        order_type: 'limit',
        time_in_force: 'gtc',
        reduce_only: what.reduceOnly,
      }),
    );
    if (Math.abs(required - left) > 1e-6) expect(refused).toBe(expected);
    tried.take(`rest ${expected ?? 'taken'}`);
  }

  bench.run(5);
  for (const [index, at] of PERPS.entries())
    setLeverage({
      kind: 'leverage',
      symbol: at,
      leverage: one.isLow ? 2 : MOST[at],
      mode: one.modes[index],
      isHeld: false,
    });
  const end = BEGIN + (BARS - 1) * MINUTE;
  const at = [...one.course];
  while (bench.engine.now < end) {
    const next = at.shift();
    if (next !== undefined) {
      act(next[0]);
      compare();
    }
    const until = next === undefined ? end : Math.min(end, bench.engine.now + next[1] * MINUTE);
    while (bench.engine.now < until) advance();
    compare();
    compareDays(atMidnight);
  }
}

test('margin, funding, days and takeovers of positions of both modes are those of their definitions', async () => {
  const tried = new Tried();
  await holdLaw(15, drawn, (one) => play(one, tried));
  const kinds = [
    'cross is taken',
    'isolated is taken',
    'a position stays',
    'an order stays',
    'funding',
  ];
  const others = [
    'a holding at midnight',
    'positions at midnight',
    'reopened',
    'leverage insufficient_margin',
    'leverage below the initial margin',
  ];
  if (isFull) expect(tried.rare([...kinds, ...others], 3)).toEqual([]);
});
