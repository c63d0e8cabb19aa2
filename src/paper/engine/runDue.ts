import type { EngineTimers } from './EngineTimers.ts';
import type { MarketFeedback } from './MarketFeedback.ts';
import { dispatchWatch } from './reactions.ts';
import { runHooks } from './runHooks.ts';
import type { EngineState } from './EngineState.ts';

/** Ends a step early, at the first instant that has an effect. */
export interface StepEnd {
  /** Called when an instant is complete and time would advance. */
  isOver(): boolean;
  /** Time advances to that instant. */
  onInstant?: ((time: number) => void) | undefined;
}

/**
 * Runs everything that is due until `time` inclusive, in time order. At one instant: reached prices, then
 * corners of the path (ticks, books), then bars that close, then timers, then market records.
 *
 * A span in which nothing is watched, published or scheduled is one step, whatever its number of bars.
 *
 * @param step ends it earlier, after an instant and never within one
 */
export function runDue(
  engine: EngineState,
  timers: EngineTimers,
  feedback: MarketFeedback,
  time: number,
  step?: StepEnd,
): void {
  const { market } = engine;
  if (time < market.now) throw new Error(`Time does not go back: ${time} is before ${market.now}.`);
  for (;;) {
    const due = nextDueTime(engine, timers, feedback);
    const until = due < time ? due : time;
    const reached = market.nextReachTime(until);
    if (step !== undefined) {
      const next = reached <= until ? reached : until;
      if (next > market.now) {
        if (step.isOver()) return;
        step.onInstant?.(next);
      }
    }
    if (reached <= until) {
      market.now = reached;
      const watch = market.takeReached();
      if (watch !== undefined) dispatchWatch(engine, watch);
      continue;
    }
    market.now = until;
    if (due > time) return;
    if (feedback.nextTime <= until) feedback.publishCorners();
    if (engine.barHooks.nextTime <= until) runClosedBars(engine, feedback);
    timers.advanceTo(until);
    if (feedback.marketsTime <= until) feedback.publishMarkets();
  }
}

function nextDueTime(engine: EngineState, timers: EngineTimers, feedback: MarketFeedback): number {
  let next = timers.nextTime();
  if (engine.barHooks.nextTime < next) next = engine.barHooks.nextTime;
  if (feedback.marketsTime < next) next = feedback.marketsTime;
  return feedback.nextTime < next ? feedback.nextTime : next;
}

function runClosedBars(engine: EngineState, feedback: MarketFeedback): void {
  const { due } = engine.barHooks;
  const count = engine.barHooks.takeDue();
  for (let at = 0; at < count; at++) {
    const stream = due[at]!;
    if (stream.published) feedback.publishClosed(stream);
    if (stream.hooks.size > 0) runHooks(engine, stream);
  }
}
