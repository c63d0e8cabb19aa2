import type { Intent } from '../intents/index.ts';

/** In percent: a trail nearer than the cost of a round trip makes no sense, and 9.9 % as a fraction is 0.099. */
const SMALL = 0.1;
const LEGS = ['stop_loss', 'take_profit'] as const;

/** The path of a trail so small that a fraction was likely meant: 1.5 % is `pct: 1.5`, not 0.015. */
export function smallPercent(intent: Intent): { path: string; pct: number } | undefined {
  const request = 'request' in intent ? (intent.request as object) : intent;
  for (const leg of LEGS) {
    const spec = (request as Record<string, { trail?: { pct?: number } } | undefined>)[leg];
    const pct = spec?.trail?.pct;
    if (pct !== undefined && pct < SMALL) return { path: `${leg}.trail.pct`, pct };
  }
  return undefined;
}
