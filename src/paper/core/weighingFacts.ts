import { INTERVAL_MS, type Interval } from '../../contract/index.ts';
import { asRecord } from './bodyScopes.ts';
import type { CandleCache } from './createCandleCache.ts';
import type { Engine } from './Engine.ts';
import type { WeighingFacts } from './weighCall.ts';

/** What the weight of a call depends on beyond the call itself. */
export function weighingFacts(engine: Engine, cache: CandleCache, wallet: string): WeighingFacts {
  return {
    isCached({ pathParams, query }) {
      const { symbol } = pathParams;
      const interval = query['interval'];
      if (symbol === undefined || typeof interval !== 'string') return false;
      if (!Object.hasOwn(INTERVAL_MS, interval)) return false;
      return cache.isFresh(wallet, symbol, interval as Interval, engine.now);
    },
    templateLegs(templateId) {
      const list = engine.handlers['baskets.templates'];
      const reply = list?.({
        endpoint: 'baskets.templates',
        pathParams: {},
        query: { limit: 500 },
        body: undefined,
        wallet,
        idempotencyKey: null,
        requireScope: () => {},
      });
      const rows = (asRecord(reply?.body)['items'] ?? []) as Array<Record<string, unknown>>;
      const legs = rows.find((row) => row['template_id'] === templateId)?.['legs'];
      return Array.isArray(legs) ? legs.length : 1;
    },
  };
}
