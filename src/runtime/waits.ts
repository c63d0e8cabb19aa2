import { isUrgent, LANES, type Lane } from '../budget/index.ts';
import type { PipeEvent } from './PipeEvent.ts';

/** The terms by which waits are counted (`waitsFor` of a {@link PipeEvent}), for intents that the guards approved. */
export const waitForBudget = (lane: Lane): string => `budget (${lane})`;
export const waitForConnection = (lane: Lane): string => `connection (${lane})`;

const LANE_OF = new Map<string, Lane>(
  LANES.flatMap((lane) => [
    [waitForBudget(lane), lane],
    [waitForConnection(lane), lane],
  ]),
);

/** The lane of a wait for the budget or the connection; undefined for one that waits for something else. */
export const laneOfWait = (waitsFor: string): Lane | undefined => LANE_OF.get(waitsFor);

const URGENT: readonly string[] = LANES.filter(isUrgent).map(waitForConnection);

/** Whether a cancel, a stop or an exit waits because it could not be sent to the service; no attempt of it arrived. */
export function isUnsentExit({ state, waitsFor }: Pick<PipeEvent, 'state' | 'waitsFor'>): boolean {
  return state === 'deferred' && waitsFor !== undefined && URGENT.includes(waitsFor);
}
