import { createRandom } from '../../../src/env/index.ts';
import {
  INTENT_STATES,
  isLegalTransition,
  type IntentState,
  type JournalStore,
} from '../../../src/journal/index.ts';
import { rowOf } from '../../journal/journalRows.ts';

/**
 * What a bot does with its journal; `reopen` closes it and opens it again, as a start after a stop in order, and
 * `checkpoint` moves its log into the file.
 */
export type Operation = 'reopen' | 'checkpoint' | ((store: JournalStore) => void);

/** Operations that follow from a seed. What is legal follows from the journal: an earlier one may have failed. */
export function drawOperations(seed: number, count: number): Operation[] {
  const random = createRandom(`journal ${seed}`);
  const whole = (below: number): number => Math.floor(random.next() * below);
  const draw = (at: number): Operation => {
    const [kind, chance, name] = [random.next(), whole(2 ** 20), `l${whole(3)}`];
    const value = 'x'.repeat(whole(whole(4) === 0 ? 9_000 : 200));
    const entryOf = (key: string, state: IntentState) => {
      return { key, state, wallTime: at, marketTime: at, data: JSON.stringify({ value }) };
    };
    if (kind < 0.35) {
      const key = `k${at}`;
      const steps = (['emitted', 'guarded'] as const).slice(0, 1 + (chance % 2));
      const entries = steps.map((state) => entryOf(key, state));
      return (store) => void store.append({ intent: rowOf(key), entries });
    }
    if (kind < 0.75) {
      return (store) => {
        const open = store.openIntents();
        const row = open[chance % open.length];
        if (row === undefined) return void store.writeState('ema', value);
        const next = INTENT_STATES.filter((to) => isLegalTransition(row.state, to));
        return void store.append({ entries: [entryOf(row.key, next[chance % next.length]!)] });
      };
    }
    if (kind < 0.8) return (store) => void store.writeState('ema', value);
    if (kind < 0.84) return (store) => void store.setMeta('account', value);
    if (kind < 0.88)
      return (store) => void store.setLatch(name, { value, reason: 'drawn', time: at });
    if (kind < 0.91) return (store) => void store.compact({ olderThan: at, limit: 3 });
    return kind < 0.94 ? 'checkpoint' : 'reopen';
  };
  return Array.from({ length: count }, (_none, at) => draw(at));
}
