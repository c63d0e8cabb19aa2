import type { TimeRange } from '../TimeRange.ts';

/** Repeatedly trains on one span of the tape and tests the best point on the next. */
export interface WalkForward {
  /** `rolling`: each training as long as the first; `anchored`: each from the tape's beginning. */
  kind: 'rolling' | 'anchored';
  trainMs: number;
  testMs: number;
}

/** Epoch milliseconds. */
export interface Window {
  train: Required<TimeRange>;
  test: Required<TimeRange>;
}

/** Tests follow one another without a gap; the last one ends inside the span. */
export function windowsOf(
  { kind, trainMs, testMs }: WalkForward,
  { from, until }: { from: number; until: number },
): Window[] {
  const windows: Window[] = [];
  for (let at = from + trainMs; at + testMs <= until; at += testMs) {
    windows.push({
      train: { from: kind === 'rolling' ? at - trainMs : from, until: at },
      test: { from: at, until: at + testMs },
    });
  }
  return windows;
}
