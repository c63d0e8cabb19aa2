/**
 * Lives of executions of two wallets, whatever is launched, controlled and interrupted: what their frames report is what
 * the service answers, what does not run has nothing in the market, and nobody notices the other wallet.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type {
  EndpointId,
  ExecutionRecord,
  FillRecord,
  OrderRecord,
} from '../../../src/contract/index.ts';
import { createGrowingFeed, type Feed } from '../../../src/paper/index.ts';
import { ServiceError } from '../../../src/paper/core/ServiceError.ts';
import type { EngineEvent } from '../../../src/paper/core/Engine.ts';
import type { SavedEngine } from '../../../src/paper/state/SavedEngine.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';
import { createBench, feedOf, flat, MINUTE, START, walk } from '../engine/bench.ts';

const BARS = 80;
const QUIET = 5;
/** Each wallet has its own market, so that they share no volume. */
const MARKET_OF = { main: 'BTC', other: 'ETH' } as const;
type Wallet = keyof typeof MARKET_OF;
const WALLETS = ['main', 'other'] as const;
const HELD = 6;
/** A balance that an order of many units exceeds. */
const BALANCE = 3_000;
const CONTROLS = ['pause', 'resume', 'resume', 'stop', 'completeAtMarket', 'markComplete'] as const;
const FLOW = { max_duration_seconds: 1_200, participation: 0.08 };

/** Offsets of the quiet price, in the direction that is worse for the side. */
const LAUNCHES = {
  passive: { algo: 'glidemaker', params: { strategy: 'passive' }, limit: 0.4 },
  aggressive: { algo: 'glidemaker', params: { strategy: 'aggressive' }, limit: 0.6 },
  pacemaker: { algo: 'pacemaker', params: { duration_seconds: 900, slices: 9 } },
  bounded: { algo: 'pacemaker', params: { duration_seconds: 600, slices: 10 }, limit: 0.3 },
  flowscale: { algo: 'flowscale', params: FLOW },
  limited: { algo: 'flowscale', params: { participation: 0.3 }, limit: 0.2 },
  flowband: { algo: 'flowband', params: { participation: 0.2, band_low: 99.2, band_high: 100.9 } },
  near: { algo: 'ghostsweep', params: {}, trigger: 0.4, sweep_limit_bps: 200 },
  narrow: { algo: 'ghostsweep', params: {}, trigger: -0.4, sweep_limit_bps: 0 },
  smart: { algo: 'smartexit', params: { patience_seconds: 40 }, exits: 0.5 },
} as const;
type Name = keyof typeof LAUNCHES;

const launch = fc.record({
  op: fc.constant('launch' as const),
  wallet: fc.constantFrom(...WALLETS),
  name: fc.constantFrom(...(Object.keys(LAUNCHES) as Name[])),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  size: fc.constantFrom(2, 9, 40, 500),
  reduces: fc.boolean(),
});
const op = fc.oneof(
  { weight: 4, arbitrary: launch },
  {
    weight: 5,
    arbitrary: fc.record({
      op: fc.constant('control' as const),
      wallet: fc.constantFrom(...WALLETS),
      action: fc.constantFrom(...CONTROLS),
      which: fc.nat(9),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ op: 'interrupt' as const }) },
);
const drawn = fc.record({
  seed: fc.nat(1e6),
  held: fc.constantFrom(HELD, -HELD),
  course: fc.array(fc.tuple(op, fc.constantFrom(0, 0.25, 1, 1, 2.5, 4)), {
    minLength: 5,
    maxLength: 14,
  }),
});
type Case = typeof drawn extends fc.Arbitrary<infer T> ? T : never;
type Op = Case['course'][number][0];
type Launch = Extract<Op, { op: 'launch' }>;

const cents = (price: number): number => Math.round(price * 100) / 100;

