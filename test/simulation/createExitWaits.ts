import type { Dialect } from '../../src/contract/index.ts';
import type { SpendingJudge } from './createSpendingJudge.ts';
import type { SimWorld } from './SimWorld.ts';

/** How long exits wait for their turn, beyond what a 429 asks for. */
export interface ExitWaits {
  /** It may go from now on. */
  ready(key: string): void;
  sent(key: string, decisionKey: string): void;
  crashed(): void;
  /** A request has left; `answered` is its end. */
  left(): void;
  answered(): void;
  /** Milliseconds, in the order of sending. */
  readonly waits: readonly number[];
}

/** What an exit may wait. */
const EXIT_WAIT_MS = 1_000;
/** Requests without an answer yet, from which on no more can be asked of a bot. */
const CROWD = 8;
/** Share of the budget from which on it counts as spent. */
const SPENT = 0.6;

export function createExitWaits(
  world: SimWorld,
  dialect: Dialect,
  spending: SpendingJudge,
): ExitWaits {
  const readySince = new Map<string, number>();
  const waits: number[] = [];
  let pending = 0;
  let crowdedAt = 0;

  /** Others may spend all that the key has, nothing may come back, or all may be spent on exits. */
  function isExcused(since: number): boolean {
    const now = world.queue.now();
    if (now <= spending.foreignUntil || crowdedAt >= since) return true;
    return spending.spentSince(now - dialect.budget.windowMs) > SPENT * dialect.budget.standard;
  }

  return {
    ready: (key) => void readySince.set(key, world.queue.now()),
    sent(key, decisionKey) {
      const readyAt = readySince.get(key);
      if (readyAt === undefined) return;
      readySince.delete(key);
      const since = Math.max(readyAt, spending.heldUntil);
      const waitMs = Math.max(0, world.queue.now() - since);
      waits.push(waitMs);
      if (waitMs <= EXIT_WAIT_MS || world.scenario.load !== undefined || isExcused(since)) return;
      world.violate('exit_waits', `${decisionKey}: ${waitMs} ms`);
    },
    crashed() {
      pending = 0;
      crowdedAt = world.queue.now();
      readySince.clear();
    },
    left() {
      if (++pending >= CROWD) crowdedAt = Infinity;
    },
    answered() {
      if (--pending < CROWD && crowdedAt === Infinity) crowdedAt = world.queue.now();
    },
    waits,
  };
}
