import type { Intent } from '../intents/index.ts';

/**
 * What a journal's row proposed. Its text holds the trigger as well, and a bar on which something was decided
 * names a symbol of its own, so that the text alone never shows what an intent is about.
 */
export const intentOf = (text: string): Intent => (JSON.parse(text) as { intent: Intent }).intent;
