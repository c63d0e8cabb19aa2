/** Times of executions by plain arithmetic: when slices are taken, and when missing data warns and pauses. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EndpointId, ExecutionRecord, FillRecord } from '../../../src/contract/index.ts';
import { createGrowingFeed } from '../../../src/paper/index.ts';
import { ServiceError } from '../../../src/paper/core/ServiceError.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';
import { createBench, feedOf, flat, MINUTE, START, type Row } from '../engine/bench.ts';

const WALLETS = ['main', 'other'] as const;
const SECOND = 1_000;

const LEAST = 10;
const SIZE_STEP = 1e-5;
const QUIET = 5;
/** So much volume that no size moves the price by a tick. */
const DEEP = 1e12;
const PRICES = [50, 100, 200] as const;
const schedule = fc.record({
  side: fc.constantFrom('buy' as const, 'sell' as const),
  seconds: fc.constantFrom(60, 89, 90, 91, 200, 600),
  slices: fc.option(fc.constantFrom(1, 3, 7, 10), { nil: undefined }),
  size: fc.constantFrom(0.1, 0.25, 0.3, 0.7, 1, 4, 12.34567),
  /** The price at which it waits, if it has one. */
  isBounded: fc.boolean(),
  startSeconds: fc.constantFrom(0, 20, 45),
  pause: fc.option(
    fc.record({ after: fc.constantFrom(0, 30, 70, 150), length: fc.constantFrom(10, 60, 95) }),
    { nil: null },
  ),
});
type Schedule = typeof schedule extends fc.Arbitrary<infer T> ? T : never;

/** A bar opens just after its time. */
const priceAt = (prices: readonly number[], second: number): number =>
  prices[Math.ceil(second / 60) - 1]!;

const startOf = ({ startSeconds }: Schedule): number => QUIET * 60 + startSeconds;

const isWorthLess = (one: Schedule, prices: readonly number[]): boolean =>
  one.size * priceAt(prices, startOf(one)) < LEAST;

function codeOrBody(call: () => { execution_id: string }): {
  code?: string;
  execution_id?: string;
} {
  try {
    return call();
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code };
    throw error;
  }
}

/** What it takes at which second, by the description. */
function planOf(one: Schedule, prices: readonly number[], total: number) {
  const start = startOf(one);
  const usual = Math.round(one.seconds / 60);
  const worthwhile = Math.floor((one.size * priceAt(prices, start)) / LEAST);
  const slices = one.slices ?? Math.max(1, Math.min(usual, worthwhile));
  const stepMs = (one.seconds * SECOND) / slices;
  const pausedFrom = one.pause === null ? Infinity : start + one.pause.after;
  const pausedTo = one.pause === null ? -Infinity : pausedFrom + one.pause.length;
  const taken: Array<readonly [second: number, size: number]> = [];
  let [filled, released, from] = [0, 0, start * SECOND];

  function catchUp(second: number): void {
    const price = priceAt(prices, second);
    const isLast = released === slices;
    const due = Math.floor((one.size * released) / slices / SIZE_STEP - filled / SIZE_STEP + 1e-6);
    const late = isLast ? one.size - filled : due * SIZE_STEP;
    if (late < 1e-9 || (!isLast && late * price < LEAST - 1e-9)) return;
    if (one.isBounded && (one.side === 'buy' ? price > 100 : price < 100)) return;
    taken.push([second, late]);
    filled += late;
  }

  for (let ms = start * SECOND; ms <= total * SECOND; ms++) {
    const second = ms / SECOND;
    if (second > pausedFrom && second < pausedTo) continue;
    const isResumed = second === pausedTo;
    if (isResumed) from += one.pause!.length * SECOND;
    // The bar's close is seen before the timer of the same instant.
    else if (ms % MINUTE === 0 && ms > start * SECOND) catchUp(second);
    const isDue = (): boolean => released < slices && Math.ceil(from + released * stepMs) <= ms;
    const isOver = ms >= from + one.seconds * SECOND;
    if (isDue() || isResumed || isOver) {
      while (isDue()) released++;
      catchUp(second);
    }
    if (one.size - filled < 1e-9) return { taken, end: [second, 'filled'] as const };
    if (isOver) return { taken, end: [second, 'time_limit'] as const };
  }
  throw new Error('It has no end.');
}

