import { launchBasket, type Intent } from '../../src/intents/index.ts';
import {
  createJournal,
  idempotencyKeyOf,
  type IntentState,
  type JournalStore,
} from '../../src/journal/index.ts';

const THREE_DAYS_MS = 259_200_000;
const leg = {
  symbol: 'BTC',
  side: 'buy',
  algo: 'pacemaker',
  total_size: 1,
  params: { duration_seconds: 60 },
} as const;
/** What can't be looked up by an id of ours. */
export const oldBasket = launchBasket({ legs: [leg] });

interface Old {
  name: string;
  intent?: Intent;
  /** Steps after the guards passed. */
  states: readonly IntentState[];
  instance?: string;
}

/** Puts an intent of three days ago into a journal. @returns its key */
export async function keepOld(
  store: JournalStore,
  { name, intent = oldBasket, states, instance = 'told' }: Old,
): Promise<string> {
  const now = (): number => Date.now() - THREE_DAYS_MS;
  const journal = createJournal(store, {
    clock: { wallNow: now, monotonicNow: now },
    market: { now },
  });
  const decisionKey = `main/${instance}/${name}#0`;
  const key = idempotencyKeyOf(decisionKey, 0);
  const row = { key, decisionKey, generation: 0, instance, wallet: 'main', kind: intent.kind };
  await journal.open({ ...row, intent: JSON.stringify({ intent, trigger: {} }) }, [
    { state: 'emitted', data: { cause: name, ordinal: 0, marketTime: now() } },
    { state: 'guarded', data: { lane: 'entry', weight: 20 } },
    ...states.map((state) => ({ state, data: sent(state, intent) })),
  ]);
  return key;
}

function sent(state: IntentState, intent: Intent): Record<string, unknown> {
  if (state !== 'sending') return {};
  const request = 'request' in intent ? intent.request : {};
  return { attempt: 1, endpoint: 'baskets.launch', body: JSON.stringify(request) };
}
