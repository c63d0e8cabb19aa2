import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createGrowingFeed, generateFeed, type Feed } from '../../../src/paper/index.ts';
import { createEngine, type Engine, type EngineEvent } from '../../../src/paper/index.ts';
import { ServiceError } from '../../../src/paper/core/ServiceError.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { createBench, feedOf, flat, MINUTE, START, walk } from './bench.ts';

const whole = generateFeed({
  symbol: 'BTC',
  interval: '1m',
  bars: 600,
  seed: 5,
  startTime: 1_735_689_600_000,
  startPrice: 60_000,
  volatilityBps: 20,
  volume: 50,
  outageEveryBars: 97,
});
const HISTORY = 100;

const barAt = (feed: Feed, at: number) => ({
  time: feed.time[at]!,
  open: feed.open[at]!,
  high: feed.high[at]!,
  low: feed.low[at]!,
  close: feed.close[at]!,
  volume: feed.volume[at]!,
});

function listen(engine: Engine): string[] {
  const seen: string[] = [];
  engine.listen(({ channel, event, keys, data }: EngineEvent) => {
    seen.push(JSON.stringify([engine.now, channel, event, keys, data]));
  });
  return seen;
}

test('an engine whose feed grows bar by bar reports what one with the whole feed does', () => {
  const startTime = whole.time[HISTORY]!;
  const instruments = { BTC: { price_decimals: 2 } };
  const growing = createGrowingFeed('BTC', '1m');
  for (let at = 0; at < HISTORY; at++) growing.append(barAt(whole, at));
  const one = createEngine({ feeds: [whole], startTime, instruments });
  const other = createEngine({ feeds: [growing.feed], startTime, instruments });
  const [expected, seen] = [listen(one), listen(other)];
  for (let at = HISTORY; at < whole.time.length; at++) {
    growing.append(barAt(whole, at));
    other.feedsGrew();
    expect(other.endTime).toBe(whole.time[at]! + MINUTE);
    other.advanceTo(other.endTime);
  }
  one.advanceTo(one.endTime);
  expect(expected.length).toBeGreaterThan(2_000);
  // Ticks at the corners of a path, bars in progress and closed ones, of every interval.
  expect(seen).toEqual(expected);
});

test('a bar that is not later than the last is left out', () => {
  const growing = createGrowingFeed('BTC', '1m');
  expect(growing.append(barAt(whole, 1))).toBe(true);
  expect(growing.append(barAt(whole, 1))).toBe(false);
  expect(growing.append(barAt(whole, 0))).toBe(false);
  expect(growing.feed.time.length).toBe(1);
});

test('bars that come late for one of two symbols count at the time that was already reached', () => {
  const growing = ['BTC', 'ETH'].map((symbol) => createGrowingFeed(symbol, '1m'));
  const add = (at: number, bars: number): void => {
    const { feed, append } = growing[at]!;
    const end = feed.time.length + bars;
    for (let bar = feed.time.length; bar < end; bar++) append(barAt(whole, bar));
  };
  add(0, 5);
  add(1, 2);
  const engine = createEngine({
    feeds: growing.map(({ feed }) => feed),
    startTime: whole.time[0]!,
  });
  engine.advanceTo(engine.endTime);
  expect(engine.market.quote('ETH').mark).toBe(whole.close[1]);
  add(1, 3);
  engine.feedsGrew();
  expect(engine.market.quote('ETH').mark).toBe(whole.close[4]);
});

const SYMBOLS = ['BTC', 'ETH'];
const FIRST_BARS = 3;