function bodyOf({ wallet, name, side, size, reduces }: Launch) {
  const { algo, params, ...more } = LAUNCHES[name] as (typeof LAUNCHES)[Name] & {
    limit?: number;
    trigger?: number;
    exits?: number;
    sweep_limit_bps?: number;
  };
  const worse = side === 'buy' ? 1 : -1;
  const priced = {
    ...(more.limit !== undefined && { limit_price: cents(100 + worse * more.limit) }),
    ...(more.trigger !== undefined && { trigger_price: cents(100 + worse * more.trigger) }),
    ...(more.exits !== undefined && {
      stop_price: cents(100 + worse * more.exits),
      take_price: cents(100 - worse * more.exits),
    }),
  };
  const sweep = more.sweep_limit_bps === undefined ? {} : { sweep_limit_bps: more.sweep_limit_bps };
  const reduce_only = algo === 'smartexit' || reduces;
  return {
    algo,
    symbol: MARKET_OF[wallet],
    side,
    total_size: size,
    params: { ...params, ...priced },
    ...sweep,
    ...(reduce_only && { reduce_only }),
  };
}

/** What one wallet was answered and shown. */
interface Seen {
  role: Wallet;
  wallet: string;
  ids: string[];
  answers: unknown[];
  frames: EngineEvent[];
}

/** A bench has both wallets, with a position each. */
interface Manner {
  /** Who of them acts. */
  acting: readonly Wallet[];
  /** Whether each plays the part of the other. */
  isSwapped?: boolean;
  /** Whether the engine is saved and opened again at each step. */
  reopens?: boolean;
  /** Whether each bar comes as it opens. */
  grows?: boolean;
  onStep?(one: Step): void;
}

function play({ seed, held, course }: Case, { acting, isSwapped, reopens, grows, onStep }: Manner) {
  const feeds = WALLETS.map((role) => {
    const moves = walk(`${seed} ${role}`, BARS, { move: 0.008, volume: 60 });
    return feedOf([...flat(100, QUIET), ...moves], { symbol: MARKET_OF[role] });
  });
  const growing = feeds.map(growingFeedOf);
  if (grows === true) for (const { growTo } of growing) growTo(0);
  let bench = createBench(
    { feeds: grows === true ? growing.map(({ feed }) => feed) : feeds },
    { balance: BALANCE },
  );
  bench.engine.addAccount('other', BALANCE);
  const run = (minutes: number): void => {
    const end = bench.engine.now + minutes * MINUTE;
    while (grows === true && bench.engine.endTime < end) {
      const bars = Math.round((bench.engine.endTime - START) / MINUTE);
      bench.engine.advanceTo(bench.engine.endTime);
      for (const { growTo } of growing) growTo(bars);
      bench.engine.feedsGrew();
    }
    bench.engine.advanceTo(end);
  };
  run(QUIET - 1);
  const names = isSwapped === true ? WALLETS.toReversed() : WALLETS;
  const seen = WALLETS.map((role, at): Seen => {
    return { role, wallet: names[at]!, ids: [], answers: [], frames: [] };
  });
  for (const { role, wallet } of seen) {
    const side = held > 0 ? 'buy' : 'sell';
    const body = { symbol: MARKET_OF[role], side, size: HELD, order_type: 'market' };
    bench.call('orders.place', { wallet, body });
  }
  run(1);

  function act(one: Op): void {
    if (one.op === 'interrupt') {
      const before = seen.map(statusesOf);
      bench.engine.interruptExecutions();
      const interrupted = before.map((of) =>
        of.map((status) => (status === 'running' ? 'interrupted' : status)),
      );
      expect(seen.map(statusesOf)).toEqual(interrupted);
      return;
    }
    const its = seen.find(({ role }) => role === one.wallet && acting.includes(role));
    if (its === undefined) return;
    const { wallet } = its;
    try {
      if (one.op === 'launch') {
        const idempotencyKey = `key ${its.ids.length}`;
        const body = bodyOf(one);
        const made = bench.call('executions.launch', { wallet, body, idempotencyKey });
        its.ids.push(made.execution_id);
        its.answers.push(made);
      } else if (its.ids.length > 0) {
        const id = its.ids[one.which % its.ids.length]!;
        const endpoint = `executions.${one.action}` as EndpointId;
        const known = bench.events.length;
        const made = bench.call(endpoint, { wallet, pathParams: { id } });
        its.answers.push(made);
        checkControlled(one.action, made);
        if (one.action === 'completeAtMarket')
          for (const { event, data } of bench.events.slice(known))
            if (event === 'progress') expect(data).toMatchObject({ phase: 'sweeping' });
      }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      its.answers.push([error.code, JSON.parse(JSON.stringify(error.details ?? null))]);
    }
  }

  const statusesOf = ({ wallet, ids }: Seen): string[] =>
    ids.map((id) => bench.call('executions.get', { wallet, pathParams: { id } }).status);

  for (const [one, minutes] of course) {
    act(one);
    for (const part of [0, minutes]) {
      if (part > 0) run(part);
      const frames = bench.events.splice(0);
      for (const each of seen) {
        const own = frames.filter(({ wallet }) => wallet === each.wallet);
        each.frames.push(...own);
        onStep?.({ bench, seen: each, own });
      }
      if (onStep !== undefined)
        checkHandles(
          bench,
          seen.flatMap((each) => runningOf(each)),
        );
    }
    if (reopens === true) {
      const saved = JSON.parse(JSON.stringify(bench.engine.save())) as SavedEngine;
      bench = createBench({ feeds, saved });
    }
  }
  return seen;

  function runningOf(each: Seen): string[] {
    const statuses = statusesOf(each);
    return each.ids.flatMap((id, at) =>
      statuses[at] === 'running' ? [`${each.wallet} ${id}`] : [],
    );
  }
}

