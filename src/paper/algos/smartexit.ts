import { ALGO_DEFAULTS } from '../../contract/index.ts';
import type { Algo } from './Algo.ts';
import type { AlgoContext } from './AlgoContext.ts';

interface State {
  stop: number;
  take: number | null;
  /** When stop or take was reached, moved later by every pause since; null while it waits. */
  touchedTime: number | null;
}

type SmartExitContext = AlgoContext<State, 'smartexit'>;

/**
 * Reduce-only. Waits until stop or take is reached. Then it posts at the best price of its side for
 * `patience_seconds` and follows that price. After that it takes the remainder at any price, with each closed
 * bar until it is done.
 */
export const smartexit: Algo<State, 'smartexit'> = {
  prices: ({ params }) => [
    ['params.stop_price', params.stop_price],
    ['params.take_price', params.take_price],
  ],

  begin: (context) => ({
    stop: context.launch.params.stop_price ?? context.execution.priceFrom!.price,
    take: context.launch.params.take_price ?? null,
    touchedTime: context.execution.triggered ? context.now : null,
  }),

  phase: ({ state }) => (state.touchedTime === null ? 'armed' : 'working'),

  resume(context, pausedMs) {
    const { state } = context;
    if (state.touchedTime === null) {
      watch(context);
      return;
    }
    state.touchedTime += pausedMs;
    work(context);
  },

  onPrice(context) {
    context.unwatchPrices();
    context.stopTracking();
    context.state.touchedTime = context.now;
    work(context);
  },

  onTimer: work,

  wakeTime,

  onBar(context) {
    if (isOverdue(context)) work(context);
  },

  /** A stop on the other side of the mark would act at once. */
  holds: (context, level) =>
    context.state.touchedTime === null && context.sign * (level - context.mark) <= 0,

  onTracked(context, price) {
    context.state.stop = price;
    if (!context.isRunning || context.state.touchedTime !== null) return;
    context.unwatchPrices();
    watch(context);
  },
};

/** A seller's stop is below the mark and its take-profit above; a buyer's the other way round. */
function watch(context: SmartExitContext): void {
  const { stop, take } = context.state;
  context.watchPrice(stop, context.sign < 0 ? 'below' : 'above');
  if (take !== null) context.watchPrice(take, context.sign < 0 ? 'above' : 'below');
}

const patienceEnd = ({ state, launch }: SmartExitContext): number => {
  const { patience_seconds: patience = ALGO_DEFAULTS.smartExitPatienceSeconds } = launch.params;
  return (state.touchedTime ?? Infinity) + patience * 1_000;
};

const isOverdue = (context: SmartExitContext): boolean => context.now >= patienceEnd(context);

function work(context: SmartExitContext): void {
  if (isOverdue(context)) {
    context.enter('sweeping');
    context.cancelChildren();
    // An exit is not held back by a wide spread: the market's price is the one that there is.
    context.take(context.remaining, null, { anyPrice: true });
    return;
  }
  context.enter('working');
  context.post(context.near);
  context.wakeAt(wakeTime(context));
}

function wakeTime(context: SmartExitContext): number {
  return Math.min(context.nextCornerTime, patienceEnd(context));
}