/** A bench with two wallets, and its way forward: over the whole feeds, or bar by bar as they grow. */
function openLife(feeds: readonly Feed[], grows: boolean) {
  const growing = feeds.map(({ symbol }) => createGrowingFeed(symbol, '1m'));
  const open = growing.map(({ feed: known, append }, at) => {
    const all = feeds[at]!;
    const grow = (bar: number): void => {
      const index = all.time.indexOf(START + bar * MINUTE);
      if (index >= 0) append(barAt(all, index));
    };
    return { known, grow };
  });
  let grown = 0;
  for (; grown < FIRST_BARS; grown++) for (const { grow } of open) grow(grown);
  const bench = createBench({ feeds: grows ? open.map(({ known }) => known) : feeds });
  bench.engine.addAccount('other', 100_000);
  const advanceTo = (time: number): void => {
    for (; grows && START + grown * MINUTE < time; grown++) {
      bench.engine.advanceTo(START + grown * MINUTE);
      for (const { grow } of open) grow(grown);
      bench.engine.feedsGrew();
    }
    bench.engine.advanceTo(time);
  };
  advanceTo(START + FIRST_BARS * MINUTE);
  /** A call that may be refused. */
  const attempt = (...call: Parameters<typeof bench.call>): void => {
    try {
      bench.call(...call);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
  };
  return { bench, advanceTo, attempt };
}

test('orders that are placed as a bar closes, or within it, fill as in the whole feed, with the same fees', async () => {
  const BARS = 30;
  const drawnOrder = fc.record({
    wallet: fc.constantFrom('main', 'other'),
    symbol: fc.constantFrom('BTC', 'ETH'),
    side: fc.constantFrom('buy', 'sell'),
    size: fc.constantFrom(1, 20),
    /** Of the mark, in cents; 0 and above may trade at once. */
    offset: fc.constantFrom(-40, -10, -1, 0, 1, 2, 10),
    time_in_force: fc.constantFrom('gtc', 'post_only'),
  });
  const drawn = fc.record({
    seed: fc.nat(1e6),
    course: fc.array(
      fc.tuple(fc.option(drawnOrder, { nil: null }), fc.constantFrom(0, 0.5, 1, 1, 3)),
      {
        minLength: 3,
        maxLength: 14,
      },
    ),
  });
  await holdLaw(60, drawn, ({ seed, course }) => {
    const feeds = SYMBOLS.map((symbol) =>
      feedOf(walk(`${seed} ${symbol}`, BARS, { move: 0.01, volume: 30 }), { symbol }),
    );
    const lives = [false, true].map((grows) => {
      const { bench, advanceTo, attempt } = openLife(feeds, grows);
      for (const [order, minutes] of course) {
        if (order !== null) {
          const { wallet, offset, ...rest } = order;
          const { mark } = bench.engine.market.quote(order.symbol);
          const price = Math.round(mark * 100 + (order.side === 'buy' ? offset : -offset)) / 100;
          attempt('orders.place', { wallet, body: { ...rest, order_type: 'limit', price } });
        }
        advanceTo(Math.min(bench.engine.now + minutes * MINUTE, START + BARS * MINUTE));
      }
      const query = { limit: 500 };
      return ['main', 'other'].map((wallet) => [
        bench.call('orders.fills', { wallet, query }).items,
        bench.call('orders.list', { wallet, query }).items,
      ]);
    });
    expect(lives[1]).toEqual(lives[0]);
  });
});

describe('what waits for a bar that is not there yet', () => {
  const BARS = 40;
  const cents = (price: number): number => Math.round(price * 100) / 100;
  const average = { indicator: 'sma', params: { period: 3 }, interval: '1m' };
  const side = fc.constantFrom('buy' as const, 'sell' as const);
  /** Larger than a bar's share of the volume, most often. */
  const size = fc.constantFrom(1, 5, 12);
  /** Of the mark; of a leg, in the direction of its kind. */
  const away = fc.constantFrom(0.001, 0.004, 0.01);
  const leg = fc.record({
    style: fc.constantFrom('price', 'trail', 'at', 'unwind'),
    away,
    algo: fc.constantFrom('pacemaker', 'glidemaker', 'smartexit', 'ghostsweep'),
  });
  const none = { nil: undefined };
  const deed = fc.oneof(
    fc.record({
      kind: fc.constant('order' as const),
      side,
      size,
      stop: fc.option(leg, none),
      take: fc.option(leg, none),
      isTracked: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('legs' as const), stop: leg, take: fc.option(leg, none) }),
    fc.record({
      kind: fc.constant('monitor' as const),
      side,
      size,
      away,
      direction: fc.constantFrom('above' as const, 'below' as const),
      isRead: fc.boolean(),
      rearm: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('launch' as const),
      side,
      size,
      away,
      isExit: fc.boolean(),
      algo: fc.constantFrom(
        'glidemaker',
        'pacemaker',
        'flowscale',
        'flowband',
        'ghostsweep',
        'smartexit',
      ),
    }),
    fc.record({ kind: fc.constant('close' as const) }),
  );
  const step = fc.record({
    wallet: fc.constantFrom('main', 'main', 'other'),
    symbol: fc.constantFrom('BTC', 'BTC', 'ETH'),
    deed,
    minutes: fc.constantFrom(0, 0, 0.4, 1, 1, 3),
  });
  type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;
  type LegOf = typeof leg extends fc.Arbitrary<infer T> ? T : never;

  function legBody(drawn: LegOf | undefined, price: number) {
    if (drawn === undefined) return undefined;
    const params = {
      pacemaker: { duration_seconds: 120 },
      glidemaker: { strategy: 'balanced' },
      smartexit: { patience_seconds: 90 },
      ghostsweep: { sweep_limit_bps: 40 },
    }[drawn.algo];
    if (drawn.style === 'price') return { price };
    if (drawn.style === 'trail') return { trail: { pct: drawn.away * 100, interval: '1m' } };
    if (drawn.style === 'at') return { at: average };
    const unwind = { exit_style: 'algo_unwind', unwind_algo: drawn.algo, unwind_params: params };
    return { price, ...unwind };
  }

  /** The call of a deed at a mark, for a holder of a signed size. */
  function callOf(deedOf: Deed, symbol: string, mark: number, held: number) {
    const legsFor = (stop: LegOf | undefined, take: LegOf | undefined, sign: number) => ({
      stop_loss: legBody(stop, cents(mark * (1 - sign * (stop?.away ?? 0)))),
      take_profit: legBody(take, cents(mark * (1 + sign * (take?.away ?? 0)))),
    });
    const exitSide = held > 0 ? 'sell' : 'buy';
    switch (deedOf.kind) {
      case 'order': {
        const { isTracked, stop, take, ...rest } = deedOf;
        const sign = rest.side === 'buy' ? 1 : -1;
        const entry = isTracked
          ? { order_type: 'limit', price_from: { ...average, track: true } }
          : { order_type: 'market' };
        const legs = isTracked ? {} : legsFor(stop, take, sign);
        const body = { symbol, side: rest.side, size: rest.size, ...entry, ...legs };
        return ['orders.place', { body }] as const;
      }
      case 'legs': {
        const body = legsFor(deedOf.stop, deedOf.take, Math.sign(held));
        return ['positions.attachLegs', { pathParams: { symbol }, body }] as const;
      }
      case 'monitor': {
        const { direction, rearm } = deedOf;
        const sign = direction === 'above' ? 1 : -1;
        const trigger = deedOf.isRead
          ? { type: 'indicator_level', symbol, direction, ...average }
          : {
              type: 'price_level',
              symbol,
              direction,
              price: cents(mark * (1 + sign * deedOf.away)),
            };
        const request = { symbol, side: deedOf.side, size: deedOf.size, order_type: 'market' };
        return [
          'monitors.create',
          { body: { trigger, rearm, action: { type: 'order', request } } },
        ] as const;
      }
      case 'launch': {
        const { algo } = deedOf;
        const isExit = deedOf.isExit || algo === 'smartexit';
        const own = isExit ? exitSide : deedOf.side;
        const sign = own === 'buy' ? 1 : -1;
        const beyond = cents(mark * (1 + sign * deedOf.away));
        const before = cents(mark * (1 - sign * deedOf.away));
        const params = {
          glidemaker: { strategy: 'aggressive', limit_price: beyond },
          pacemaker: { duration_seconds: 300, slices: 5 },
          flowscale: { participation: 0.1 },
          flowband: { band_low: cents(mark * 0.99), band_high: cents(mark * 1.01) },
          ghostsweep: { trigger_price: before },
          smartexit: { stop_price: beyond, patience_seconds: 100 },
        }[algo];
        const reduce = isExit ? { reduce_only: true } : {};
        const body = { algo, symbol, side: own, total_size: deedOf.size, params, ...reduce };
        return ['executions.launch', { body }] as const;
      }
      case 'close':
        return ['positions.close', { pathParams: { symbol }, body: {} }] as const;
    }
  }

  test('goes on when it comes: a life whose feeds grow is the life over the whole of them', async () => {
    const tried = new Tried();
    const missing = fc.uniqueArray(fc.integer({ min: FIRST_BARS, max: BARS - 2 }), {
      maxLength: 3,
    });
    const drawn = fc.record({
      seed: fc.nat(1e6),
      gaps: fc.record({ BTC: missing, ETH: missing }),
      course: fc.array(step, { minLength: 4, maxLength: 16 }),
    });
    await holdLaw(300, drawn, ({ seed, gaps, course }) => {
      const feeds = SYMBOLS.map((symbol) => {
        const rows = walk(`${seed} ${symbol}`, BARS, { move: 0.01, volume: 30 });
        return feedOf(
          rows.map((row, at) => (gaps[symbol as 'BTC' | 'ETH'].includes(at) ? null : row)),
          { symbol },
        );
      });
      const lives = [false, true].map((grows) => {
        const { bench, advanceTo, attempt } = openLife(feeds, grows);
        for (const { wallet, symbol, deed: its, minutes } of course) {
          const { mark } = bench.engine.market.quote(symbol);
          const [position] = bench
            .call('positions.list', { wallet })
            .items.filter((each: { symbol: string }) => each.symbol === symbol);
          const held = position === undefined ? 0 : position.side === 'long' ? 1 : -1;
          const [endpoint, parts] = callOf(its, symbol, mark, held);
          attempt(endpoint, { wallet, ...parts });
          advanceTo(Math.min(bench.engine.now + minutes * MINUTE, START + BARS * MINUTE));
        }
        advanceTo(START + BARS * MINUTE);
        return bench;
      });
      const reported = lives.map(({ events }) => events.map((each) => JSON.stringify(each)));
      for (const { event } of lives[0]!.events) tried.take(event);
      expect(reported[1]).toEqual(reported[0]);
    });
    const events = ['fill', 'leg_triggered', 'trail_moved', 'fired', 'entry_moved', 'ended'];
    expect(tried.rare(events, 1)).toEqual([]);
  });

  /** 9 are bought, and a stop at 99 is reached in the seventh bar; each bar's share is 3. */
  function openExit(grows: boolean) {
    const rows = [...flat(100, 6, 30), [100, 100, 98, 98, 30] as const, ...flat(98, 30, 30)];
    const { bench, advanceTo } = openLife([feedOf(rows)], grows);
    for (const minute of [3, 4, 5]) {
      advanceTo(START + minute * MINUTE);
      bench.order({ side: 'buy', size: 3, order_type: 'market' });
    }
    const body = { stop_loss: { price: 99 } };
    bench.call('positions.attachLegs', { pathParams: { symbol: 'BTC' }, body });
    return { bench, advanceTo };
  }

  test('an exit that is larger than a bar’s share goes on with each bar that comes', () => {
    const { bench, advanceTo } = openExit(true);
    advanceTo(START + 30 * MINUTE);
    expect(bench.named('leg_triggered')).toHaveLength(1);
    expect(bench.call('positions.list').items).toEqual([]);
  });

  test('an exit that waited at the end of the feed is before what was launched after it', () => {
    const lives = [false, true].map((grows) => {
      const { bench, advanceTo } = openExit(grows);
      // A bar closes, the exit waits for the next one, and so does the first slice that finds no volume here.
      advanceTo(START + 7 * MINUTE);
      const params = { duration_seconds: 300, slices: 5 };
      const body = { algo: 'pacemaker', symbol: 'BTC', side: 'sell', total_size: 10, params };
      bench.call('executions.launch', { body });
      advanceTo(START + 20 * MINUTE);
      return bench.call('orders.fills').items;
    });
    expect(lives[1]).toEqual(lives[0]);
  });
});
