import { BPS, offsetPrice } from '../../contract/bounds.ts';
import { ALGO_DEFAULTS, type LaunchOf } from '../../contract/index.ts';
import { fieldFault } from '../engine/fieldFault.ts';
import type { Algo } from './Algo.ts';
import type { AlgoContext } from './AlgoContext.ts';

interface State {
  trigger: number;
  /** Side of the mark on which the trigger was at launch. */
  side: 'below' | 'above';
}

type GhostSweepContext = AlgoContext<State, 'ghostsweep'>;

/**
 * Nothing rests on the book until the mark reaches the trigger from the side it was on at launch; then it
 * takes the liquidity up to the sweep limit, once. A remainder ends it with `sweep_limit`.
 */
export const ghostsweep: Algo<State, 'ghostsweep'> = {
  prices: (launch) => [
    ['params.trigger_price', launch.params?.trigger_price],
    ['sweep_limit', launch.sweep_limit],
  ],

  check: (launch, { resolved }) => checkLimit(launch, launch.params?.trigger_price ?? resolved!),

  begin(context) {
    const trigger = context.launch.params?.trigger_price ?? context.execution.priceFrom!.price;
    return { trigger, side: trigger < context.mark ? 'below' : 'above' };
  },

  phase: ({ execution }) => (execution.triggered ? 'sweeping' : 'armed'),

  resume(context) {
    if (context.execution.triggered) sweep(context);
    else context.watchPrice(context.state.trigger, context.state.side);
  },

  onPrice: sweep,

  /** A trigger on the other side of the mark would sweep at once. */
  holds: (context, level) =>
    context.state.side === 'above' ? level <= context.mark : level >= context.mark,

  onTracked(context, price) {
    context.state.trigger = price;
    if (!context.isRunning) return;
    context.unwatchPrices();
    context.watchPrice(price, context.state.side);
  },
};

function checkLimit(
  { side, sweep_limit: limit }: Pick<LaunchOf<'ghostsweep'>, 'side' | 'sweep_limit'>,
  trigger: number,
): void {
  if (limit === undefined) return;
  if (side === 'buy' ? limit >= trigger : limit <= trigger) return;
  const where = side === 'buy' ? 'below' : 'above';
  throw fieldFault('sweep_limit', 'wrong_side', `A limit ${where} the trigger can never fill.`);
}

function sweep(context: GhostSweepContext): void {
  context.enter('sweeping');
  context.take(context.remaining, sweepLimit(context));
  if (context.isRunning) context.stop('sweep_limit');
}

/** Absolute, or relative to the current trigger, in the adverse direction (EXE-4). */
function sweepLimit(context: GhostSweepContext): number {
  const { sweep_limit: limit, sweep_limit_bps: bps = ALGO_DEFAULTS.sweepLimitBps } = context.launch;
  return limit ?? context.inside(offsetPrice(context.state.trigger, context.sign * bps, BPS));
}
