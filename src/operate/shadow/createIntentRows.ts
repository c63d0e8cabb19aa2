import type { BotEvent } from '../../runtime/index.ts';
import { contentOf, type ComparedIntent } from './ComparedIntent.ts';

export interface IntentRows {
  follow(event: BotEvent): void;
  /** The rows that are new, or of which more is known, since the last call. */
  takeChanged(): ComparedIntent[];
}

const ENDED: readonly string[] = ['denied', 'accepted', 'rejected', 'expired', 'absent'];

/** The intents of one instance of a bot, as they are compared. */
export function createIntentRows(instance: string): IntentRows {
  /** Those that are not over, by key. */
  const open = new Map<string, ComparedIntent>();
  const changed = new Set<ComparedIntent>();
  return {
    follow(happened) {
      if (happened.kind !== 'intent') return;
      const { emission, key, state, guard, fault } = happened.event;
      if (emission.instance !== instance || state === 'duplicate') return;
      let row = open.get(key);
      if (row === undefined) {
        const { cause, ordinal, marketTime, causeTime: time = marketTime, intent } = emission;
        row = { cause, ordinal, time, kind: intent.kind, ...contentOf(intent), outcome: state };
        open.set(key, row);
      }
      row.outcome = state;
      const refusedBy = guard ?? fault?.code;
      if (refusedBy !== undefined) row.refusedBy = refusedBy;
      if (state === 'accepted') delete row.refusedBy;
      if (ENDED.includes(state)) open.delete(key);
      changed.add(row);
    },
    takeChanged() {
      const rows = [...changed];
      changed.clear();
      return rows;
    },
  };
}
