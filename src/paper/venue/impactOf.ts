import { BPS, compareMove } from '../../contract/bounds.ts';
import type { EngineState } from '../engine/EngineState.ts';

/** Impact stops growing at this share of a bar: a thin bar says little about the market's depth. */
const MAX_SHARE = 100;
/**
 * Impact also stops at this part of the price, for any configured impact: no fill has a negative price.
 */
const MAX_IMPACT = 0.5;

/**
 * Distance from the best price that a taker of that size pays, as a fraction of that price: the impact of
 * a bar times its share of the bar's volume, which counts as 1 on an empty bar (conventions §6).
 */
export function impactOf({ settings }: EngineState, size: number, volume: number): number {
  const share = volume === 0 ? 1 : Math.min(MAX_SHARE, size / volume);
  return Math.min(MAX_IMPACT, (settings.impactBps / 10_000) * share);
}

/** The size whose impact equals the slack between best price and bound. */
export function sizeInside(
  { settings }: EngineState,
  { touch, bound, sign }: { touch: number; bound: number | null; sign: 1 | -1 },
  volume: number,
): number {
  const { impactBps } = settings;
  if (bound === null) return Infinity;
  if (sign * (bound - touch) < 0) return 0;
  const reaches = (bps: number): boolean => compareMove(touch, bound, bps) >= 0;
  if (reaches(Math.min(MAX_IMPACT * BPS, impactBps * MAX_SHARE))) return Infinity;
  if (volume === 0) return reaches(impactBps) ? Infinity : 0;
  return ((sign * (bound / touch - 1)) / (impactBps / BPS)) * volume;
}
