import type { Lane } from '../budget/index.ts';
import type { IntentEffect } from '../intents/index.ts';

/** The budget's lane of an intent: what ends or protects goes before what opens. */
export function laneOf(effect: IntentEffect): Lane {
  if (effect.isControl) return 'control';
  return effect.isExit || effect.reduceOnly ? 'exit' : 'entry';
}
