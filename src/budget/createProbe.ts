import type { Admission } from './Budget.ts';

type Denial = Extract<Admission, { admitted: false }>;

/** How long the others wait for the answer to the first request after a 429's time has passed. */
const ANSWER_MS = 250;
/** After this time nothing waits any more: a missing answer must not block exits. */
const DOUBT_MS = 750;

/**
 * After a 429 one request probes whether the service accepts requests again. In a storm of 429s a backlog that
 * was sent whole each time would, refused again and again, use up what exits need when it is over.
 */
export interface Probe {
  /** A 429 arrived; nothing is sent before `until`. */
  refused(until: number): void;
  /** Any other answer arrived, to a request that left after the last 429 did. */
  served(): void;
  /** A request leaves. */
  left(): void;
  /** Why the next one waits; undefined if it needn't. */
  doubt(): Denial | undefined;
}

/** @param now milliseconds of the clock by which the service's budget is counted */
export function createProbe(now: () => number): Probe {
  let doubtUntil = Number.NEGATIVE_INFINITY;
  let answerBy = Number.NEGATIVE_INFINITY;
  return {
    refused(until) {
      doubtUntil = Math.max(doubtUntil, until + DOUBT_MS);
      answerBy = Number.NEGATIVE_INFINITY;
    },
    served() {
      doubtUntil = Number.NEGATIVE_INFINITY;
    },
    left() {
      if (now() < doubtUntil) answerBy = now() + ANSWER_MS;
    },
    doubt() {
      const until = Math.min(answerBy, doubtUntil);
      if (now() >= until) return undefined;
      const need = 'the answer to the first request after a 429';
      return { admitted: false, reason: 'budget', until, need };
    },
  };
}
