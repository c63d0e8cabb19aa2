import type { BarrierLink } from './createBarrierLink.ts';

export interface NextStop {
  /** Position and end of the replay, epoch milliseconds. */
  time: number;
  endTime: number;
  /** Bar of the finest feed, milliseconds: no step goes beyond its close. */
  stepMs: number;
  link: Pick<BarrierLink, 'nextTaskTime'>;
}

/**
 * The furthest time to which the next step of a replay may go: the close of the bar, or earlier what the bot
 * itself has scheduled. The service ends the step earlier if it has something to report.
 */
export function nextStop({ time, endTime, stepMs, link }: NextStop): number {
  const barEnd = Math.floor(time / stepMs) * stepMs + stepMs;
  const planned = Math.ceil(link.nextTaskTime());
  const target = planned < barEnd ? planned : barEnd;
  // A task due now is run by the next step, which then goes on.
  return Math.min(target > time ? target : time + 1, endTime);
}
