import { createBudget, type Budget } from '../../budget/index.ts';
import type { Cancel, Env, MarketClock } from '../../env/index.ts';
import type { BotPlan } from '../BotPlan.ts';

export interface OwnBudgetOptions {
  plan: BotPlan;
  env: Env;
  market: MarketClock;
  exitWeight: () => number;
}

/** The rate budget of a process, on the clock by which the service counts it, and waits on that clock. */
export function createOwnBudget({ plan, env, market, exitWeight }: OwnBudgetOptions): {
  create(): Budget;
  at(time: number, run: () => void): Cancel;
} {
  const onMarketClock = plan.budget.clock === 'market';
  // Monotonic: setting the wall clock must neither end a wait nor make it endless.
  const now = (): number => (onMarketClock ? market.now() : env.clock.monotonicNow());
  const wall = onMarketClock ? { wallNow: () => env.clock.monotonicNow() } : {};
  const { windowMs } = plan.dialect.budget;
  return {
    create: () => createBudget({ ...plan.budget, windowMs, exitWeight, now, ...wall }),
    at: (time, run) => (onMarketClock ? market.at(time, run) : env.timers.after(time - now(), run)),
  };
}
