import { nextHourAfter } from '../market/FundingSchedule.ts';
import type { EngineState } from './EngineState.ts';
import type { EngineTimers } from './EngineTimers.ts';
import type { MarketFeedback } from './MarketFeedback.ts';
import { runDue } from './runDue.ts';

/**
 * The last instant, at most `limit`, until which nothing can happen but that bars close and are published: no timer is
 * due, no watched price is reached, nothing acts on a bar, no tick and no record has a subscriber. The present time
 * if there is no such stretch. It may end with funding, which settles after the bars of its instant.
 */
export function quietUntil(
  engine: EngineState,
  timers: EngineTimers,
  feedback: MarketFeedback,
  limit: number,
): number {
  const { market, barHooks } = engine;
  if (market.list.some(({ path }) => path.feed.tape !== undefined)) return market.now;
  const settlement = isFundingIdle(engine) ? Infinity : nextHourAfter(market.now);
  const due = Math.min(
    timers.nextTimeBeside('funding'),
    barHooks.nextHookTime(),
    feedback.nextTime,
    feedback.marketsTime,
    settlement + 1,
  );
  const until = due <= limit ? due - 1 : limit;
  if (until <= market.now) return market.now;
  const reached = market.nextReachTime(until);
  return Math.max(reached <= until ? reached - 1 : until, market.now);
}

/** Moves time over a stretch that {@link quietUntil} allows. */
export function skipTo(
  engine: EngineState,
  timers: EngineTimers,
  feedback: MarketFeedback,
  time: number,
): void {
  const { market, barHooks } = engine;
  market.now = time;
  if (barHooks.nextTime <= time) barHooks.takeDue();
  if (timers.nextTime() > time) return;
  // Settlements of who holds nothing, the first of which schedules the next after now, or the one that ends the stretch.
  timers.advanceTo(time);
  runDue(engine, timers, feedback, time);
}

/** The hourly settlement changes nothing for accounts that hold nothing. */
function isFundingIdle({ accounts }: EngineState): boolean {
  for (const { positions, holdings } of accounts.values()) {
    if (positions.size > 0 || holdings.size > 0) return false;
  }
  return true;
}
