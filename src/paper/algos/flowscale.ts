import type { Algo } from './Algo.ts';
import type { AlgoContext } from './AlgoContext.ts';
import { countVolume, takeShare, type VolumeState } from './followVolume.ts';

interface State extends VolumeState {
  /** Moved later by the length of every pause. */
  startTime: number;
}

type FlowscaleDesk = AlgoContext<State, 'flowscale'>;

/**
 * Follows traded volume: after each closed bar it takes what it needs to reach its share of the volume
 * since it began, never more. `max_duration_seconds` ends it, `time_limit`.
 */
export const flowscale: Algo<State, 'flowscale'> = {
  prices: ({ params }) => [['params.limit_price', params.limit_price]],

  begin: (desk) => ({ seen: 0, countsFrom: desk.now, startTime: desk.now }),

  resume(desk, pausedMs) {
    desk.enter('working');
    desk.state.countsFrom = desk.now;
    desk.state.startTime += pausedMs;
    desk.wakeAt(endTime(desk));
  },

  onBar(desk) {
    const { participation, limit_price: limit } = desk.launch.params;
    countVolume(desk as AlgoContext<VolumeState>);
    takeShare(desk as AlgoContext<VolumeState>, { participation, bound: limit ?? null });
  },

  onTimer: (desk) => desk.stop('time_limit'),
};

function endTime({ launch, state }: FlowscaleDesk): number {
  const { max_duration_seconds: seconds } = launch.params;
  return seconds === undefined ? Infinity : state.startTime + seconds * 1_000;
}
