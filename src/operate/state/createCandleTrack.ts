import type { FillRecord } from '../../contract/index.ts';
import type { CandleEvent } from '../../streams/index.ts';
import type { CandlesView, FillMark, IntentMark } from './BotView.ts';
import { createRing } from './createRing.ts';

/** The newest bars of each symbol, and the fills on them. */
export interface CandleTrack {
  bar(symbol: string, event: CandleEvent): void;
  fill(wallet: string, fill: FillRecord, owner: string | null): void;
  intent(mark: IntentMark): void;
  /** Undefined for a symbol that no strategy trades. */
  of(symbol: string): CandlesView | undefined;
}

/** A snapshot of candles reaches as far back. */
export const MOST_BARS = 500;
const MOST_FILLS = 500;
const MOST_INTENTS = 500;

type Bar = Extract<CandleEvent, { kind: 'closed' }>['bar'];

/** @param intervals milliseconds of each symbol's bars */
export function createCandleTrack(intervals: ReadonlyMap<string, number>): CandleTrack {
  const bars = new Map([...intervals.keys()].map((symbol) => [symbol, createRing<Bar>(MOST_BARS)]));
  const fills = new Map(
    [...intervals.keys()].map((symbol) => [symbol, createRing<FillMark>(MOST_FILLS)]),
  );
  /** By key, so that an intent's next state takes the place of its last; the oldest first. */
  const intents = new Map<string, IntentMark>();
  return {
    bar(symbol, event) {
      if (event.kind === 'closed') bars.get(symbol)?.add(event.bar);
    },
    fill(wallet, { symbol, time, side, price, size }, owner) {
      fills.get(symbol)?.add({ time, wallet, side, price, size, owner });
    },
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