test('EXE-2: a pacemaker of either side takes each slice when it is due, for each of two wallets', async () => {
  const tried = new Tried();
  const drawn = fc.record({
    plans: fc.tuple(schedule, schedule),
    prices: fc.array(fc.constantFrom(...PRICES), { minLength: 25, maxLength: 25 }),
  });
  await holdLaw(40, drawn, ({ plans, prices: later }) => {
    const prices = [...Array.from({ length: QUIET }, () => 100), ...later];
    const rows = prices.flatMap((price) => flat(price, 1, DEEP));
    const bench = createBench({ feeds: [feedOf(rows)], halfSpreadBps: 0.001 }, { balance: 1e7 });
    bench.engine.addAccount('other', 1e7);
    const to = (second: number): void => bench.engine.advanceTo(START + second * SECOND);
    const ids = new Map<string, string>();
    const actions = plans.flatMap((one, at) => {
      const wallet = WALLETS[at]!;
      const start = startOf(one);
      const limit = one.isBounded ? { limit_price: one.side === 'buy' ? 110 : 90 } : {};
      const params = {
        duration_seconds: one.seconds,
        ...(one.slices !== undefined && { slices: one.slices }),
        ...limit,
      };
      const body = {
        algo: 'pacemaker',
        symbol: 'BTC',
        side: one.side,
        total_size: one.size,
        params,
      };
      const control = (name: string) => () => {
        if (!ids.has(wallet)) return;
        const pathParams = { id: ids.get(wallet)! };
        const { status } = bench.call('executions.get', { wallet, pathParams });
        const from = name === 'pause' ? 'running' : 'paused';
        if (status === from) bench.call(`executions.${name}` as EndpointId, { wallet, pathParams });
      };
      const launch = (): void => {
        const { code, execution_id: id } = codeOrBody(() =>
          bench.call('executions.launch', { wallet, body }),
        );
        expect(code).toBe(isWorthLess(one, prices) ? 'below_order_minimum' : undefined);
        if (id !== undefined) ids.set(wallet, id);
      };
      const { pause } = one;
      return [
        [start, launch] as const,
        ...(pause === null
          ? []
          : ([
              [start + pause.after, control('pause')],
              [start + pause.after + pause.length, control('resume')],
            ] as const)),
      ];
    });
    for (const [second, act] of actions.toSorted(([a], [b]) => a - b)) {
      to(second);
      act();
    }
    to(rows.length * 60 - 1);
    for (const [at, one] of plans.entries()) {
      const wallet = WALLETS[at]!;
      if (!ids.has(wallet)) continue;
      const parts = { wallet, pathParams: { id: ids.get(wallet)! } };
      const record: ExecutionRecord = bench.call('executions.get', parts);
      const fills: FillRecord[] = bench.call('executions.fills', {
        ...parts,
        query: { limit: 500 },
      }).items;
      const { taken, end } = planOf(one, prices, rows.length * 60);
      const shown = fills
        .toReversed()
        .map(({ time, size }) => [(time - START) / SECOND, Math.round(size / SIZE_STEP)]);
      const expected = taken.map(([second, size]) => [second, Math.round(size / SIZE_STEP)]);
      expect([one, shown]).toEqual([one, expected]);
      const ended = (record['ended_time'] as number) - START;
      expect([ended / SECOND, record.reason]).toEqual(end);
      tried.take(end[1], ...(one.pause === null ? [] : ['paused']));
      if (one.isBounded && end[1] === 'filled') tried.take('caught up');
    }
  });
  if (isFull) expect(tried.rare(['filled', 'time_limit', 'paused', 'caught up'], 10)).toEqual([]);
});

test('without slices there is one a minute, of a worthwhile size, and a thousand at most', () => {
  for (const [hours, size, step] of [
    [1, 10, 60],
    [24, 1_000_000, 86.4],
  ] as const) {
    const bench = createBench({ feeds: [feedOf(flat(100, 30, DEEP))] }, { balance: 1e12 });
    bench.run(2);
    const params = { duration_seconds: hours * 3_600 };
    const body = { algo: 'pacemaker', symbol: 'BTC', side: 'buy', total_size: size, params };
    const { execution_id: id, created_time: from } = bench.call('executions.launch', { body });
    bench.run(10);
    const fills: FillRecord[] = bench.call('executions.fills', { pathParams: { id } }).items;
    const times = fills.toReversed().map(({ time }) => (time - from) / SECOND);
    expect(times).toEqual(times.map((_time, at) => Math.round(at * step * SECOND) / SECOND));
    expect(times.length).toBeGreaterThan(5);
  }
});

