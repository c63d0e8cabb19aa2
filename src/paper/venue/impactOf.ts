import type { EngineState } from '../engine/EngineState.ts';

/** Impact stops growing at this share of a bar: a thin one says little of what the market bears. */
const MAX_SHARE = 100;
/** And at this part of the price, whatever a bar's impact is set to: nobody pays to be rid of a size. */
const MAX_IMPACT = 0.5;

/**
 * How much further than the touch a taker of that size pays, as a fraction of it: the impact of a bar
 * times its share of the bar's volume, which counts as 1 on an empty bar (conventions §6).
 */
export function impactOf({ settings }: EngineState, size: number, volume: number): number {
  const share = volume === 0 ? 1 : Math.min(MAX_SHARE, size / volume);
  return Math.min(MAX_IMPACT, (settings.impactBps / 10_000) * share);
}

/** The size whose impact just uses up the slack between touch and bound, a fraction of the touch. */
export function sizeInside({ settings }: EngineState, slack: number, volume: number): number {
  const impact = settings.impactBps / 10_000;
  if (slack < 0) return 0;
  if (impact === 0 || slack >= Math.min(MAX_IMPACT, impact * MAX_SHARE)) return Infinity;
  if (volume === 0) return slack >= impact ? Infinity : 0;
  return (slack / impact) * volume;
}
