import type { Dialect } from '../../src/contract/index.ts';
import type { SpendingCheck } from './createSpendingCheck.ts';
import type { Simulation } from './Simulation.ts';

/** Waits of exits, beyond those required by a 429. */
export interface ExitWaits {
  /** It may be sent from now on. */
  ready(key: string): void;
  sent(key: string, decisionKey: string): void;
  crashed(): void;
  /**
   * A machine that was suspended could send nothing meanwhile. If its monotonic clock stood still, a 429 and what was
   * spent before hold it as if no time had passed.
   */
  resumed(clock: 'jumps' | 'stops'): void;
  /** The database has no room for a step, before which nothing is sent. */
  lacksRoom(): void;
  /** A request was sent; `answered` ends it. */
  left(): void;
  answered(): void;
  /** Milliseconds, in the order of sending. */
  readonly waits: readonly number[];
}

/** Longest wait of an exit. */
const EXIT_WAIT_MS = 1_000;
/** After a 429, while nothing is answered: requests leave one by one for 750 ms, and one of the same target 500 ms later. */
const DOUBTFUL_WAIT_MS = 1_250;
/** From this many unanswered requests on, waiting is expected. */
const CROWD = 8;
/** Share of the budget above which it counts as spent. */
const SPENT = 0.6;

export function createExitWaits(
  sim: Simulation,
  dialect: Dialect,
  spending: SpendingCheck,
): ExitWaits {
  /** When each might be sent first, and since when it is counted: a machine may have been suspended meanwhile. */
  const readySince = new Map<string, { first: number; counted: number }>();
  const waits: number[] = [];
  let pending = 0;
  let crowdedAt = 0;
  let heldAgainUntil = 0;
  let lackedRoomAt = 0;

  /**
   * Other clients may spend the key's budget, answers may be lost, or exits may take it all. Earlier processes count
   * as another client: what they spent is known from headers only, and assumed for a window after the last one.
   */
  function isExcused(since: number): boolean {
    const now = sim.queue.now();
    if (now <= spending.foreignUntil || now <= heldAgainUntil) return true;
    if (crowdedAt >= since || lackedRoomAt >= since) return true;
    const { standard, windowMs } = dialect.budget;
    const spent = Math.max(
      spending.spentSince(now - windowMs),
      spending.spentEarlier(now - 2 * windowMs),
    );
    return spent > SPENT * standard;
  }

  return {
    ready(key) {
      const now = sim.queue.now();
      readySince.set(key, { first: now, counted: now });
    },
    sent(key, decisionKey) {
      const ready = readySince.get(key);
      if (ready === undefined) return;
      readySince.delete(key);
      const since = Math.max(ready.counted, spending.heldUntil);
      const waitMs = Math.max(0, sim.queue.now() - since);
      waits.push(waitMs);
      // A 429 that ended while the machine was suspended is followed by doubt all the same.
      const longestMs = spending.heldUntil > ready.first ? DOUBTFUL_WAIT_MS : EXIT_WAIT_MS;
      if (waitMs <= longestMs || sim.scenario.load !== undefined || isExcused(since)) return;
      sim.violate('exit_waits', `${decisionKey}: ${waitMs} ms`);
    },
    crashed() {
      pending = 0;
      crowdedAt = sim.queue.now();
      readySince.clear();
    },
    resumed(clock) {
      if (clock === 'stops') heldAgainUntil = sim.queue.now() + dialect.budget.windowMs;
      for (const ready of readySince.values()) ready.counted = sim.queue.now();
    },
    lacksRoom() {
      lackedRoomAt = sim.queue.now();
    },
    left() {
      if (++pending >= CROWD) crowdedAt = Infinity;
    },
    answered() {
      if (--pending < CROWD && crowdedAt === Infinity) crowdedAt = sim.queue.now();
    },
    waits,
  };
}