/** The same bars, as many as have come. */
function growingFeedOf(whole: Feed) {
  const { feed, append } = createGrowingFeed(whole.symbol, whole.interval);
  const { time, open, high, low, close, volume } = whole;
  let bars = 0;
  /** @param last index of the last bar that has come */
  function growTo(last: number): void {
    for (; bars <= last && bars < time.length; bars++)
      append({
        time: time[bars]!,
        open: open[bars]!,
        high: high[bars]!,
        low: low[bars]!,
        close: close[bars]!,
        volume: volume[bars]!,
      });
  }
  return { feed, growTo };
}

/** What a control that was allowed leads to, but for a resumption, which may act at once. */
function checkControlled(action: (typeof CONTROLS)[number], made: ExecutionRecord): void {
  const { status, reason, reduce_only: reduces, filled_size: filled, total_size: size } = made;
  if (action === 'pause') expect([status, reason]).toEqual(['paused', null]);
  if (action === 'stop') expect([status, reason]).toEqual(['stopped', 'user_stop']);
  if (action === 'markComplete') expect([status, reason]).toEqual(['completed', 'mark_complete']);
  if (action !== 'completeAtMarket') return;
  const left = reduces ? 'nothing_to_reduce' : 'insufficient_margin';
  expect([status, reason]).toEqual(
    filled === size ? ['completed', 'complete_at_market'] : ['stopped', left],
  );
}

/** What does not run has no watched price, no timer and no bar. */
function checkHandles(bench: Step['bench'], running: readonly string[]): void {
  const { market, hooks, timers } = bench.engine.save();
  const owners = [...market.watches, ...hooks, ...timers]
    .filter(({ topic }) => topic === 'execution' || topic === 'stale')
    .map(({ wallet, id }) => `${wallet} ${id}`);
  expect(owners.filter((owner) => !running.includes(owner))).toEqual([]);
  const once = timers.map(({ topic, wallet, id }) => `${topic} ${wallet} ${id}`);
  expect(new Set(once).size).toBe(once.length);
}

