import type { Random } from '../../src/env/index.ts';
import type { Fault, FaultKind } from './Scenario.ts';
import type { Simulation } from './Simulation.ts';

/** The faults of one exchange. */
export interface ExchangePlan {
  refuse: boolean;
  loseRequest: 'reset' | 'silence' | null;
  loseAnswer: 'reset' | 'silence' | null;
  requestMs: number;
  answerMs: number;
  errorBefore: boolean;
  errorAfter: boolean;
  /** Seconds to wait, where a 429 is made up. */
  storm: number | null;
  truncate: boolean;
  strange: boolean;
  /** The status of a gateway's page, where one answers for what was done. */
  gateway: number | null;
  /** A gateway gives up, and the write is done this much later. */
  lateWriteMs: number | null;
  /** The cancel takes effect this long after its answer. */
  lateCancelMs: number | null;
  /** Writes do not find what was made this recently. */
  unseenMs: number | null;
  /** Reads show what was this long ago; lists lack what is younger. */
  lagMs: number | null;
  listLagMs: number | null;
  isRenamed: boolean;
}

/** The faults of a seed, queried by its ports. */
export interface FaultPlan {
  exchange(): ExchangePlan;
  /** Whether a fault of this kind affects the current traffic, and its size. */
  hits(kind: FaultKind): number | null;
  /** The fault of this kind that affects the current traffic. */
  find(kind: FaultKind): Fault | undefined;
  /** After it there are no more faults. */
  heal(): void;
}

export function createFaultPlan(sim: Simulation): FaultPlan {
  const { faults } = sim.scenario;
  const streams = new Map<number, Random>();
  const randomOf = (fault: Fault): Random => {
    const known = streams.get(fault.id) ?? sim.random(`fault ${fault.id}`);
    streams.set(fault.id, known);
    return known;
  };
  const latency = sim.random('latency');
  let healed = false;

  const hit = (kind: FaultKind): Fault | undefined => {
    if (healed) return undefined;
    const now = sim.elapsed();
    return faults.find(
      (fault) =>
        fault.kind === kind &&
        fault.from <= now &&
        now < fault.until &&
        randomOf(fault).next() < fault.rate,
    );
  };
  const baseMs = (): number => 2 + Math.floor(latency.next() * 60);

  return {
    hits: (kind) => hit(kind)?.size ?? null,
    find: hit,
    exchange: () => ({
      refuse: hit('refuse') !== undefined,
      loseRequest: (hit('lose_request')?.detail as 'reset' | undefined) ?? null,
      loseAnswer: (hit('lose_answer')?.detail as 'reset' | undefined) ?? null,
      requestMs: baseMs() + (hit('slow_request')?.size ?? 0),
      answerMs: baseMs() + (hit('slow_answer')?.size ?? 0),
      errorBefore: hit('error_before') !== undefined,
      errorAfter: hit('error_after') !== undefined,
      storm: hit('storm_429')?.size ?? null,
      truncate: hit('truncate_body') !== undefined,
      strange: hit('strange_page') !== undefined,
      gateway: hit('gateway_page')?.size ?? null,
      lateWriteMs: hit('late_write')?.size ?? null,
      lateCancelMs: hit('late_cancel')?.size ?? null,
      unseenMs: hit('target_unseen')?.size ?? null,
      lagMs: hit('look_up_lags')?.size ?? null,
      listLagMs: hit('list_lacks_newest')?.size ?? null,
      isRenamed: hit('algo_renamed') !== undefined,
    }),
    heal() {
      healed = true;
    },
  };
}
