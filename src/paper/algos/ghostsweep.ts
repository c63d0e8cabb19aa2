import { ALGO_DEFAULTS } from '../../contract/index.ts';
import { fieldFault } from '../engine/fieldFault.ts';
import type { Algo } from './Algo.ts';
import type { AlgoContext } from './AlgoContext.ts';

interface State {
  trigger: number;
  /** Side of the mark on which the trigger was at launch. */
  side: 'below' | 'above';
}

type GhostSweepDesk = AlgoContext<State, 'ghostsweep'>;

/**
 * Nothing rests on the book until the mark reaches the trigger from the side it was on at launch; then it
 * takes the liquidity up to the sweep limit, once. A remainder ends it with `sweep_limit`.
 */
export const ghostsweep: Algo<State, 'ghostsweep'> = {
  prices: (launch) => [
    ['params.trigger_price', launch.params?.trigger_price],
    ['sweep_limit', launch.sweep_limit],
  ],

  check({ side, params, sweep_limit: limit }) {
    const trigger = params?.trigger_price;
    if (limit === undefined || trigger === undefined) return;
    if (side === 'buy' ? limit >= trigger : limit <= trigger) return;
    const where = side === 'buy' ? 'below' : 'above';
    throw fieldFault('sweep_limit', 'wrong_side', `A limit ${where} the trigger can never fill.`);
  },

  begin(desk) {
    const trigger = desk.launch.params?.trigger_price ?? desk.execution.priceFrom!.price;
    return { trigger, side: trigger < desk.mark ? 'below' : 'above' };
  },

  resume(desk) {
    desk.enter('armed');
    if (desk.execution.triggered) sweep(desk);
    else desk.watchPrice(desk.state.trigger, desk.state.side);
  },

  onPrice: sweep,

  /** A trigger on the other side of the mark would sweep at once. */
  holds: (desk, level) => (desk.state.side === 'above' ? level <= desk.mark : level >= desk.mark),

  onTracked(desk, price) {
    desk.state.trigger = price;
    if (!desk.isRunning) return;
    desk.unwatchPrices();
    desk.watchPrice(price, desk.state.side);
  },
};

function sweep(desk: GhostSweepDesk): void {
  desk.enter('sweeping');
  desk.take(desk.remaining, sweepLimit(desk));
  if (desk.isRunning) desk.stop('sweep_limit');
}

/** Absolute, or relative to the current trigger, in the adverse direction (EXE-4). */
function sweepLimit(desk: GhostSweepDesk): number {
  const { sweep_limit: limit, sweep_limit_bps: bps = ALGO_DEFAULTS.sweepLimitBps } = desk.launch;
  return limit ?? desk.inside(desk.state.trigger * (1 + (desk.sign * bps) / 10_000));
}