test('a position that is worth less than an order is reduced in one slice', () => {
  for (const side of ['buy', 'sell'] as const) {
    const bench = createBench({ feeds: [feedOf(flat(100, 30, DEEP))] });
    bench.run(2);
    bench.order({ side: side === 'buy' ? 'sell' : 'buy', size: 1, order_type: 'market' });
    const params = { duration_seconds: 600 };
    const body = { algo: 'pacemaker', symbol: 'BTC', side, total_size: 0.05, reduce_only: true };
    const made = bench.call('executions.launch', { body: { ...body, params } });
    expect(made).toMatchObject({ status: 'completed', filled_size: 0.05 });
  }
});

test('random slices are late by less than the step allows, each by a delay of its own, and never the same again', () => {
  const bench = createBench({ feeds: [feedOf(flat(100, 40, DEEP))] }, { balance: 1e9 });
  bench.run(2);
  const params = { duration_seconds: 1_200, slices: 20, randomize: 0.5 };
  const body = { algo: 'pacemaker', symbol: 'BTC', side: 'buy', total_size: 20, params };
  const launched = [0, 1].map(() => bench.call('executions.launch', { body }));
  bench.run(30);
  const delays = launched.map(({ execution_id: id, created_time: from }) => {
    const fills: FillRecord[] = bench.call('executions.fills', { pathParams: { id } }).items;
    return fills.toReversed().map(({ time }, at) => (time - from) / SECOND - at * 60);
  });
  for (const own of delays) {
    // A slice that comes with a closed bar is not counted twice.
    expect(Math.min(...own)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...own)).toBeLessThanOrEqual(30);
    expect(new Set(own).size).toBeGreaterThan(15);
    expect(Math.max(...own)).toBeGreaterThan(15);
  }
  expect(delays[0]).not.toEqual(delays[1]);
});

const stale = fc.record({
  /** Lengths of bars and gaps in turns. */
  lengths: fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom(1, 2, 5, 6, 7, 12)), {
    minLength: 2,
    maxLength: 4,
  }),
  launched: fc.constantFrom(120, 130, 185, 250),
  controls: fc.array(
    fc.tuple(
      fc.constantFrom(10, 30, 45, 60, 90, 240),
      fc.constantFrom('pause', 'resume', 'resume'),
    ),
    {
      minLength: 2,
      maxLength: 14,
    },
  ),
});
type Stale = typeof stale extends fc.Arbitrary<infer T> ? T : never;

/** Which bars there are, from the start. */
const barsOf = ({ lengths }: Stale): boolean[] => [
  true,
  true,
  ...lengths.flatMap(([bars, gap]) => [
    ...Array.from({ length: bars }, () => true),
    ...Array.from({ length: gap }, () => false),
  ]),
  true,
];

/** An event of an execution as it is answered. */
interface EventRow {
  event: string;
  reason: string | null;
  detail: { stale_seconds: number; status: string };
  time: number;
}

/** Second by second: what becomes of an execution as its data grows old. */
class Aging {
  readonly reported: string[] = [];
  readonly #bars: readonly boolean[];
  #second: number;
  #status: 'running' | 'paused' = 'running';
  #resumed = -Infinity;
  #warned = false;

  constructor(bars: readonly boolean[], second: number) {
    this.#bars = bars;
    this.#second = second;
  }

