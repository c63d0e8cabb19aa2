import type { EngineState } from './EngineState.ts';
import type { EngineTimers } from './EngineTimers.ts';
import type { MarketFeedback } from './MarketFeedback.ts';

/**
 * The last instant, at most `limit`, until which nothing can happen but that bars close and are published: no timer is
 * due, no watched price is reached, nothing acts on a bar, no tick and no record has a subscriber. The present time
 * if there is no such stretch.
 */
export function quietUntil(
  engine: EngineState,
  timers: EngineTimers,
  feedback: MarketFeedback,
  limit: number,
): number {
  const { market, barHooks } = engine;
  if (market.list.some(({ path }) => path.feed.tape !== undefined)) return market.now;
  const nextTimer = timers.nextTimeBeside(isFundingIdle(engine) ? 'funding' : null);
  const due = Math.min(nextTimer, barHooks.nextHookTime(), feedback.nextTime, feedback.marketsTime);
  const until = due <= limit ? due - 1 : limit;
  if (until <= market.now) return market.now;
  const reached = market.nextReachTime(until);
  return Math.max(reached <= until ? reached - 1 : until, market.now);
}

/** Moves time over a stretch that {@link quietUntil} allows. */
export function skipTo(
  { market, barHooks }: EngineState,
  timers: EngineTimers,
  time: number,
): void {
  market.now = time;
  if (barHooks.nextTime <= time) barHooks.takeDue();
  // At most the settlements of who holds nothing: the one that runs schedules the next after now.
  timers.advanceTo(time);
}

/** The hourly settlement changes nothing for accounts that hold nothing. */
function isFundingIdle({ accounts }: EngineState): boolean {
  for (const { positions, holdings } of accounts.values()) {
    if (positions.size > 0 || holdings.size > 0) return false;
  }
  return true;
}
