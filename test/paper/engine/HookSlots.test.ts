import { describe, expect, test, vi } from 'vitest';
import { createRandom, type Random } from '../../../src/env/index.ts';
import type { EngineEvent } from '../../../src/paper/core/Engine.ts';
import { ServiceError } from '../../../src/paper/core/ServiceError.ts';
import { createEngine } from '../../../src/paper/engine/createEngine.ts';
import { HookSlots, type HookSlot } from '../../../src/paper/engine/HookSlots.ts';
import type { Feed } from '../../../src/paper/feed/Feed.ts';
import type { SavedEngine } from '../../../src/paper/state/SavedEngine.ts';
import { Tried } from '../../holdLaw.ts';
import { isFull, rotation } from '../../tiers.ts';
import { createBench, feedOf, MINUTE, type Row } from './bench.ts';

const CASES = isFull ? 1_000 : 10;
const MOST_CASES = 10 * CASES;
const BARS = 160;
const WARM_UP = 40;

/** Whole prices that come back, so that levels, highs and marks are often equal to the digit. */
function drawRows(random: Random): Array<Row | null> {
  const step = random.next() < 0.5 ? 1 : 0.01;
  const toStep = (value: number): number => Math.max(1, Math.round(value / step) * step);
  const cents = (value: number): number => Math.round(value * 100) / 100;
  const move = 0.005 + random.next() * 0.03;
  let last = 100;
  return Array.from({ length: BARS }, (_none, index): Row | null => {
    if (index > WARM_UP && random.next() < 0.03) return null;
    const open = cents(toStep(last * (1 + move * 0.2 * (random.next() - 0.5))));
    const close = cents(toStep(open * (1 + move * (random.next() - 0.5))));
    const high = Math.max(open, close, cents(toStep(open * (1 + move * 0.6 * random.next()))));
    const low = Math.min(open, close, cents(toStep(open * (1 - move * 0.6 * random.next()))));
    last = close;
    return [open, high, low, close, 1_000];
  });
}

const pick = <T>(random: Random, values: readonly T[]): T =>
  values[Math.floor(random.next() * values.length)]!;

/** Of one bar, two averages are the same price: their levels tie. */
const LEVELS = [
  { indicator: 'sma', params: { period: 5 } },
  { indicator: 'ema', params: { period: 8 } },
  { indicator: 'sma', params: { period: 1 } },
  { indicator: 'wma', params: { period: 1 } },
  { indicator: 'ichimoku', series: 'conversion', params: { conversion_period: 3 } },
];
const INTERVALS = ['1m', '1m', '1m', '3m'];

function drawTrail(random: Random) {
  const interval = pick(random, INTERVALS);
  const least = pick(random, [{}, { min_move_bps: 0 }, { min_move_bps: 30 }]);
  const read = pick(random, [
    { pct: pick(random, [1, 2]) },
    { indicator: 'atr', params: { period: 5 }, mult: pick(random, [2, 3]) },
    { indicator: 'atr', params: { period: 5 }, mult: 2 },
  ]);
  return { trail: { ...read, interval, ...least } };
}

function drawAction(random: Random) {
  const side = pick(random, ['buy', 'sell']);
  const size = pick(random, [0.5, 1]);
  const limit = { order_type: 'limit', price: pick(random, [97, 99, 101, 103]) };
  const order = { symbol: 'BTC', side, size, ...pick(random, [{ order_type: 'market' }, limit]) };
  const params = { duration_seconds: 300 };
  const launch = { algo: 'pacemaker', symbol: 'BTC', side, total_size: size, params };
  return random.next() < 0.8
    ? { type: 'order', request: order }
    : { type: 'execute', request: launch };
}

function drawTrigger(random: Random) {
  const direction = pick(random, ['above', 'below']);
  const head = { symbol: 'BTC', direction };
  return random.next() < 0.85
    ? {
        type: 'indicator_level',
        ...head,
        ...pick(random, LEVELS),
        interval: pick(random, INTERVALS),
      }
    : { type: 'price_level', ...head, price: pick(random, [98, 99, 100, 101, 102]) };
}

type Bench = ReturnType<typeof createBench>;
type Step = (bench: Bench) => void;

