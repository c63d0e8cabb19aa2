import type { Algo } from './Algo.ts';
import type { AlgoContext } from './AlgoContext.ts';
import { countVolume, takeShare, type VolumeState } from './followVolume.ts';

interface State extends VolumeState {
  /** Moved later by the length of every pause. */
  startTime: number;
}

type FlowscaleContext = AlgoContext<State, 'flowscale'>;

/**
 * Follows traded volume: after each closed bar it takes what it needs to reach its share of the volume
 * since it began, never more. `max_duration_seconds` ends it, `time_limit`.
 */
export const flowscale: Algo<State, 'flowscale'> = {
  prices: ({ params }) => [['params.limit_price', params.limit_price]],

  begin: (context) => ({ seen: 0, countsFrom: context.now, startTime: context.now }),

  phase: () => 'working',

  resume(context, pausedMs) {
    context.state.countsFrom = context.now;
    context.state.startTime += pausedMs;
    context.wakeAt(endTime(context));
  },

  onBar(context) {
    const { participation, limit_price: limit } = context.launch.params;
    countVolume(context as AlgoContext<VolumeState>);
    takeShare(context as AlgoContext<VolumeState>, { participation, bound: limit ?? null });
  },

  onTimer: (context) => context.stop('time_limit'),
};

function endTime({ launch, state }: FlowscaleContext): number {
  const { max_duration_seconds: seconds } = launch.params;
  return seconds === undefined ? Infinity : state.startTime + seconds * 1_000;
}
