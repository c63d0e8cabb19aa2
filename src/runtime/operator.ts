import type { MarketClock } from '../env/index.ts';
import type { Intent } from '../intents/index.ts';
import type { Emission } from '../strategy/index.ts';

/** Name under which the runtime itself acts: kill levels and the stop policy. It owns every symbol. */
export const OPERATOR = 'operator';

/**
 * What made the runtime act, as its cause says: a `kill` by a level, a `stop` by a policy, `flatten` by a symbol, or
 * something else; undefined for a strategy's emission.
 */
export function askerOf({
  instance,
  cause,
}: Pick<Emission, 'instance' | 'cause'>): { what: string; by: string } | undefined {
  if (instance !== OPERATOR) return undefined;
  const [what = '', by = ''] = cause.split(':', 2);
  return { what, by };
}

/** An operator's intents as emissions: one decision a target, so that repeating one changes nothing. */
export function toEmissions(
  intents: readonly Intent[],
  origin: { wallet: string; cause: string; market: MarketClock },
): Emission[] {
  const { wallet, cause, market } = origin;
  return intents.map((intent, ordinal) => ({
    intent,
    instance: OPERATOR,
    wallet,
    decisionKey: `${wallet}/${OPERATOR}/${cause}#${ordinal}`,
    cause,
    ordinal,
    marketTime: market.now(),
    trigger: { operator: cause },
  }));
}