/** A refusal has no effect, and is the same in both. */
const tried =
  (step: Step): Step =>
  (bench) => {
    try {
      step(bench);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
  };

function drawStep(random: Random, wallet: string): Step {
  const at = random.next();
  const side = pick(random, ['buy', 'sell']);
  const which = random.next();
  const trails = {
    stop_loss: drawTrail(random),
    ...(random.next() < 0.3 ? { take_profit: drawTrail(random) } : {}),
  };
  const monitor = { trigger: drawTrigger(random), action: drawAction(random) };
  const rearm = random.next() < 0.4;
  const level = { ...pick(random, LEVELS.slice(0, 2)), interval: '1m', track: true };
  if (at < 0.3) {
    const order = { side, size: 1, order_type: 'market', ...trails };
    return tried((bench) => bench.order(order, { wallet }));
  }
  if (at < 0.75) {
    const body = { ...monitor, rearm };
    return tried((bench) => bench.call('monitors.create', { body, wallet }));
  }
  if (at < 0.8) {
    const order = { side, size: 1, order_type: 'limit', price_from: level };
    return tried((bench) => bench.order(order, { wallet }));
  }
  if (at < 0.85) {
    const params = { participation: 0.05 };
    const body = { algo: 'flowscale', symbol: 'BTC', side, total_size: 2, params };
    return tried((bench) => bench.call('executions.launch', { body, wallet }));
  }
  const endpoint = pick(random, ['monitors.pause', 'monitors.resume', 'monitors.remove'] as const);
  return tried((bench) => {
    const { items } = bench.call('monitors.list', { wallet, query: { limit: 500 } });
    const id = items[Math.floor(which * items.length)]?.monitor_id ?? 'none';
    bench.call(endpoint, { pathParams: { id }, wallet });
    // Two monitors of which one stops the other.
    const ids = items.slice(0, 2).map((each: { monitor_id: string }) => each.monitor_id);
    const body = { mode: 'oco', monitor_ids: ids };
    if (which < 0.3) bench.call('monitors.createGroup', { body, wallet });
  });
}

interface Drawn {
  feed: Feed;
  /** By the minute. */
  steps: Step[][];
  /** Minute of a restart; null: none. */
  restart: number | null;
  /** The state is saved each time after so many minutes. */
  saveEvery: number;
}

function draw(seed: string): Drawn {
  const random = createRandom(seed);
  const feed = feedOf(drawRows(random));
  const busy = pick(random, [0.1, 0.4, 1]);
  const steps = Array.from({ length: BARS }, () =>
    Array.from({ length: random.next() < busy ? 1 + Math.floor(random.next() * 3) : 0 }, () =>
      drawStep(random, pick(random, ['main', 'other'])),
    ),
  );
  const restart = random.next() < 0.3 ? 90 : null;
  return { feed, steps, restart, saveEvery: pick(random, [3, 10, BARS]) };
}

/** All that a run leaves: every event at its time, and its states. */
function play({ feed, steps, restart, saveEvery }: Drawn) {
  const saved: unknown[] = [];
  // A copy: not all that is saved is copied.
  const save = (): unknown => {
    const copy = JSON.parse(JSON.stringify(bench.engine.save())) as SavedEngine;
    for (const { monitors } of copy.accounts)
      for (const [, monitor] of monitors) {
        // One that its group stops at the instant of a bar has seen the bar or not, and begins anew either way.
        if (monitor.record.status !== 'armed') (monitor as { ready: unknown }).ready = null;
      }
    return copy;
  };
  const seen: Array<EngineEvent & { time: number }> = [];
  const options = { feeds: [feed], startTime: feed.time[WARM_UP]! };
  const onEvent = (event: EngineEvent): void =>
    void seen.push({ ...structuredClone(event), time: bench.engine.now });
  const bench = createBench(options, { balance: 100_000, onEvent });
  bench.engine.addAccount('other', 2_000);
  for (let minute = 0; minute + WARM_UP < BARS; minute++) {
    if (bench.engine.now >= bench.engine.endTime) break;
    if (minute === restart) {
      const instruments = { BTC: { price_decimals: 2 } };
      const next = createEngine({ ...options, instruments, saved: save() as SavedEngine });
      next.listen(onEvent);
      next.setMarketInterest({ ticks: [], bars: [] });
      (bench as { engine: typeof next }).engine = next;
    }
    for (const step of steps[minute]!) step(bench);
    // Mostly to a close; sometimes to a moment between two.
    bench.engine.advanceTo(
      Math.min(bench.engine.now + MINUTE * (minute % 7 === 3 ? 0.4 : 1), bench.engine.endTime),
    );
    if (minute % saveEvery === 0) saved.push(save());
  }
  return { seen, saved: [...saved, save()] };
}

/** Each hook is called at each bar, and decides for itself. */
function playOneByOne(drawn: Drawn) {
  const take = HookSlots.prototype.take;
  const spy = vi.spyOn(HookSlots.prototype, 'take').mockImplementation(function (
    this: HookSlots,
    from,
  ) {
    return take.call(this, from, () => null);
  });
  try {
    return play(drawn);
  } finally {
    spy.mockRestore();
  }
}

/** Seeds of cases that are rare: a monitor that its group stops at the bar that would have readied it. */
const KNOWN = ['20784 508'];

describe('hooks that share what they read', () => {
  test('do what each of them would do alone, in the same order', () => {
    const tried = new Tried();
    const events = ['trail_moved', 'leg_triggered', 'fired', 'stopped', 'entry_moved'];
    // A few cases may lack an event; more are drawn until each occurred.
    const isDull = () => tried.rare(events, 11).length > 0;
    for (let at = 0; at < CASES || (isDull() && at < MOST_CASES); at++) {
      const seed = KNOWN[at] ?? `${rotation} ${at}`;
      const drawn = draw(seed);
      const [shared, alone] = [play(drawn), playOneByOne(drawn)];
      expect(shared.seen, `seed ${seed}`).toEqual(alone.seen);
      expect(shared.saved, `seed ${seed}`).toEqual(alone.saved);
      tried.take(...alone.seen.map(({ event }) => event));
    }
    expect(tried.rare(events, 11)).toEqual([]);
  }, 120_000);

  test('of a hundred monitors on one level, none is called while the mark stays away', () => {
    const rows = Array.from({ length: 60 }, (): Row => [100, 100.5, 99.5, 100, 1_000]);
    const bench = createBench({ feeds: [feedOf(rows)], startTime: feedOf(rows).time[30]! });
    const level = { indicator: 'keltner', series: 'upper', params: { mult: 50 }, interval: '1m' };
    const trigger = { type: 'indicator_level', symbol: 'BTC', direction: 'above', ...level };
    const action = drawAction(createRandom('any'));
    for (let index = 0; index < 100; index++) {
      bench.call('monitors.create', { body: { trigger, action } });
    }
    const called: HookSlot[] = [];
    const take = HookSlots.prototype.take;
    vi.spyOn(HookSlots.prototype, 'take').mockImplementation(function (this: HookSlots, ...given) {
      const taken = take.apply(this, given);
      called.push(...taken.called);
      return taken;
    });
    bench.run(20);
    vi.restoreAllMocks();
    expect(called).toEqual([]);
    expect(bench.engine.save().market.watches).toHaveLength(100);
  });
});
