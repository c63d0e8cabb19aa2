import type { Budget } from '../../budget/index.ts';
import type { Exchange, ServiceResponse } from '../../contract/index.ts';
import { isOfCache } from '../../contract/isOfCache.ts';
import { readHold } from '../../outcomes/index.ts';

export interface LearningOptions {
  /** Name of the header with the remaining weight, in lower case. */
  remainingHeader: string;
  /** Epoch milliseconds, for a `Retry-After` that is a date. */
  wallNow(): number;
}

/** What the answers of a bot's requests teach its budget. */
export interface BudgetLearning {
  /** Called as a request leaves; what it returns reads that request's exchange, and returns it. */
  leaves(): (exchange: Exchange) => Exchange;
  /** Another key is in use: answers to what has left so far are of the former one, and teach nothing of its budget. */
  startOver(): void;
}

/** The first wait after a 429 without a figure; each further one without an answer in between doubles it. */
const FIRST_HOLD_MS = 1_000;
/** An exit is tried at least this often. */
const LONGEST_OWN_HOLD_MS = 8_000;

/**
 * Reads the key's budget from answers: the remaining weight, and how long to wait after a 429 (LIM-2). Every answer
 * counts, whatever the request was: a query's 429 also binds the next order. So does one that nobody could read, as a
 * load balancer's page: what became of its request is another question.
 */
export function learnBudget(budget: Budget, options: LearningOptions): BudgetLearning {
  const { remainingHeader, wallNow } = options;
  /** Waits without a figure since the service last answered. */
  let unnamed = 0;
  /** 429s so far. An answer to what had left before the last one does not show that the service accepts requests again. */
  let refusals = 0;
  /** Requests so far, and the one whose answer taught last: a slow answer says what remained before a newer one did. */
  let left = 0;
  let taught = 0;
  /** How often another key was put in use. */
  let generation = 0;

  function isHeld(): boolean {
    const admission = budget.admit('control', 0);
    return !admission.admitted && admission.reason === 'retry_after';
  }

  /** Several requests may have been under way: their 429s are one. */
  function ownHoldMs(): number {
    if (isHeld()) return 0;
    return Math.min(FIRST_HOLD_MS * 2 ** Math.min(unnamed++, 10), LONGEST_OWN_HOLD_MS);
  }

  function learnRemaining({ headers }: ServiceResponse, number: number): void {
    const text = headers[remainingHeader];
    const remaining = text === undefined ? Number.NaN : Number(text);
    if (!Number.isFinite(remaining) || number < taught) return;
    taught = number;
    budget.learnRemaining(remaining);
  }

  function learn(exchange: Exchange, number: number, refusalsBefore: number): void {
    if (exchange.kind === 'not_sent') return;
    const isStored = exchange.kind === 'answered' && isOfCache(exchange.response);
    if (exchange.kind === 'answered' && !isStored) learnRemaining(exchange.response, number);
    const hold = readHold(exchange, wallNow);
    if (hold === undefined) {
      // A request without an answer of the service shows nothing of what it would accept.
      if (exchange.kind === 'no_answer' || isStored || refusalsBefore !== refusals) return;
      unnamed = 0;
      budget.served();
    } else if (!isReadGate(exchange)) {
      refusals++;
      budget.holdFor(hold.forMs ?? ownHoldMs(), hold.isService ? undefined : 'wall');
    }
  }

  return {
    leaves() {
      const ofKey = generation;
      const number = ++left;
      const before = refusals;
      return (exchange) => {
        if (ofKey === generation) learn(exchange, number, before);
        return exchange;
      };
    },
    startOver() {
      generation++;
      unnamed = 0;
    },
  };
}

/** The venue's headroom limit stops market reads only (MKT-5). */
function isReadGate(exchange: Exchange): boolean {
  if (exchange.kind !== 'answered') return false;
  const { error } = (exchange.response.body ?? {}) as {
    error?: { details?: Record<string, unknown> };
  };
  return error?.details?.['bucket_exceeded'] === 'read_headroom_gate';
}
