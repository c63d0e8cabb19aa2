import { MINUTE_MS } from '../../contract/durations.ts';
import { createWindow, type Window } from '../../budget/index.ts';
import type { MarketClock } from '../../env/index.ts';
import { isUnsent, type JournalStore } from '../../journal/index.ts';

/** Intents of each instance within the last minute of market time; a restart does not start it over. */
export interface IntentRate {
  recent(instance: string): number;
  emitted(instance: string): void;
}

export interface IntentRateOptions {
  store: JournalStore;
  market: Pick<MarketClock, 'now'>;
  /** Undefined: what earlier processes emitted is not read. */
  limit: number | undefined;
  instances: readonly string[];
}

export function createIntentRate({ store, market, limit, instances }: IntentRateOptions) {
  const windows = new Map<string, Window>(
    instances.map((instance) => [instance, createWindow(MINUTE_MS)]),
  );
  let isRestored = limit === undefined;

  /** With the first intent: before, the market's time may be unknown. */
  function windowOf(instance: string): Window | undefined {
    if (!isRestored) {
      isRestored = true;
      for (const { instance: of, time } of emittedSince(store, market.now() - MINUTE_MS)) {
        windows.get(of)?.spend(time, 1);
      }
    }
    return windows.get(instance);
  }

  const rate: IntentRate = {
    recent: (instance) => windowOf(instance)?.used(market.now()) ?? 0,
    emitted: (instance) => windowOf(instance)?.spend(market.now(), 1),
  };
  return rate;
}

/** Intents of the journal since then, oldest first, as far as they were counted. */
function emittedSince(
  store: JournalStore,
  since: number,
): Array<{ instance: string; time: number }> {
  const found: Array<{ instance: string; time: number }> = [];
  for (const { key, instance, state } of store.newestIntents()) {
    const [first, second] = store.entries(key);
    if (first === undefined) continue;
    if (first.marketTime <= since) break;
    // What was never sent is evaluated again by this process, and counts then.
    if (isUnsent(state)) continue;
    const { isCatchUp } = dataOf(first.data);
    const { guard } = state === 'denied' ? dataOf((second ?? first).data) : {};
    // A burst of old bars is not a runaway strategy, and what became no request was not evaluated.
    if (isCatchUp !== true && guard !== 'request') found.push({ instance, time: first.marketTime });
  }
  return found.toReversed();
}

const dataOf = (text: string): { isCatchUp?: unknown; guard?: unknown } =>
  text === '' ? {} : (JSON.parse(text) as object);
