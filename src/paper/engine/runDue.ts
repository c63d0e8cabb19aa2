import type { TaskQueue } from '../../env/index.ts';
import type { MarketFeedback } from './MarketFeedback.ts';
import { dispatchBar, dispatchWatch } from './reactions.ts';
import type { World } from './World.ts';

/**
 * Runs everything that is due until `time` inclusive, in time order. At one instant: prices that
 * are reached, then corners of the path (ticks), then bars that close, then timers.
 *
 * A stretch in which nothing is watched, published or scheduled is one step, however many bars it
 * has.
 */
export function runDue(
  world: World,
  timers: TaskQueue,
  feedback: MarketFeedback,
  time: number,
): void {
  const { market, barHooks } = world;
  if (time < market.now) throw new Error(`Time does not go back: ${time} is before ${market.now}.`);
  for (;;) {
    const timer = timers.nextTime() ?? Infinity;
    const quiet = Math.min(time, timer, barHooks.nextTime(), feedback.nextCornerTime());
    const reached = market.nextReachTime(quiet);
    if (reached <= quiet) {
      market.now = reached;
      runReached(world);
      continue;
    }
    const isDue = quiet < time || timer <= time || barHooks.nextTime() <= time;
    market.now = quiet;
    if (feedback.nextCornerTime() <= quiet) feedback.publishCorners();
    runClosedBars(world, feedback);
    timers.advanceTo(quiet);
    if (!isDue) return;
  }
}

function runReached(world: World): void {
  const watch = world.market.takeReached();
  if (watch !== undefined) dispatchWatch(world, watch);
}

function runClosedBars(world: World, feedback: MarketFeedback): void {
  if (world.barHooks.nextTime() > world.market.now) return;
  for (const stream of world.barHooks.takeDue()) {
    if (stream.published) feedback.publishClosed(stream.symbol, stream.interval);
    for (const hook of Array.from(stream.hooks)) {
      if (stream.hooks.has(hook)) dispatchBar(world, hook);
    }
  }
}
