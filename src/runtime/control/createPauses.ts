import type { Clock } from '../../env/index.ts';
import type { JournalStore } from '../../journal/index.ts';
import type { EntryGate } from './createEntryGate.ts';

/**
 * Strategies that an operator has paused: they add no exposure, and their exits, cancels and stops go on. It is
 * latched in the journal, so that a restart does not let one go on.
 */
export interface Pauses {
  /**
   * In force at once; resolves when it is durable.
   *
   * @throws what keeps it from being durable; it is in force until the process ends
   */
  pause(instance: string, reason: string): Promise<void>;
  /** @throws what keeps it from being durable; the strategy remains paused */
  resume(instance: string, reason: string): Promise<void>;
  /** Restores what an earlier process was told, before anything is sent. */
  restore(): void;
}

export interface PausesOptions {
  store: JournalStore;
  clock: Clock;
  gate: EntryGate;
  instances: readonly string[];
  /** `reason` is null when it may enter again. */
  onChange(instance: string, reason: string | null): void;
}

const latchOf = (instance: string): string => `pause ${instance}`;

/** Whether a journal has a strategy as paused, of this bot or of an earlier configuration. */
export const isPaused = (store: Pick<JournalStore, 'latch'>, instance: string): boolean =>
  store.latch(latchOf(instance))?.value === 'on';

/** Pauses a strategy, or lets it go on, for this and every later process. */
export async function latchPause(
  store: Pick<JournalStore, 'setLatch'>,
  { instance, ...latch }: { instance: string; value: 'on' | 'off'; reason: string; time: number },
): Promise<void> {
  await store.setLatch(latchOf(instance), latch);
}

export function createPauses(options: PausesOptions): Pauses {
  const { store, clock, gate, instances, onChange } = options;
  /** One at a time: the journal must end with the command that came last. */
  let last: Promise<unknown> = Promise.resolve();
  const write = (instance: string, value: 'on' | 'off', reason: string): Promise<void> => {
    const latch = { instance, value, reason, time: clock.wallNow() };
    const written = last.then(() => latchPause(store, latch));
    last = written.catch(() => {});
    return written;
  };
  /** How often each was paused: a resume does not undo a pause that came while it was written. */
  const pauses = new Map<string, number>();
  const countOf = (instance: string): number => pauses.get(instance) ?? 0;
  return {
    async pause(instance, reason) {
      pauses.set(instance, countOf(instance) + 1);
      gate.closeStrategy(instance, reason);
      onChange(instance, reason);
      await write(instance, 'on', reason);
    },
    async resume(instance, reason) {
      const before = countOf(instance);
      await write(instance, 'off', reason);
      if (countOf(instance) !== before) throw new Error(`${instance} was paused again meanwhile`);
      gate.openStrategy(instance);
      onChange(instance, null);
    },
    restore() {
      for (const instance of instances) {
        const latch = store.latch(latchOf(instance));
        if (latch?.value !== 'on') continue;
        gate.closeStrategy(instance, latch.reason);
        onChange(instance, latch.reason);
      }
    },
  };
}
