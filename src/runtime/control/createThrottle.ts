import { HOUR_MS } from '../../contract/durations.ts';
import { createWindow, type Window } from '../../budget/index.ts';
import type { Env, MarketClock } from '../../env/index.ts';
import { effectOf } from '../../intents/effectOf.ts';
import type { Intent } from '../../intents/index.ts';
import {
  isUnsent,
  writeOrFail,
  type IntentRow,
  type JournalEntry,
  type JournalStore,
} from '../../journal/index.ts';

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

/** The newest intent when an operator re-armed: what came before it counts no more. */
const REARMED_AFTER = 'throttle re-armed after';
const latchOf = (instance: string): string => `throttle ${instance}`;

/** Whether a journal has a strategy as throttled, of this bot or of an earlier configuration. */
export const isThrottled = (store: Pick<JournalStore, 'latch'>, instance: string): boolean =>
  store.latch(latchOf(instance))?.value === 'on';

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
      if (limit !== undefined) await countAfresh(store);
      for (const instance of instances) {
        if (latched(instance) === undefined) continue;
        await write(instance, 'off', reason);
        known().delete(instance);
      }
    },
  };
}

/** Entries so far count no more: by their place and not by a clock, which may be set back. */
async function countAfresh(store: JournalStore): Promise<void> {
  const [last] = store.newestIntents();
  if (last !== undefined) await store.setMeta(REARMED_AFTER, last.key);
}

/** Lets the strategies of a bot that does not run enter again from its next start; it returns those that were latched. */
export async function releaseThrottles(
  store: JournalStore,
  { instances, reason, time }: { instances: readonly string[]; reason: string; time: number },
): Promise<string[]> {
  await countAfresh(store);
  const latched = [...readLatched(store, instances).keys()];
  for (const instance of latched)
    await store.setLatch(latchOf(instance), { value: 'off', reason, time });
  return latched;
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
  const rearmedAfter = store.meta(REARMED_AFTER);
  for (const row of store.newestIntents()) {
    if (row.key === rearmedAfter) break;
    const entries = store.entries(row.key);
    const [first] = entries;
    if (first === undefined) continue;
    if (first.marketTime <= since) break;
    // What was never sent is evaluated again by this process, and counts then.
    if (row.state === 'denied' || isUnsent(row.state)) continue;
    const guarded = entries.find(({ state }) => state === 'guarded');
    // It waited for a maintained row and never got as far; a remote store may hold the last step only.
    if (guarded === undefined && first.state === 'emitted') continue;
    if (!adds(row, guarded)) continue;
    found.push({ instance: row.instance, time: (guarded ?? first).marketTime });
  }
  return found.sort((a, b) => a.time - b.time);
}

/** Whether it adds exposure: by itself, or as its approval shows, by what it changes. */
function adds(row: IntentRow, guarded: JournalEntry | undefined): boolean {
  const { intent } = JSON.parse(row.intent) as { intent: Intent };
  if (effectOf(intent).entries.length > 0) return true;
  const { added = [] } = JSON.parse(guarded?.data ?? '{}') as { added?: readonly unknown[] };
  return added.length > 0;
}