interface Step {
  bench: ReturnType<typeof createBench>;
  seen: Seen;
  /** The frames since the last step. */
  own: readonly EngineEvent[];
}

/** Ids are counted over all wallets: they become those of their order among the wallet's own, and wallets their part. */
function withoutNames({ ids, answers, frames, wallet, role }: Seen): unknown {
  const known = new Map<string, string>();
  const text = JSON.stringify([ids, answers, frames])
    .replaceAll(
      /"(exe|ord|fil|leg|pos|wat)_\d+"/g,
      (id) => known.get(id) ?? (known.set(id, `"#${known.size}"`), known.get(id)!),
    )
    .replaceAll(`"wallet":"${wallet}"`, `"wallet":"${role}"`);
  return JSON.parse(text) as unknown;
}

test('EXE-8: frames report what the service answers, and a wallet trades as if it were alone, under any name, over restarts, as bars come', async () => {
  const tried = new Tried();
  await holdLaw(40, drawn, (one) => {
    const reported = { main: new Reported(tried), other: new Reported(tried) };
    const both = play(one, {
      acting: WALLETS,
      onStep: ({ bench, seen, own }) => reported[seen.role].compare(bench, seen, own),
    });
    const again = play(one, { acting: WALLETS, reopens: true });
    expect(again.map(withoutNames)).toEqual(both.map(withoutNames));
    const live = play(one, { acting: WALLETS, grows: true });
    expect(live.map(withoutNames)).toEqual(both.map(withoutNames));
    for (const [at, seen] of both.entries()) {
      const alone = play(one, { acting: [seen.role], isSwapped: true });
      expect(withoutNames(alone[at]!)).toEqual(withoutNames(seen));
    }
  });
  const kinds = ['paused', 'interrupted', 'filled', 'rejected', 'reduces', 'resumed', 'swept'];
  if (isFull) expect(tried.rare(kinds, 5)).toEqual([]);
});

/** What a wallet's frames have reported, frame by frame. */
class Reported {
  readonly #tried: Tried;
  readonly #executions = new Map<string, ExecutionRecord>();
  readonly #orders = new Map<string, OrderRecord>();

  constructor(tried: Tried) {
    this.#tried = tried;
  }

  compare(bench: Step['bench'], { wallet, ids }: Seen, own: readonly EngineEvent[]): void {
    for (const frame of own) this.#take(frame);
    for (const id of ids) {
      const parts = { wallet, pathParams: { id } };
      const record: ExecutionRecord = bench.call('executions.get', parts);
      const last = this.#executions.get(id)!;
      // Its phase changes by itself.
      const { phase, ...rest } = record;
      expect({ ...last, phase: null }).toEqual({ ...rest, phase: null });
      if (record['ended_time'] !== null) expect(phase).toBe('done');
      this.#compareParts(bench, parts, record);
    }
  }

