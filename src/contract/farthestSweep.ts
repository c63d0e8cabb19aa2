import { ALGO_DEFAULTS } from './algorithms.ts';
import { BPS, offsetPrice } from './bounds.ts';
import type { ExecuteRequest } from './executeRequest.ts';

/** The price up to which a sweep may take from its trigger on; null where an absolute limit says so. */
export function farthestSweep(leg: ExecuteRequest, trigger: number): number | null {
  if (leg.algo !== 'ghostsweep' || leg.sweep_limit !== undefined) return null;
  const bps = leg.sweep_limit_bps ?? ALGO_DEFAULTS.sweepLimitBps;
  return offsetPrice(trigger, leg.side === 'buy' ? bps : -bps, BPS);
}
