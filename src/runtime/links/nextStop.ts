import type { BarrierLink } from './createBarrierLink.ts';

export interface NextStop {
  /** Where the replay is, and where it ends, epoch milliseconds. */
  time: number;
  endTime: number;
  /** Bar of the finest feed, milliseconds: no step goes beyond its close. */
  stepMs: number;
  link: Pick<BarrierLink, 'nextTaskTime'>;
}

/**
 * How far the next step of a replay may go, at most: to the close of the bar, and to what the bot
 * itself has planned before it. The service ends it earlier where it has something to report.
 */
export function nextStop({ time, endTime, stepMs, link }: NextStop): number {
  const barEnd = Math.floor(time / stepMs) * stepMs + stepMs;
  const planned = Math.ceil(link.nextTaskTime());
  const target = planned < barEnd ? planned : barEnd;
  // What was planned for now is run by the next step, and that one goes on.
  return Math.min(target > time ? target : time + 1, endTime);
}
