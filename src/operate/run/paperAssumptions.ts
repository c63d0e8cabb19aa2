import { FEE_TIERS } from '../../contract/index.ts';
import type { Stretch } from '../../paper/index.ts';
import { describeFunding } from './describeFunding.ts';
import type { LoadedTape } from './loadTape.ts';

/** What the simulated venue assumes, in sentences for the report (conventions §6). */
export function paperAssumptions(
  { paper, data }: Pick<LoadedTape, 'paper' | 'data'>,
  run: Stretch,
): string[] {
  const touch = paper.fill_on_touch ? 'touches' : 'trades through';
  const share = Number((paper.volume_share * 100).toPrecision(6));
  const tier = FEE_TIERS[0]!;
  return [
    'Money is in USDC; sizes and volumes are in units of the base.',
    'Inside a bar the price runs from the open to the nearer extreme, to the farther one, to the close.',
    `A resting order fills at its price when the path ${touch} it; no fill uses more than ${share} % of a bar's volume.`,
    `The spread is ${paper.half_spread_bps * 2} bps around the mark; a taker also pays ${paper.impact_bps} bps times its share of the bar's volume.`,
    `Fees: venue 1.5 bps maker and 4.5 bps taker, service ${tier.bps} bps on every fill (less with volume).`,
    ...describeFunding(data, run).map(({ text }) => text),
    'Orders reach the venue at the close of the bar that they were decided upon; there is no latency.',
  ];
}
