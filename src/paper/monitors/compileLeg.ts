import { isWithin } from '../../contract/bounds.ts';
import type { ExecuteRequest, LegKind, MonitorTrigger, PositionLeg } from '../../contract/index.ts';
import { ServiceError } from '../core/ServiceError.ts';
import type { EngineState } from '../engine/EngineState.ts';
import { exitSide, type Leg, type LegResolution } from '../legs/Leg.ts';
import { directionOf } from '../legs/resolveLeg.ts';
import type { Account } from '../venue/Account.ts';
import { recordMonitor } from './createMonitor.ts';
import type { Monitor, Unwind } from './Monitor.ts';
import { unwindLaunch } from './unwindLaunch.ts';

type UnwindAlgo = Unwind['algo'];

/** The algorithms that need a position of some value to work with (LEG-10). */
const NEEDS_MINIMUM: readonly UnwindAlgo[] = ['glidemaker', 'smartexit'];

/** LEG-10, checked at attach on size × trigger. */
export function checkUnwind(
  engine: EngineState,
  {
    spec,
    size,
    resolution,
    symbol,
  }: {
    spec: PositionLeg;
    size: number;
    resolution: LegResolution;
    symbol: string;
  },
): void {
  const { min_order_value: least, algo_min_value: algoLeast } = engine.market.instrument(symbol)!;
  const value = size * resolution.trigger_price;
  if (NEEDS_MINIMUM.includes(spec.unwind_algo as UnwindAlgo) && !isWithin(algoLeast, value)) {
    throw new ServiceError('below_algo_minimum', { details: { minimum: algoLeast, value } });
  }
  if (!isWithin(least, value)) {
    throw new ServiceError('below_order_minimum', { details: { minimum: least, value } });
  }
}

/**
 * Compiles an unwinding leg into a reduce-only monitor (POS-3): an `at` leg reads its level on each
 * closed bar, price and offset legs use the resolved trigger. The monitor is still to be started.
 */
export function compileLeg(engine: EngineState, account: Account, leg: Leg): Monitor {
  const { record, positionSide, spec } = leg;
  const { kind, symbol, size, resolution } = record;
  const unwind: Unwind = {
    legId: record.leg_id!,
    algo: spec.unwind_algo as UnwindAlgo,
    params: (spec.unwind_params ?? {}) as Readonly<Record<string, unknown>>,
    symbol,
    side: exitSide(positionSide),
    size: size!,
  };
  const level = resolution!.trigger_price;
  const monitor = recordMonitor(engine, {
    account,
    trigger: triggerOf(leg, { kind, level }),
    action: {
      type: 'execute',
      request: unwindLaunch(engine, unwind, level) satisfies ExecuteRequest,
    },
    request: record.request,
    unwind,
  });
  record.monitor_id = monitor.record.monitor_id;
  return monitor;
}

function triggerOf(leg: Leg, { kind, level }: { kind: LegKind; level: number }): MonitorTrigger {
  const { symbol } = leg.record;
  const side = directionOf({ kind, positionSide: leg.positionSide });
  const direction = side < 0 ? 'below' : 'above';
  const { at } = leg.spec;
  if (at !== undefined) return { ...at, type: 'indicator_level', symbol, direction };
  return { type: 'price_level', symbol, direction, price: level };
}
