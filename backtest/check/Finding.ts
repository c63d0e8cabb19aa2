import type { Parting } from './firstDifference.ts';

export type CheckName = 'look-ahead' | 'warm-up' | 'determinism' | 'promises' | 'turns' | 'state';

/** A reason to doubt a backtest's result, with the bar and the intent where it shows. */
export interface Finding {
  check: CheckName;
  /** Close of the bar, epoch milliseconds. */
  time: number;
  instance: string;
  /** The intent, or the cause of a state that is written; empty if a decision has no event as its name. */
  decisionKey: string;
  /** The meaning, and the difference. */
  words: readonly string[];
}

export function toFinding(
  check: CheckName,
  meaning: string,
  { one, other, words }: Parting,
): Finding {
  const { time, instance, decisionKey } = (one ?? other)!;
  return { check, time, instance, decisionKey, words: [meaning, ...words] };
}
