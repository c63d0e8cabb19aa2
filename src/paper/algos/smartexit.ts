import { ALGO_DEFAULTS } from '../../contract/index.ts';
import type { Algo } from './Algo.ts';
import type { AlgoContext } from './AlgoContext.ts';

interface State {
  stop: number;
  take: number | null;
  /** When stop or take was reached, moved later by every pause since; null while it waits. */
  touchedTime: number | null;
}

type SmartExitDesk = AlgoContext<State, 'smartexit'>;

/**
 * Reduce-only. Waits until stop or take is reached. Then it posts at the best price of its side for
 * `patience_seconds` and follows that price. After that it takes the remainder at the market, with each
 * closed bar until it is done.
 */
export const smartexit: Algo<State, 'smartexit'> = {
  prices: ({ params }) => [
    ['params.stop_price', params.stop_price],
    ['params.take_price', params.take_price],
  ],

  begin: (desk) => ({
    stop: desk.launch.params.stop_price ?? desk.execution.priceFrom!.price,
    take: desk.launch.params.take_price ?? null,
    touchedTime: desk.execution.triggered ? desk.now : null,
  }),

  resume(desk, pausedMs) {
    const { state } = desk;
    if (state.touchedTime === null) {
      desk.enter('armed');
      watch(desk);
      return;
    }
    state.touchedTime += pausedMs;
    work(desk);
  },

  onPrice(desk) {
    desk.unwatchPrices();
    desk.state.touchedTime = desk.now;
    work(desk);
  },

  onTimer: work,

  onBar(desk) {
    if (isOverdue(desk)) work(desk);
  },

  /** A stop on the other side of the mark would act at once. */
  holds: (desk, level) => desk.state.touchedTime === null && desk.sign * (level - desk.mark) <= 0,

  onTracked(desk, price) {
    desk.state.stop = price;
    if (!desk.isRunning || desk.state.touchedTime !== null) return;
    desk.unwatchPrices();
    watch(desk);
  },
};

/** A seller's stop lies below the mark and its take above; a buyer's the other way round. */
function watch(desk: SmartExitDesk): void {
  const { stop, take } = desk.state;
  desk.watchPrice(stop, desk.sign < 0 ? 'below' : 'above');
  if (take !== null) desk.watchPrice(take, desk.sign < 0 ? 'above' : 'below');
}

const patienceEnd = ({ state, launch }: SmartExitDesk): number => {
  const { patience_seconds: patience = ALGO_DEFAULTS.smartExitPatienceSeconds } = launch.params;
  return (state.touchedTime ?? Infinity) + patience * 1_000;
};

const isOverdue = (desk: SmartExitDesk): boolean => desk.now >= patienceEnd(desk);

function work(desk: SmartExitDesk): void {
  if (isOverdue(desk)) {
    desk.enter('sweeping');
    desk.cancelChildren();
    desk.take(desk.remaining, null);
    return;
  }
  desk.enter('working');
  desk.post(desk.near);
  desk.wakeAt(Math.min(desk.nextCornerTime, patienceEnd(desk)));
}
