import type { BarColumns } from './BotEvent.ts';

/** A bar of the interval that a symbol is valued by has closed. */
export type BarListener = (symbol: string, bar: BarColumns) => void;

/** Calls at each bar, in place of events: most of what happens in a run is bars on which nothing does. */
export interface BarCalls {
  tell(symbol: string, bar: BarColumns, history: boolean): void;
  listen(listener: BarListener): void;
}

/** @param first is called at every bar, those of the past too, before the listeners are */
export function createBarCalls(first: () => void): BarCalls {
  const listeners: BarListener[] = [];
  return {
    tell(symbol, bar, history) {
      first();
      if (history) return;
      for (let at = 0; at < listeners.length; at++) listeners[at]!(symbol, bar);
    },
    listen: (listener) => void listeners.push(listener),
  };
}
