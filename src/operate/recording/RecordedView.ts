import type { FillMark, IntentMark, ViewChange, WholeView } from '../state/BotView.ts';

/** A closed bar: open time, open, high, low, close. */
export type RecordedBar = readonly [
  time: number,
  open: number,
  high: number,
  low: number,
  close: number,
];

/**
 * What an operator could see of a bot, in order: whole views with the changes after each, and what is drawn on the
 * candles. It belongs to no instance, so that a replay passes it over.
 */
export type RecordedView =
  | ['view', WholeView]
  | ['change', ViewChange]
  | ['bar', symbol: string, intervalMs: number, bar: RecordedBar]
  | ['fill', symbol: string, fill: FillMark]
  | ['intent', IntentMark];

/** In place of an instance's number. */
export const OF_THE_BOT = -1;
