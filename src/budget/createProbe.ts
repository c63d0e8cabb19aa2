import type { Admission } from './Budget.ts';

type Denial = Extract<Admission, { admitted: false }>;

/** How long the others wait for the answer to the first request after a 429's time is over. */
const ANSWER_MS = 250;
/** After so long nobody waits any more: no answer at all must not keep exits. */
const DOUBT_MS = 750;

/**
 * After a 429 one request tells whether the service takes any again. In a storm of them a backlog that
 * went out whole each time would use up, refused again and again, what exits need when it is over.
 */
export interface Probe {
  /** A 429 came; nothing goes out before `until`. */
  refused(until: number): void;
  /** Anything else was answered. */
  served(): void;
  /** A request leaves. */
  left(): void;
  /** Why the next one waits; undefined where it needn't. */
  doubt(): Denial | undefined;
}

/** @param now milliseconds of the clock that the service's budget runs on */
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
