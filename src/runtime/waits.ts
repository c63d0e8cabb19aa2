import { isUrgent, LANES, type Lane } from '../budget/index.ts';
import type { PipeEvent } from './PipeEvent.ts';

/** The terms by which waits are counted (`waitsFor` of a {@link PipeEvent}), for intents that the guards approved. */
export const waitForBudget = (lane: Lane): string => `budget (${lane})`;
export const waitForConnection = (lane: Lane): string => `connection (${lane})`;

const URGENT: readonly string[] = LANES.filter(isUrgent).map(waitForConnection);

/** Whether a cancel, a stop or an exit waits because it could not be sent to the service; no attempt of it arrived. */
export function isUnsentExit({ state, waitsFor }: Pick<PipeEvent, 'state' | 'waitsFor'>): boolean {
  return state === 'deferred' && waitsFor !== undefined && URGENT.includes(waitsFor);
}
