import { reasonOf, type Clock } from '../../../src/env/index.ts';
import { isFinal } from '../FinalRefusal.ts';

/** Times between two attempts: a restart, or a disk that is full for a moment, is over by then. */
const [FIRST_MS, LONGEST_MS] = [2_000, 60_000];
/** Attempts over some minutes: a worker that ends when all is done waits no longer. */
const MOST_ATTEMPTS = 8;

/** The sweeps that a worker could not take, and when it tries them again. */
export interface Refusals {
  isDue(sweep: string): boolean;
  add(sweep: string, error: unknown): void;
  /** What preparing it gives; null if that fails, which is its refusal. */
  watch<T>(sweep: string, prepared: Promise<T>): Promise<T | null>;
  /** Keeps those of these sweeps alone. */
  keep(sweeps: ReadonlySet<string>): void;
  /** Whether one of them may still be taken. */
  isAnyOpen(): boolean;
}

interface Refused {
  reason: string;
  isFinal: boolean;
  attempts: number;
  dueMs: number;
}

/** @param onRefused receives a reason once, however often a sweep is refused for it */
export function createRefusals(
  { monotonicNow }: Pick<Clock, 'monotonicNow'>,
  onRefused: (sweep: string, reason: string) => void,
): Refusals {
  const all = new Map<string, Refused>();
  const add = (sweep: string, error: unknown): void => {
    const before = all.get(sweep);
    const attempts = (before?.attempts ?? 0) + 1;
    const reason = reasonOf(error);
    const dueMs = monotonicNow() + Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempts - 1));
    all.set(sweep, { reason, isFinal: isFinal(error), attempts, dueMs });
    if (reason !== before?.reason) onRefused(sweep, reason);
  };
  return {
    add,
    isDue(sweep) {
      const known = all.get(sweep);
      return known === undefined || (!known.isFinal && monotonicNow() >= known.dueMs);
    },
    async watch(sweep, prepared) {
      try {
        const done = await prepared;
        all.delete(sweep);
        return done;
      } catch (error) {
        add(sweep, error);
        return null;
      }
    },
    keep(sweeps) {
      for (const sweep of all.keys()) if (!sweeps.has(sweep)) all.delete(sweep);
    },
    isAnyOpen: () =>
      [...all.values()].some((each) => !each.isFinal && each.attempts < MOST_ATTEMPTS),
  };
}
