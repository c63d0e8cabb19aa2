import { noMetrics, type Env } from '../../env/index.ts';
import type { JournalStore } from '../../journal/index.ts';

/** A store whose appends are measured; the store itself if nobody measures. An append is not delayed. */
export function meterStore(
  store: JournalStore,
  { clock, metrics }: Pick<Env, 'clock' | 'metrics'>,
): JournalStore {
  if (metrics === noMetrics) return store;
  return {
    ...(store.keepsTexts === undefined ? {} : { keepsTexts: store.keepsTexts }),
    append(append) {
      const begun = clock.monotonicNow();
      const note = (): void =>
        metrics.observe('journal_append_seconds', (clock.monotonicNow() - begun) / 1_000);
      const written = store.append(append);
      // A failed append ends the bot; it has no time.
      if (written instanceof Promise) written.then(note, () => {});
      else note();
      return written;
    },
    holds: (key) => store.holds(key),
    ...(store.learn === undefined ? {} : { learn: (keys) => store.learn!(keys) }),
    stateOf: (key) => store.stateOf(key),
    intent: (key) => store.intent(key),
    entries: (key) => store.entries(key),
    openIntents: () => store.openIntents(),
    intents: () => store.intents(),
    newestIntents: () => store.newestIntents(),
    standingIntents: () => store.standingIntents(),
    readState: (instance) => store.readState(instance),
    writeState: (instance, state) => store.writeState(instance, state),
    meta: (key) => store.meta(key),
    setMeta: (key, value) => store.setMeta(key, value),
    latch: (name) => store.latch(name),
    setLatch: (name, latch) => store.setLatch(name, latch),
    latches: () => store.latches(),
    compact: (request) => store.compact(request),
    ...(store.checkpoint === undefined ? {} : { checkpoint: () => store.checkpoint!() }),
    close: (withinMs) => store.close(withinMs),
  };
}