  #take({ channel, event, data }: EngineEvent): void {
    if (channel === 'executions') this.#takeExecution(event, data as ExecutionRecord);
    else if (event === 'order') this.#takeOrder(data as OrderRecord);
    else if (event === 'fill') {
      const { execution_id: id, order_id: filled } = data as FillRecord;
      if (id === null || id === undefined) return;
      this.#expectAlone(id, filled);
      const last = this.#executions.get(id)!;
      // What does not run has nothing in the market.
      expect([id, last.status]).toEqual([id, 'running']);
    }
  }

  #takeOrder(order: OrderRecord): void {
    const { order_id: id, execution_id: execution } = order;
    const { updated_time: _before, ...last } = this.#orders.get(id) ?? ({} as OrderRecord);
    const { updated_time: _now, ...shown } = order;
    // A frame without news would make a client look for some.
    expect(shown).not.toEqual(last);
    this.#orders.set(id, order);
    if (execution === null || execution === undefined) return;
    this.#expectAlone(execution, id);
  }

  /** No other order of the execution rests. */
  #expectAlone(execution: string, id: string): void {
    const others = [...this.#orders.values()].filter(
      (other) =>
        other.execution_id === execution && other.order_id !== id && other.status === 'open',
    );
    expect(others).toEqual([]);
  }

  #takeExecution(event: string, record: ExecutionRecord): void {
    const { execution_id: id, status } = record;
    const last = this.#executions.get(id);
    this.#executions.set(id, record);
    if (event === 'stale_warning') return;
    expect(last === undefined).toBe(event === 'started');
    if (event === 'status') {
      expect(status === 'running').toBe(last!.status !== 'running');
      expect([record.filled_size, record['ended_time']]).toEqual([last!.filled_size, null]);
      this.#tried.take(status === 'running' ? 'resumed' : status);
    }
    if (event === 'ended') expect(['completed', 'stopped']).toContain(status);
    else if (event !== 'status') expect([event, status]).toEqual([event, 'running']);
    if (status === 'running') return;
    const open = [...this.#orders.values()].filter(
      (order) => order.execution_id === id && order.status === 'open',
    );
    expect([status, open]).toEqual([status, []]);
  }

  #compareParts(bench: Step['bench'], parts: object, record: ExecutionRecord): void {
    const query = { limit: 500 };
    const orders: OrderRecord[] = bench.call('executions.orders', { ...parts, query }).items;
    const fills: FillRecord[] = bench.call('executions.fills', { ...parts, query }).items;
    const events: Array<{ event: string; reason: string | null; time: number }> = bench.call(
      'executions.events',
      { ...parts, query },
    ).items;
    const [latest] = events.filter(({ event }) => event !== 'stale_warning');
    expect(record.updated_time).toBe(latest!.time);
    if (record['ended_time'] !== null)
      expect([latest!.event, latest!.reason]).toEqual(['ended', record.reason]);
    expect(events.at(-1)!.event).toBe('started');
    expect(events.filter(({ event }) => event === 'progress')).toHaveLength(fills.length);
    const filled = fills.reduce((sum, { size }) => sum + size, 0);
    expect(filled).toBeLessThanOrEqual(record.total_size + 1e-9);
    expect(record.filled_size).toBeCloseTo(filled, 9);
    expect(record.remaining_size).toBeCloseTo(record.total_size - filled, 9);
    // No order but those of its own, and each was shown as it is.
    const own = [...this.#orders.values()].filter(
      (order) => order.execution_id === record.execution_id,
    );
    expect(new Set(orders.map(({ order_id: id }) => id))).toEqual(
      new Set(own.map(({ order_id: id }) => id)),
    );
    for (const order of orders) {
      expect(this.#orders.get(order.order_id)).toEqual(order);
      this.#checkOrder(order, record);
    }
    expect(orders.filter(({ status }) => status === 'open').length).toBeLessThanOrEqual(1);
    if (record.reason === 'filled') this.#tried.take('filled');
    if (record.reason === 'complete_at_market') this.#tried.take('swept');
    if (record.reduce_only && filled > 0) this.#tried.take('reduces');
  }

  #checkOrder(order: OrderRecord, record: ExecutionRecord): void {
    expect([order.reduce_only, order['idempotency_key'], order.side]).toEqual([
      record.reduce_only,
      record['idempotency_key'],
      record.side,
    ]);
    if (order.status === 'rejected') {
      const isReduced = order['reject_reason'] === 'no_position';
      expect(record).toMatchObject({
        status: 'stopped',
        reason: isReduced ? 'nothing_to_reduce' : 'insufficient_margin',
      });
      this.#tried.take('rejected');
    } else if (order.time_in_force === 'post_only') {
      expect(['glidemaker', 'smartexit']).toContain(record.algo);
    } else if (record.status === 'running' && !record.reduce_only) {
      // It takes what the market offers, and asks for no more.
      expect([order.time_in_force ?? 'ioc', order.status]).toEqual(['ioc', 'filled']);
    }
  }
}