  advanceTo(second: number): void {
    for (; this.#second < second; this.#second++) {
      this.#look(this.#second);
      if (this.#closesAt(this.#second + 1)) this.#warned = false;
    }
    this.#look(second);
  }

  control(action: string): void {
    if ((action === 'pause') !== (this.#status === 'running')) return;
    this.#status = action === 'pause' ? 'paused' : 'running';
    this.reported.push(`${this.#second} ${this.#status} null`);
    if (action === 'pause') return;
    this.#resumed = this.#second;
    this.#warned = false;
  }

  #closesAt(second: number): boolean {
    return second % 60 === 0 && this.#bars[second / 60 - 1] === true;
  }

  #look(second: number): void {
    // A bar opens just after its time, and is closed at its end.
    const isOpen = second % 60 !== 0 && this.#bars[Math.floor(second / 60)] === true;
    if (isOpen || this.#status !== 'running') return;
    let last = Math.floor(second / 60);
    while (!this.#closesAt(last * 60)) last--;
    const age = second - Math.max(last * 60 + 60, this.#resumed);
    if (age >= 300) {
      this.#status = 'paused';
      this.reported.push(`${second} paused stale_data`);
    } else if (age >= 30 && !this.#warned) {
      this.#warned = true;
      this.reported.push(`${second} warned ${age}`);
    }
  }
}

test('EXE-9: each of two wallets is warned and paused by the age of its own market, anew after a resumption', async () => {
  const tried = new Tried();
  const drawn = fc.record({ both: fc.tuple(stale, stale), grows: fc.boolean() });
  await holdLaw(80, drawn, ({ both, grows }) => {
    const symbols = ['BTC', 'ETH'];
    const whole = both.map((one, at) => {
      const rows = barsOf(one).map((has): Row | null => (has ? [100, 100, 100, 100, 10] : null));
      return feedOf(rows, { symbol: symbols[at]! });
    });
    const growing = symbols.map((symbol) => createGrowingFeed(symbol, '1m'));
    /** Each bar comes as it opens, or all of them are there from the first. */
    let grown = 0;
    const growTo = (minute: number): void => {
      for (; grown <= minute; grown++)
        for (const [at, { append }] of growing.entries())
          if (barsOf(both[at]!)[grown] === true)
            append({
              time: START + grown * MINUTE,
              open: 100,
              high: 100,
              low: 100,
              close: 100,
              volume: 10,
            });
    };
    growTo(0);
    const bench = createBench({ feeds: grows ? growing.map(({ feed }) => feed) : whole });
    const advanceTo = (second: number): void => {
      while (grows && grown * 60 < second) {
        bench.engine.advanceTo(START + grown * MINUTE);
        growTo(grown);
        bench.engine.feedsGrew();
      }
      bench.engine.advanceTo(START + second * SECOND);
    };
    bench.engine.addAccount('other', 1e5);
    const lives = both.map((one, at) => {
      const wallet = WALLETS[at]!;
      const params = { limit_price: 50, strategy: 'passive' };
      const body = { algo: 'glidemaker', symbol: symbols[at]!, side: 'buy', total_size: 1, params };
      return { wallet, body, one, aging: new Aging(barsOf(one), one.launched), id: '' };
    });
    type Life = (typeof lives)[number];
    const end = Math.min(...both.map((one) => barsOf(one).length)) * 60 - 1;
    const actions = lives.flatMap((life) => {
      let second = life.one.launched;
      const launch = (): void => {
        const { wallet, body } = life;
        life.id = bench.call('executions.launch', { wallet, body }).execution_id;
      };
      const control = (action: string) => (): void => {
        const { wallet, id } = life;
        const { status } = bench.call('executions.get', { wallet, pathParams: { id } });
        life.aging.control(action);
        if ((action === 'pause') !== (status === 'running')) return;
        bench.call(`executions.${action}` as EndpointId, { wallet, pathParams: { id } });
      };
      return [
        { life, second, act: launch },
        ...life.one.controls.map(([wait, action]) => {
          second += wait;
          return { life, second, act: control(action) };
        }),
      ];
    });
    const eventsOf = ({ wallet, id }: Life): string[] =>
      bench
        .call('executions.events', { wallet, pathParams: { id }, query: { limit: 500 } })
        .items.toReversed()
        .flatMap(({ event, reason, detail, time }: EventRow) => {
          const second = (time - START) / SECOND;
          const { stale_seconds: age, status } = detail;
          if (event === 'stale_warning') return [`${second} warned ${age}`];
          return event === 'status' ? [`${second} ${status} ${reason}`] : [];
        });
    const compare = (second: number): void => {
      advanceTo(second);
      for (const life of lives) {
        if (life.id === '') continue;
        life.aging.advanceTo(second);
        expect(eventsOf(life)).toEqual(life.aging.reported);
      }
    };
    for (const { second, act, life } of actions.toSorted((a, b) => a.second - b.second)) {
      if (second > end) break;
      compare(second);
      act();
      expect(life.id).not.toBe('');
    }
    compare(end);
    for (const { aging } of lives) {
      for (const line of aging.reported)
        tried.take(
          line.replace(/^\d+ (\w+) (null|\w+).*/, (_all, what: string, why: string) =>
            why === 'stale_data' ? why : what,
          ),
        );
    }
  });
  expect(tried.rare(['warned', 'stale_data', 'running'], 10)).toEqual([]);
});
