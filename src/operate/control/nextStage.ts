import { type Stage, STAGES } from '../../runtime/index.ts';

/** Where a command takes a strategy: a stage by name, the next one, or the one before. */
export type StageMove = 'canary' | 'live' | 'next' | 'back';

/** @returns undefined if there is no stage that way */
export function nextStage(from: Stage, move: StageMove): Stage | undefined {
  if (move === 'canary' || move === 'live') return move;
  return STAGES[STAGES.indexOf(from) + (move === 'next' ? 1 : -1)];
}
