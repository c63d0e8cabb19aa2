import type { Lane } from '../../budget/index.ts';
import type { IntentEffect } from '../../intents/index.ts';
import type { Changed } from './openedBy.ts';

/**
 * The budget's lane of an intent: what ends or protects goes before what opens.
 *
 * @param changed the order or execution that it changes, if known: moving an exit is as urgent as an exit
 */
export function laneOf(effect: IntentEffect, changed?: Pick<Changed, 'reduce_only'>): Lane {
  if (effect.isControl && effect.isExit) return 'control';
  return isExitOf(effect, changed) ? 'exit' : 'entry';
}

/** Whether it ends, shrinks or protects. What changes something that only reduces opens nothing either. */
export function isExitOf(
  { isExit, reduceOnly }: Pick<IntentEffect, 'isExit' | 'reduceOnly'>,
  changed?: Pick<Changed, 'reduce_only'>,
): boolean {
  return isExit || reduceOnly || changed?.reduce_only === true;
}
