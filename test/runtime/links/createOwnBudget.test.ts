import { expect, test } from 'vitest';
import { defaultDialect } from '../../../src/contract/index.ts';
import { createVirtualEnv } from '../../../src/env/createVirtualEnv.ts';
import type { BotPlan } from '../../../src/runtime/BotPlan.ts';
import { createOwnBudget } from '../../../src/runtime/links/index.ts';

const { windowMs } = defaultDialect.budget;

test.each([
  ['wall', [3_600_000, -3_600_000]],
  ['market', [0]],
] as const)('LIM-2: a wait lasts as long as it is asked for, on the clock %s', (clock, steps) => {
  for (const stepMs of steps) {
    const time = { wall: 10_000_000, monotonic: 0, market: 50_000_000 };
    const budget = createOwnBudget({
      plan: {
        budget: { limit: 1_000, share: 1, reserveShare: 0, reserveFloor: 0, clock },
        dialect: defaultDialect,
      } as BotPlan,
      env: { clock: { wallNow: () => time.wall, monotonicNow: () => time.monotonic } } as never,
      market: { now: () => time.market, at: () => () => {} },
      exitWeight: () => 0,
    }).create();
    budget.spend(900, 'entry');
    budget.holdFor(5_000);
    // Whoever sets the wall's clock neither ends the wait nor makes it endless.
    time.wall += stepMs;
    const pass = (ms: number): void => {
      time[clock === 'wall' ? 'monotonic' : 'market'] += ms;
    };
    pass(4_999);
    expect(budget.admit('exit', 1)).toMatchObject({ reason: 'retry_after' });
    pass(1);
    expect(budget.admit('exit', 1)).toEqual({ admitted: true });
    expect(budget.status().used).toBe(900);
    pass(windowMs - 5_000);
    expect(budget.status().used).toBe(0);
  }
});

test.each(['wall', 'market'] as const)('what waits on the clock %s runs at its time', (clock) => {
  const env = createVirtualEnv({ startTime: 50_000_000 });
  const { at } = createOwnBudget({
    plan: {
      budget: { limit: 1_000, share: 1, reserveShare: 0, reserveFloor: 0, clock },
      dialect: defaultDialect,
    } as BotPlan,
    env,
    market: env.queue,
    exitWeight: () => 0,
  });
  const start = clock === 'market' ? 50_000_000 : 0;
  const ran: number[] = [];
  at(start + 5_000, () => ran.push(env.queue.now()));
  env.queue.advanceTo(50_002_000);
  at(start + 7_000, () => ran.push(env.queue.now()));
  at(start + 8_000, () => expect.unreachable())();
  env.queue.advanceTo(50_100_000);
  expect(ran).toEqual([50_005_000, 50_007_000]);
});
