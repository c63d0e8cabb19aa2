import fc from 'fast-check';
import { delay, of, timer } from 'rxjs';
import { describe, expect, test } from 'vitest';
import {
  createLiveEnv,
  createLiveMarketClock,
  createRandom,
  createTurnEnd,
  createVirtualEnv,
  TaskQueue,
  toSchedulerLike,
} from '../../src/env/index.ts';
import { inParts } from '../../src/env/inParts.ts';

describe('virtual time', () => {
  test('tasks run in the order of their times, ties in the order they were scheduled', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50)), (times) => {
        const queue = new TaskQueue(0);
        const ran: Array<{ time: number; index: number }> = [];
        for (const [index, time] of times.entries()) {
          queue.at(time, () => ran.push({ time: queue.now(), index }));
        }
        queue.advanceTo(50);
        const expected = times
          .map((time, index) => ({ time, index }))
          .sort((a, b) => a.time - b.time || a.index - b.index);
        expect(ran).toEqual(expected);
      }),
    );
  });

  test('a task may schedule another, which runs in the same advance if due', () => {
    const queue = new TaskQueue(0);
    const ran: number[] = [];
    queue.at(10, () => queue.at(20, () => ran.push(queue.now())));
    queue.advanceTo(30);
    expect(ran).toEqual([20]);
    expect(queue.now()).toBe(30);
  });

  test('a cancelled task never runs and does not block the queue', () => {
    const queue = new TaskQueue(0);
    const cancel = queue.at(5, () => expect.unreachable());
    cancel();
    expect(queue.nextTime()).toBeUndefined();
    queue.advanceTo(10);
  });

  test('time never goes back', () => {
    const queue = new TaskQueue(100);
    queue.advanceTo(50);
    expect(queue.now()).toBe(100);
    let at = 0;
    queue.at(10, () => (at = queue.now()));
    queue.advanceTo(100);
    expect(at).toBe(100);
  });

  test('RxJS time operators follow the market clock', () => {
    const queue = new TaskQueue(1_000);
    const scheduler = toSchedulerLike(queue);
    const seen: Array<[string, number]> = [];
    const ticks = timer(10, 20, scheduler).subscribe((n) => seen.push([`tick ${n}`, queue.now()]));
    of('late')
      .pipe(delay(25, scheduler))
      .subscribe((value) => seen.push([value, queue.now()]));
    queue.advanceTo(1_050);
    ticks.unsubscribe();
    queue.advanceTo(1_200);
    expect(seen).toEqual([
      ['tick 0', 1_010],
      ['late', 1_025],
      ['tick 1', 1_030],
      ['tick 2', 1_050],
    ]);
  });
});

describe('randomness', () => {
  test('one seed gives one sequence, in [0, 1)', () => {
    const first = createRandom('seed');
    const second = createRandom('seed');
    const other = createRandom('seee');
    const numbers = Array.from({ length: 1_000 }, () => first.next());
    expect(Array.from({ length: 1_000 }, () => second.next())).toEqual(numbers);
    expect(Array.from({ length: 1_000 }, () => other.next())).not.toEqual(numbers);
    for (const number of numbers) expect(number >= 0 && number < 1).toBe(true);
  });

  test('is uniform enough: each decile gets its share', () => {
    const random = createRandom(1);
    const counts = Array.from({ length: 10 }, () => 0);
    for (let draw = 0; draw < 100_000; draw++) counts[Math.floor(random.next() * 10)]!++;
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500);
  });
});

test('a live market clock waits until market time is reached, even if the offset changes', () => {
  const env = createVirtualEnv({ startTime: 0 });
  let offset = 0;
  const market = createLiveMarketClock(env, () => offset);
  const ran: number[] = [];
  market.at(1_000, () => ran.push(market.now()));
  offset = -400;
  env.queue.advanceTo(1_399);
  expect(ran).toEqual([]);
  env.queue.advanceTo(1_400);
  expect(ran).toEqual([1_000]);
});

