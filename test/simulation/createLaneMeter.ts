import type { Dialect } from '../../src/contract/index.ts';
import type { IntentState, JournalEntry } from '../../src/journal/index.ts';
import type { SimService } from './createSimService.ts';
import type { SpendingCheck } from './createSpendingCheck.ts';
import { HOUR_MS } from './Scenario.ts';
import type { Simulation } from './Simulation.ts';

/** Utilisation of a lane’s share, over the minutes in which it always had work. */
export interface LaneFigures {
  seconds: number;
  used: number;
  may: number;
}

export interface LaneMeter {
  follow(entry: JournalEntry): void;
  crashed(): void;
  readonly figures: ReadonlyMap<string, LaneFigures>;
  /** Milliseconds until an unanswered intent was resolved. */
  readonly findings: readonly number[];
}

export interface LaneSources {
  spending: SpendingCheck;
  service(): SimService | null;
}

/** The bot's own plan, see `planOf`. */
export const BUDGET = { share: 0.9, reserveShare: 0.3, reserveFloor: 40 } as const;
const EXIT_WEIGHT = 20;
const SECOND_MS = 1_000;
const FOUND: ReadonlySet<IntentState> = new Set(['accepted', 'rejected', 'absent']);

/**
 * Once a second, measures what each continuously busy lane sent within the window while no 429 was in
 * force; only in scenarios with load.
 */
export function createLaneMeter(
  sim: Simulation,
  dialect: Dialect,
  sources: LaneSources,
): LaneMeter {
  const { windowMs } = dialect.budget;
  const waiting = new Map<string, Set<string>>();
  const laneOf = new Map<string, string>();
  const busySince = new Map<string, number>();
  const figures = new Map<string, LaneFigures>();
  const unknownSince = new Map<string, number>();
  const findings: number[] = [];

  /** Total use of all lanes above which this one has to wait. */
  function mayUse(lane: string): number {
    const allowance = dialect.budget.standard * BUDGET.share;
    if (lane === 'control' || lane === 'exit') return allowance;
    const exits = BUDGET.reserveFloor + openSymbols() * EXIT_WEIGHT;
    const reserve = Math.max(allowance * BUDGET.reserveShare, exits);
    const lookUps = Math.max(4, allowance * 0.03);
    return allowance - Math.min(reserve, allowance / 2) - lookUps;
  }

  function openSymbols(): number {
    const held = sources.service()?.truth.positions ?? new Map<string, number>();
    return [...held.values()].filter((size) => size !== 0).length;
  }

  function sample(): void {
    const now = sim.queue.now();
    const since = now - windowMs;
    const used = sources.spending.spentSince(since);
    for (const [lane, keys] of waiting) {
      if (keys.size === 0) busySince.delete(lane);
      else if (!busySince.has(lane)) busySince.set(lane, now);
      const wasBusy = (busySince.get(lane) ?? now) <= since;
      if (!wasBusy || sources.spending.heldUntil > since) continue;
      const known = figures.get(lane) ?? { seconds: 0, used: 0, may: 0 };
      const may = mayUse(lane);
      const seconds = known.seconds + 1;
      figures.set(lane, { seconds, used: known.used + Math.min(used, may), may: known.may + may });
    }
    if (sim.elapsed() < HOUR_MS) sim.after(SECOND_MS, sample);
  }

  function followUnknown(key: string, state: IntentState): void {
    const since = unknownSince.get(key);
    if (state === 'unknown' && since === undefined) unknownSince.set(key, sim.queue.now());
    if (since === undefined || !FOUND.has(state)) return;
    unknownSince.delete(key);
    findings.push(sim.queue.now() - since);
  }

  if (sim.scenario.load !== undefined) sim.after(SECOND_MS, sample);

  return {
    figures,
    findings,
    follow({ key, state, data }) {
      followUnknown(key, state);
      if (state === 'guarded') {
        const { lane } = JSON.parse(data) as { lane: string };
        laneOf.set(key, lane);
        if (!waiting.has(lane)) waiting.set(lane, new Set());
        waiting.get(lane)!.add(key);
      } else if (state === 'sending' || state === 'expired') {
        const lane = laneOf.get(key);
        if (lane === undefined) return;
        laneOf.delete(key);
        waiting.get(lane)?.delete(key);
        if (waiting.get(lane)?.size === 0) busySince.delete(lane);
      }
    },
    crashed() {
      waiting.clear();
      unknownSince.clear();
      laneOf.clear();
      busySince.clear();
    },
  };
}
