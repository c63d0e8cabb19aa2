import { FEE_TIERS, isSpot } from '../../contract/index.ts';
import { feesOf, toFeeSettings, type Stretch } from '../../paper/index.ts';
import { describeFunding } from './describeFunding.ts';
import { describeLatency } from './describeLatency.ts';
import type { LoadedTape } from './loadTape.ts';

/** Assumptions of the simulated venue, in sentences for the report (conventions §6). */
export function paperAssumptions(
  { paper, data }: Pick<LoadedTape, 'paper' | 'data'>,
  run: Stretch,
): string[] {
  const touch = paper.fill_on_touch ? 'touches' : 'trades through';
  const share = Number((paper.volume_share * 100).toPrecision(6));
  return [
    'Money is in USDC; sizes and volumes are in units of the base.',
    'Inside a bar the price runs from the open to the nearer extreme, to the farther one, to the close.',
    `A resting order fills at its price when the path ${touch} it; no fill uses more than ${share} % of a bar's volume.`,
    'That share of a symbol is common to all wallets and orders until its next bar.',
    `The spread is ${paper.half_spread_bps * 2} bps around the mark; a taker also pays ${paper.impact_bps} bps times its share of the bar's volume.`,
    'Bid and ask are the nearest valid prices; the impact beyond them is not rounded.',
    "That volume is the last closed bar's, a stop's too, which triggers inside a bar; on an empty bar the share counts as 1.",
    ...feeLines({ paper, data }),
    ...describeFunding(data, run).map(({ text }) => text),
    describeLatency(paper),
  ];
}

/** A sentence for each set of symbols with the same fees. */
function feeLines({ paper, data }: Pick<LoadedTape, 'paper' | 'data'>): string[] {
  const settings = toFeeSettings(paper.fees);
  const symbolsOf = new Map<string, string[]>();
  for (const { symbol } of data.feeds) {
    // A slash means spot (conventions §6).
    const { makerBps, takerBps, serviceBps } = feesOf(settings, symbol, isSpot(symbol));
    const service =
      serviceBps === null
        ? `${FEE_TIERS[0]!.bps} bps on every fill (less with volume)`
        : `${serviceBps} bps on every fill`;
    const text = `venue ${makerBps} bps maker and ${takerBps} bps taker, service ${service}.`;
    symbolsOf.set(text, [...(symbolsOf.get(text) ?? []), symbol]);
  }
  const isOne = symbolsOf.size === 1;
  return [...symbolsOf].map(([text, symbols]) =>
    isOne ? `Fees: ${text}` : `Fees of ${symbols.join(', ')}: ${text}`,
  );
}
