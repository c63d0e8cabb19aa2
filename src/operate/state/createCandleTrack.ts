import type { CandleEvent } from '../../streams/index.ts';
import type { CandlesView, FillMark, IntentMark } from './BotView.ts';
import { createRing } from './createRing.ts';

/** What comes into a track: bars, and what is drawn on them. */
export interface CandleListener {
  bar(symbol: string, bar: CandleBar): void;
  fill(symbol: string, fill: FillMark): void;
  intent(mark: IntentMark): void;
}

/** The newest bars of each symbol, and the fills on them. */
export interface CandleTrack extends CandleListener {
  /** Undefined for a symbol that no strategy trades. */
  of(symbol: string): CandlesView | undefined;
}

/** A snapshot of candles reaches as far back. */
export const MOST_BARS = 500;
const MOST_FILLS = 500;
const MOST_INTENTS = 500;

export type CandleBar = Pick<
  Extract<CandleEvent, { kind: 'closed' }>['bar'],
  'time' | 'open' | 'high' | 'low' | 'close'
>;

/** @param intervals milliseconds of each symbol's bars */
export function createCandleTrack(intervals: ReadonlyMap<string, number>): CandleTrack {
  const bars = new Map(
    [...intervals.keys()].map((symbol) => [symbol, createRing<CandleBar>(MOST_BARS)]),
  );
  const fills = new Map(
    [...intervals.keys()].map((symbol) => [symbol, createRing<FillMark>(MOST_FILLS)]),
  );
  /** By key, so that an intent's next state takes the place of its last; the oldest first. */
  const intents = new Map<string, IntentMark>();
  return {
    bar: (symbol, bar) => bars.get(symbol)?.add(bar),
    fill: (symbol, fill) => fills.get(symbol)?.add(fill),
    intent(mark) {
      if (!intervals.has(mark.symbol)) return;
      intents.set(mark.key, mark);
      if (intents.size > MOST_INTENTS) intents.delete(intents.keys().next().value!);
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
        intents: [...intents.values()].filter((mark) => mark.symbol === symbol),
      };
    },
  };
}
