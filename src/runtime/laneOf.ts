import type { Lane } from '../budget/index.ts';
import type { OrderRecord } from '../contract/index.ts';
import type { IntentEffect } from '../intents/index.ts';

/**
 * The budget's lane of an intent: what ends or protects goes before what opens.
 *
 * @param changed the order that it modifies, where it is known: moving an exit is as urgent as one
 */
export function laneOf(effect: IntentEffect, changed?: OrderRecord): Lane {
  if (effect.isControl && effect.isExit) return 'control';
  const isExit = effect.isExit || effect.reduceOnly || changed?.reduce_only === true;
  return isExit ? 'exit' : 'entry';
}
