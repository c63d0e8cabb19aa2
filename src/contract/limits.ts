import type { Tier } from './vocabulary.ts';

/** Limits that the spec states (§8); those that it leaves open are in the dialect. */
export const LIMITS = {
  /** LEG-11, TRK-6: armed or queued trails and tracked entries of one wallet. */
  maintainedRows: 20,
  /** LEG-5, TRK-3. */
  defaultMinMoveBps: 5,
  /** TRK-4. */
  defaultMaxDriftBps: 500,
  /** BSK-1. */
  basketLegs: 10,
  basketTemplates: 10,
  /** EXE-9. */
  staleWarnMs: 30_000,
  stalePauseMs: 300_000,
  /** LIM-3. */
  clientTimeoutMs: 30_000,
} as const;

/** The service's own fee a fill, in basis points, and the 14-day volume (quote units) it starts at (ACC-2). */
export const FEE_TIERS: ReadonlyArray<{ tier: Tier; bps: number; fromVolume: number }> = [
  { tier: 'standard', bps: 0.8, fromVolume: 0 },
  { tier: 'professional', bps: 0.6, fromVolume: 5_000_000 },
  { tier: 'institutional', bps: 0.4, fromVolume: 25_000_000 },
  { tier: 'elite', bps: 0.25, fromVolume: 100_000_000 },
];
