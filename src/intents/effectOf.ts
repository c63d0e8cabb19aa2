import type { Intent } from './Intent.ts';
import type { IntentEffect } from './IntentEffect.ts';
import { ruleOf } from './intentRules.ts';

/** What an intent may do to the account: the one interpretation that guards and budget lanes share. */
export function effectOf(intent: Intent): IntentEffect {
  return ruleOf(intent).effect(intent);
}
