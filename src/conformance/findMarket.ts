import type { CandleRecord, InstrumentRecord } from '../contract/index.ts';
import type { Actor } from './kit/createActor.ts';

/** The market on which the checks trade. */
export interface Market {
  instrument: InstrumentRecord | null;
  /** Share of the usual sizes that its bars can take, at most 1. */
  scale: number;
  /** Why the checks can't trade there; null if they can. */
  why: string | null;
}

/** The largest taker order of a check, quote units, at a scale of 1. */
const LARGEST_ORDER = 12_000;
/** Share of a bar's volume that the paper service offers by default. */
const VOLUME_SHARE = 0.1;
/** Below it the smallest orders of the checks would be below the order minimum. */
const LEAST_SCALE = 0.2;
const BARS = 100;

/** The deepest derivative: a market order on a thin one proves nothing about the service. */
export async function findMarket(
  me: Actor,
  instruments: readonly InstrumentRecord[],
  isPaper: boolean,
): Promise<Market> {
  const derivatives = instruments.filter(({ kind }) => kind !== 'spot');
  const first = derivatives[0] ?? instruments[0] ?? null;
  if (!isPaper) return { instrument: first, scale: 1, why: null };
  let best: Market = { instrument: first, scale: 0, why: 'No derivative is listed.' };
  for (const instrument of derivatives) {
    const scale = Math.min(1, (await usualTurnover(me, instrument)) / LARGEST_ORDER);
    if (scale > best.scale) best = { instrument, scale, why: null };
  }
  if (best.scale >= LEAST_SCALE || derivatives.length === 0) return best;
  const why = 'No derivative has bars of 1m with the volume that the checks need.';
  return { ...best, scale: 1, why };
}

/** Volume that a taker finds in a bar of 1m, quote units, in 19 of 20 bars. */
async function usualTurnover(me: Actor, { symbol }: InstrumentRecord): Promise<number> {
  const query = { interval: '1m', limit: BARS };
  const answer = await me.call('market.candles', { params: { symbol }, query }).catch(() => null);
  const bars = (answer?.body?.candles ?? []) as CandleRecord[];
  const values = bars.map(({ close, volume }) => close * volume).sort((a, b) => a - b);
  return (values[Math.floor(values.length / 20)] ?? 0) * VOLUME_SHARE;
}
