import { createWindow, type Window } from '../../budget/index.ts';
import type { Env, MarketClock } from '../../env/index.ts';
import { effectOf } from '../../intents/effectOf.ts';
import type { Intent } from '../../intents/index.ts';
import { writeOrFail, type JournalStore } from '../../journal/index.ts';

/**
 * Counts the entries of each instance, and blocks one that sent too many from entering until an operator
 * re-arms it (RTS 6, article 17: repeated automated execution throttle). The latch is in the journal, so that
 * repeated restarts do not reset it.
 */
export interface Throttle {
  /** Entries that passed the guards within the last hour of market time. */
  recent(instance: string): number;
  /** Why it may no longer enter; undefined if it may. */
  latched(instance: string): string | undefined;
  entered(instance: string): void;
  trip(instance: string, reason: string): void;
  /** Counts the journal's entries of the last hour, before anything is sent. */
  restore(): void;
  /** An operator allows all to enter again. */
  rearm(reason: string): Promise<void>;
}

export interface ThrottleOptions {
  store: JournalStore;
  env: Env;
  market: MarketClock;
  /** Undefined: nothing is counted. */
  limit: number | undefined;
  instances: readonly string[];
  onTrip(instance: string, reason: string): void;
  onFatal(error: unknown): void;
}

const HOUR_MS = 3_600_000;
const latchOf = (instance: string): string => `throttle ${instance}`;

export function createThrottle(options: ThrottleOptions): Throttle {
  const { store, env, market, limit, instances } = options;
  const entries = new Map<string, Window>();
  const fresh = (): void => {
    for (const instance of instances) entries.set(instance, createWindow(HOUR_MS));
  };
  const write = (instance: string, value: string, reason: string): void | Promise<void> =>
    store.setLatch(latchOf(instance), { value, reason, time: env.clock.wallNow() });

  /** Why, by instance; in memory, because a view may ask after the journal is closed. */
  let reasons: Map<string, string> | undefined;
  const known = (): Map<string, string> => (reasons ??= readLatched(store, instances));
  const latched = (instance: string): string | undefined =>
    limit === undefined ? undefined : known().get(instance);

  fresh();
  return {
    recent: (instance) => entries.get(instance)?.used(market.now()) ?? 0,
    latched,
    entered: (instance) => entries.get(instance)?.spend(market.now(), 1),
    trip(instance, reason) {
      if (latched(instance) !== undefined) return;
      known().set(instance, reason);
      options.onTrip(instance, reason);
      writeOrFail(() => write(instance, 'on', reason), options.onFatal);
    },
    restore() {
      if (limit === undefined) return;
      for (const { instance, time } of enteredSince(store, market.now() - HOUR_MS)) {
        entries.get(instance)?.spend(time, 1);
      }
    },
    async rearm(reason) {
      fresh();
      for (const instance of instances) {
        if (latched(instance) === undefined) continue;
        await write(instance, 'off', reason);
        known().delete(instance);
      }
    },
  };
}

/** What an earlier process latched. */
function readLatched(store: JournalStore, instances: readonly string[]): Map<string, string> {
  const found = instances.map((instance) => [instance, store.latch(latchOf(instance))] as const);
  return new Map(
    found.flatMap(([instance, latch]) => (latch?.value === 'on' ? [[instance, latch.reason]] : [])),
  );
}

/** Entries of the journal since then that passed the guards, oldest first. */
function enteredSince(
  store: JournalStore,
  since: number,
): Array<{ instance: string; time: number }> {
  const found: Array<{ instance: string; time: number }> = [];
  for (const row of store.intents().toReversed()) {
    const [first] = store.entries(row.key);
    if (first === undefined) continue;
    if (first.marketTime <= since) break;
    if (row.state === 'denied') continue;
    const { intent } = JSON.parse(row.intent) as { intent: Intent };
    if (effectOf(intent).entries.length === 0) continue;
    found.push({ instance: row.instance, time: first.marketTime });
  }
  return found.toReversed();
}