describe('a wait for market time', () => {
  /** The machine's timers, and its wall clock, which may be set or go on while they stand still. */
  function machine() {
    const { queue, timers } = createVirtualEnv({ startTime: 0 });
    let aheadMs = 0;
    const clock = { wallNow: () => queue.now() + aheadMs, monotonicNow: () => queue.now() };
    const market = createLiveMarketClock({ clock, timers });
    return { queue, market, step: (byMs: number) => void (aheadMs += byMs) };
  }

  test('that ended while the machine was suspended runs soon after it wakes, whenever that was', () => {
    const suspension = fc.record({
      due: fc.integer({ min: 1, max: 200_000 }),
      at: fc.nat(200_000),
      forMs: fc.nat(20_000_000),
    });
    fc.assert(
      fc.property(suspension, ({ due, at, forMs }) => {
        const { queue, market, step } = machine();
        const ran: number[] = [];
        market.at(due, () => ran.push(market.now()));
        queue.advanceTo(at);
        step(forMs);
        const woke = market.now();
        queue.advanceTo(queue.now() + due + 20_000);
        const expected = at >= due ? due : Math.max(due, woke);
        expect(ran).toHaveLength(1);
        expect(ran[0]! - expected).toBeGreaterThanOrEqual(0);
        expect(ran[0]! - expected).toBeLessThanOrEqual(at >= due || forMs === 0 ? 0 : 5_000);
      }),
    );
  });

  test('that is cancelled never runs, also once the clock was set back', () => {
    const { queue, market, step } = machine();
    const cancel = market.at(100_000, () => expect.unreachable());
    queue.advanceTo(99_999);
    step(-3_600_000);
    queue.advanceTo(200_000);
    cancel();
    queue.advanceTo(10_000_000);
  });
});

test('the live environment reads the machine’s clocks', async () => {
  const env = createLiveEnv();
  const [wall, mono] = [env.clock.wallNow(), env.clock.monotonicNow()];
  await new Promise<void>((resolve) => void env.timers.after(5, resolve));
  expect(env.clock.wallNow()).toBeGreaterThan(wall);
  expect(env.clock.monotonicNow()).toBeGreaterThan(mono);
  const cancel = env.timers.after(0, () => expect.unreachable());
  cancel();
});

test('a wait that is over already runs at once, and Node warns of nothing', () => {
  const asked: number[] = [];
  const after = inParts((delayMs) => (asked.push(delayMs), () => {}));
  after(-0.59, () => {});
  after(0, () => {});
  expect(asked).toEqual([0, 0]);
});

describe('a wait longer than the machine’s timers hold', () => {
  const MOST_MS = 2 ** 31 - 1;
  function machine() {
    const queue = new TaskQueue(0);
    const after = inParts((delayMs, run) =>
      queue.at(queue.now() + (delayMs > MOST_MS ? 1 : delayMs), run),
    );
    return { queue, after };
  }

  test.each([MOST_MS, MOST_MS + 1, 5_000_000_000, 1e13])('lasts as long: %d ms', (delayMs) => {
    const { queue, after } = machine();
    const ran: number[] = [];
    after(delayMs, () => ran.push(queue.now()));
    queue.advanceTo(2e13);
    expect(ran).toEqual([delayMs]);
  });

  test('that is no number is handed on, as the machine runs it at once', () => {
    const asked: number[] = [];
    inParts((delayMs) => {
      asked.push(delayMs);
      return () => {};
    })(Number.NaN, () => {});
    expect(asked).toEqual([Number.NaN]);
  });

  test('without an end never ends', () => {
    const { queue, after } = machine();
    after(Number.POSITIVE_INFINITY, () => expect.unreachable());
    queue.advanceTo(1e13);
  });

  test.each([1_000, 3_000_000_000])('can be cancelled after %d ms', (passedMs) => {
    const { queue, after } = machine();
    const cancel = after(5_000_000_000, () => expect.unreachable());
    queue.advanceTo(passedMs);
    cancel();
    queue.advanceTo(1e10);
  });

  test('does not run at once in the live environment', async () => {
    const { timers } = createLiveEnv();
    const cancel = timers.after(MOST_MS + 1, () => expect.unreachable());
    await new Promise<void>((resolve) => void timers.after(50, resolve));
    cancel();
  });
});

describe('the end of a turn', () => {
  const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  test('tasks wait for it, and run together in order of arrival', async () => {
    const atTurnEnd = createTurnEnd();
    const ran: number[] = [];
    for (const task of [1, 2, 3]) atTurnEnd(() => ran.push(task));
    await Promise.resolve();
    expect(ran).toEqual([]);
    await nextTurn();
    expect(ran).toEqual([1, 2, 3]);
  });

  test('tasks added by a task run after all others, in the same pass', async () => {
    const atTurnEnd = createTurnEnd();
    const ran: string[] = [];
    for (const name of ['first', 'second']) {
      atTurnEnd(() => {
        ran.push(name);
        atTurnEnd(() => ran.push(`${name} added`));
      });
    }
    await nextTurn();
    expect(ran).toEqual(['first', 'second', 'first added', 'second added']);
    atTurnEnd(() => ran.push('later'));
    await nextTurn();
    expect(ran.at(-1)).toBe('later');
  });
});
