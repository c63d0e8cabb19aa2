import { ALGO_DEFAULTS, toPlainDecimal } from '../../contract/index.ts';
import { ServiceError } from '../core/ServiceError.ts';
import { signOf } from '../venue/applyFill.ts';
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

  /** A stop or take that the mark has reached already would act at once: it is refused as such a leg is (LEG-8). */
  check({ side, params }, { mark, resolved }) {
    const { stop_price: sent, stop_price_from: from, take_price: take } = params;
    const worse = signOf(side);
    const stop = sent ?? resolved!;
    if (worse * (stop - mark) <= 0) {
      const path = `params.${from === undefined ? 'stop_price' : 'stop_price_from'}`;
      throw reached(path, { price: stop, mark, isTracked: from?.track === true });
    }
    if (take === undefined || worse * (take - mark) < 0) return;
    throw reached('params.take_price', { price: take, mark, isTracked: false });
  },

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

function reached(
  path: string,
  { price, mark, isTracked }: { price: number; mark: number; isTracked: boolean },
): ServiceError {
  const [at, now] = [price, mark].map(toPlainDecimal);
  const message = `${path}: the mark, ${now}, has reached ${at} already, and the exit would act at once.`;
  if (isTracked)
    return new ServiceError('would_cross', { message, details: { price, mark, path } });
  const details = { resolved_value: price, anchor_price: mark, path };
  return new ServiceError('wrong_side_trigger', { message, details });
}

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
