import { ALGO_DEFAULTS } from '../../contract/index.ts';
import type { Algo } from './Algo.ts';
import type { AlgoContext } from './AlgoContext.ts';
import { countVolume, takeShare, type VolumeState } from './followVolume.ts';

/**
 * Flowscale that works only while the price is inside the band. Outside it takes nothing and counts no
 * volume. Inside it never pays beyond the band's edge.
 */
export const flowband: Algo<VolumeState, 'flowband'> = {
  prices: ({ params }) => [
    ['params.band_low', params.band_low],
    ['params.band_high', params.band_high],
  ],

  begin: (context) => ({ seen: 0, countsFrom: context.now }),

  phase: phaseNow,

  resume(context) {
    context.state.countsFrom = context.now;
  },

  onBar(context) {
    const { band_low: low, band_high: high, participation } = context.launch.params;
    context.enter(phaseNow(context));
    if (!isInside(context)) return;
    countVolume(context as AlgoContext<VolumeState>);
    takeShare(context as AlgoContext<VolumeState>, {
      participation: participation ?? ALGO_DEFAULTS.flowbandParticipation,
      bound: context.side === 'buy' ? high : low,
    });
  },
};

function phaseNow(context: AlgoContext<VolumeState, 'flowband'>): 'working' | 'armed' {
  return isInside(context) ? 'working' : 'armed';
}

function isInside({ mark, launch }: AlgoContext<VolumeState, 'flowband'>): boolean {
  return mark >= launch.params.band_low && mark <= launch.params.band_high;
}
