import { PERCENT, offsetPrice } from '../../contract/bounds.ts';
import {
  ALGO_DEFAULTS,
  toValidPrice,
  type ExecuteRequest,
  type InstrumentRecord,
} from '../../contract/index.ts';
import type { EngineState } from '../engine/EngineState.ts';
import type { Unwind } from './Monitor.ts';

/**
 * The reduce-only launch that unwinds a position at `level` (conventions §3): the trigger is Smart
 * Exit's stop and GhostSweep's trigger; Glidemaker may go one per cent past it.
 */
export function unwindLaunch(engine: EngineState, unwind: Unwind, level: number): ExecuteRequest {
  const { algo, params, symbol, side, size } = unwind;
  const instrument = engine.market.instrument(symbol)!;
  const trigger = toValidPrice(level, instrument);
  const { sweep_limit_bps: bps, ...rest } = params;
  const sweep = bps === undefined ? {} : { sweep_limit_bps: bps };
  const own = {
    pacemaker: rest,
    smartexit: { ...rest, stop_price: trigger },
    ghostsweep: { ...rest, trigger_price: trigger },
    glidemaker: {
      strategy: ALGO_DEFAULTS.glidemakerUnwindStrategy,
      ...rest,
      limit_price: boundOf(instrument, side, trigger),
    },
  }[algo];
  return {
    algo,
    symbol,
    side,
    total_size: size,
    reduce_only: true,
    params: own,
    ...sweep,
  } as unknown as ExecuteRequest;
}

function boundOf(instrument: InstrumentRecord, side: 'buy' | 'sell', trigger: number): number {
  const sign = side === 'buy' ? 1 : -1;
  const percent = ALGO_DEFAULTS.glidemakerUnwindBoundFraction * 100;
  const bound = offsetPrice(trigger, sign * percent, PERCENT);
  return toValidPrice(bound, instrument, side === 'buy' ? 'down' : 'up');
}
