import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ComparisonResult } from '../harness.ts';
import { compareCross, loadCross } from './smaCross.ts';

/** Two years of a venue's one-minute bars, with gaps for minutes without trades. */
const TAPE = join(
  import.meta.dirname,
  '../../../../shared/data/normalised/BITFINEX-BTCUSD-1m.csv.gz',
);

/**
 * Small orders: the unfilled remainders of thin minutes would add up to a position that the guards
 * refuse.
 */
const PARAMS = ['size=0.02'];

/** Why there is no tape to run on; undefined if there is one. */
export function realBarsUnavailable(): string | undefined {
  return existsSync(TAPE) ? undefined : `its tape is not here (${TAPE})`;
}

/** SMA 10/30 cross over a million real one-minute bars, bars a second of processor time. */
export async function benchRealBars(): Promise<ComparisonResult[]> {
  const feeds = [`BTC@1m=${TAPE}`];
  const tape = await loadCross('fusedCross.ts', 2, { feeds, params: PARAMS });
  return compareCross('backtest: SMA cross, real one-minute bars', tape, PARAMS);
}
