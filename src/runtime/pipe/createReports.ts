import type { IntentState, Journal } from '../../journal/index.ts';
import { explainRefusal } from './explainRefusal.ts';
import type { PipeEvent } from '../PipeEvent.ts';
import { waitForBudget } from '../waits.ts';
import { record, type PipeItem, type SendItem } from './PipeItem.ts';
import type { Steps } from './steps.ts';

/** Reports an item's steps to the journal and to subscribers. */
export interface Reports {
  report(item: PipeItem, state: PipeEvent['state'], extra?: Partial<PipeEvent>): void;
  /** Appends the item's pending steps. */
  write(item: PipeItem): void;
  /** Journals the state, then reports it. */
  end(item: PipeItem, state: IntentState, why: Reason, reported?: Partial<PipeEvent>): void;
  /** It waits for the budget; reported once per wait. */
  deferred(item: SendItem, reason: string): void;
  superseded(item: PipeItem, by: PipeItem): void;
}

export interface Reason {
  guard?: string;
  reason: string;
  /** Idempotency key of the item that replaced it. */
  by?: string;
}

const REFUSED: readonly string[] = ['denied', 'rejected'];
const NOTHING = (): void => {};

export function createReports(
  journal: Journal,
  steps: Steps,
  onEvent: (event: PipeEvent) => void,
): Reports {
  const report: Reports['report'] = (item, state, extra) => {
    const { emission, key, attempt } = item;
    const event: PipeEvent =
      extra === undefined
        ? { state, emission, key, attempt }
        : { state, emission, key, attempt, ...extra };
    onEvent(REFUSED.includes(state) ? explainRefusal(event) : event);
  };
  const write = (item: PipeItem): void => {
    // Most are sent at once, and their steps were written with `sending`.
    if (item.steps.length > 0) steps.of(() => record(journal, item))(NOTHING);
  };
  const end: Reports['end'] = (item, state, why, reported = { ...why }) => {
    item.steps.push({ state, data: { ...why } });
    write(item);
    report(item, state, reported);
  };
  return {
    report,
    write,
    end,
    deferred(item, reason) {
      if (item.deferralReported) return;
      item.deferralReported = true;
      // An unknown intent stays unknown in the journal: anything else would deny that it was sent.
      if (item.unknownSince === undefined) item.steps.push({ state: 'deferred', data: { reason } });
      const waitsFor = reason === 'retry_after' ? reason : waitForBudget(item.lane);
      report(item, 'deferred', { reason, waitsFor });
    },
    superseded: (item, { key }) =>
      end(item, 'expired', { reason: 'superseded', by: key }, { reason: `superseded by ${key}` }),
  };
}
