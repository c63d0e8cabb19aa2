import type { Layer } from '../../contract/index.ts';
import type { Cancel, Env } from '../../env/index.ts';
import type { PaperCore } from '../core/PaperCore.ts';
import type { FaultSpec } from './faultSpec.ts';

/** The fault that applies to one request. */
export interface RequestPlan {
  /** `before`: not executed; `after`: executed, the answer lost. */
  drop: 'before' | 'after' | null;
  /** The response that is sent instead of executing it. */
  refusal: 'internal' | 'venue_unavailable' | 'rate_limited' | null;
  truncate: boolean;
  latencyMs: number;
  /** Added to the service's wall clock. */
  skewMs: number;
}

/** The part of an open socket on which a fault acts. */
export interface FaultVictim {
  cut(): void;
  stall(): void;
  /** A fault has ended: held frames go out, unless a stall is still active. */
  settle(stallGoesOn: boolean): void;
}

/** Faults that a test injects; none occurs by itself. */
export interface Faults {
  add(specs: readonly FaultSpec[]): void;
  clear(): void;
  list(): readonly FaultSpec[];
  /** Counts a call and returns the fault that applies to it; only `/v1` is affected. */
  planRequest(method: string, path: string): RequestPlan;
  /** The fault that applies to the next frame of a socket. */
  planFrame(): 'duplicate' | 'reorder' | null;
  /** Registers a new socket; the result unregisters it. */
  watch(victim: FaultVictim): () => void;
}

interface Active {
  readonly spec: FaultSpec;
  left: number;
  cancelTimer: Cancel;
}

type Kind = FaultSpec['kind'];

export function createFaults(
  core: Pick<PaperCore, 'setLayer'>,
  env: Pick<Env, 'timers' | 'random'>,
): Faults {
  let active: Active[] = [];
  const victims = new Set<FaultVictim>();

  const ofKind = (...kinds: Kind[]): Active[] =>
    active.filter(({ spec }) => kinds.includes(spec.kind));
  const isHit = ({ spec }: Active): boolean =>
    spec.rate === undefined || env.random.next() < spec.rate;

  /** Several faults may be on one layer: it is as bad as the worst of them, and well after the last. */
  const setLayer = (layer: Layer): void => {
    const found = active.flatMap(({ spec }) =>
      spec.kind === 'degrade_layer' && spec.layer === layer ? [spec.status ?? 'degraded'] : [],
    );
    const status = found.includes('down') ? 'down' : (found[0] ?? 'ok');
    core.setLayer(layer, status, status === 'ok' ? null : 'fault');
  };

  const end = (fault: Active): void => {
    if (!active.includes(fault)) return;
    active = active.filter((other) => other !== fault);
    fault.cancelTimer();
    const { spec } = fault;
    if (spec.kind === 'degrade_layer') setLayer(spec.layer);
    if (spec.kind !== 'ws_stall' && spec.kind !== 'ws_reorder') return;
    const stallGoesOn = ofKind('ws_stall').length > 0;
    for (const victim of victims) victim.settle(stallGoesOn);
  };
  const count = (fault: Active): void => {
    if (--fault.left <= 0) end(fault);
  };

  const hurt = (fault: Active, victim: FaultVictim): void => {
    if (!active.includes(fault) || !isHit(fault)) return;
    if (fault.spec.kind === 'ws_drop') victim.cut();
    else victim.stall();
    // A stall lasts until the fault ends, so the sockets that it holds don't use it up.
    if (fault.spec.kind === 'ws_drop') count(fault);
  };

  const start = (spec: FaultSpec): void => {
    const fault: Active = { spec, left: spec.for_requests ?? Infinity, cancelTimer: () => {} };
    active.push(fault);
    if (spec.for_seconds !== undefined) {
      fault.cancelTimer = env.timers.after(spec.for_seconds * 1_000, () => end(fault));
    }
    if (spec.kind === 'degrade_layer') setLayer(spec.layer);
    if (spec.kind === 'ws_drop' || spec.kind === 'ws_stall') {
      for (const victim of victims) hurt(fault, victim);
    }
  };

  return {
    add(specs) {
      for (const spec of specs) start(spec);
    },
    clear() {
      for (const fault of active) end(fault);
    },
    list: () => active.map(({ spec }) => spec),
    planRequest(method, path) {
      const plan: RequestPlan = {
        drop: null,
        refusal: null,
        truncate: false,
        latencyMs: 0,
        skewMs: 0,
      };
      if (!path.startsWith('/v1')) return plan;
      for (const fault of active) {
        if (isFrameKind(fault.spec.kind) || !matches(fault.spec, method, path)) continue;
        if (isHit(fault)) apply(fault.spec, plan);
        count(fault);
      }
      return plan;
    },
    planFrame() {
      for (const fault of ofKind('ws_duplicate', 'ws_reorder')) {
        if (!isHit(fault)) continue;
        count(fault);
        return fault.spec.kind === 'ws_duplicate' ? 'duplicate' : 'reorder';
      }
      return null;
    },
    watch(victim) {
      victims.add(victim);
      for (const fault of ofKind('ws_drop', 'ws_stall')) hurt(fault, victim);
      return () => victims.delete(victim);
    },
  };
}

/** Kinds that count their hits, not the calls that pass; a stall holds sockets until calls end it. */
const isFrameKind = (kind: Kind): boolean => kind.startsWith('ws_') && kind !== 'ws_stall';

function matches({ match }: FaultSpec, method: string, path: string): boolean {
  if (match === undefined) return true;
  const [prefix = '', named] = match.split(' ').toReversed();
  return path.startsWith(prefix) && (named === undefined || named === method);
}

/** Several faults may apply to one request: the first of a kind wins, latencies add up. */
function apply(spec: FaultSpec, plan: RequestPlan): void {
  switch (spec.kind) {
    case 'latency':
      plan.latencyMs += spec.ms;
      return;
    case 'clock_skew':
      plan.skewMs += spec.seconds * 1_000;
      return;
    case 'drop_before':
      plan.drop ??= 'before';
      return;
    case 'drop_after':
      plan.drop ??= 'after';
      return;
    case 'error_500':
      plan.refusal ??= 'internal';
      return;
    case 'error_503':
      plan.refusal ??= 'venue_unavailable';
      return;
    case 'rate_limited':
      plan.refusal ??= 'rate_limited';
      return;
    case 'truncate_body':
      plan.truncate = true;
      return;
    default:
  }
}
