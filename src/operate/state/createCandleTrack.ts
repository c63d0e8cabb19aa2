import type { FillRecord } from '../../contract/index.ts';
import type { CandleEvent } from '../../streams/index.ts';
import type { CandlesView, FillMark } from './BotView.ts';
import { createRing } from './createRing.ts';

/** The newest bars of each symbol, and the fills on them. */
export interface CandleTrack {
  bar(symbol: string, event: CandleEvent): void;
  fill(wallet: string, fill: FillRecord, owner: string | null): void;
  /** Undefined for a symbol that no strategy trades. */
  of(symbol: string): CandlesView | undefined;
}

/** A snapshot of candles reaches as far back. */
export const MOST_BARS = 500;
const MOST_FILLS = 500;

type Bar = Extract<CandleEvent, { kind: 'closed' }>['bar'];

/** @param intervals milliseconds of each symbol's bars */
export function createCandleTrack(intervals: ReadonlyMap<string, number>): CandleTrack {
  const bars = new Map([...intervals.keys()].map((symbol) => [symbol, createRing<Bar>(MOST_BARS)]));
  const fills = new Map(
    [...intervals.keys()].map((symbol) => [symbol, createRing<FillMark>(MOST_FILLS)]),
  );
  return {
    bar(symbol, event) {
      if (event.kind === 'closed') bars.get(symbol)?.add(event.bar);
    },
    fill(wallet, { symbol, time, side, price, size }, owner) {
      fills.get(symbol)?.add({ time, wallet, side, price, size, owner });
    },
    of(symbol) {
      const interval = intervals.get(symbol);
      if (interval === undefined) return undefined;
      const known = bars.get(symbol)!.list();
      const column = (name: 'time' | 'open' | 'high' | 'low' | 'close'): number[] =>
        known.map((bar) => bar[name]);
      return {
        symbol,
        interval_ms: interval,
        time: column('time'),
        open: column('open'),
        high: column('high'),
        low: column('low'),
        close: column('close'),
        fills: fills.get(symbol)!.list(),
      };
    },
  };
}
