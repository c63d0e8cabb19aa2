import { createVirtualEnv } from '../../src/env/index.ts';
import {
  createJournal,
  type IntentState,
  type Journal,
  type JournalStore,
} from '../../src/journal/index.ts';

/** A row of an intent; keys here are plain words, UUIDs in life. */
export const rowOf = (key: string, decisionKey = `decision ${key}`) => ({
  key,
  decisionKey,
  generation: 0,
  instance: 'ema',
  wallet: 'main',
  kind: 'launch',
  intent: JSON.stringify({
    intent: { kind: 'launch', note: key },
    trigger: { timer: { time: 1 } },
  }),
});

export const clocksAt = (startTime: number) => {
  const env = createVirtualEnv({ startTime });
  return { clock: env.clock, market: env.queue, queue: env.queue };
};

export const journalOn = (store: JournalStore, time = 1_000): Journal =>
  createJournal(store, clocksAt(time));

/** An intent with its first steps, in one append. */
export async function openIntent(
  journal: Journal,
  key: string,
  states: readonly IntentState[],
  data: Record<string, unknown> = {},
): Promise<void> {
  await journal.open(
    rowOf(key),
    states.map((state) => ({ state, data: { key, ...data } })),
  );
}

/** All that a journal says, in one comparable value. */
export function contentOf(store: JournalStore): unknown {
  return {
    intents: store.intents().map((row) => ({ ...row, steps: store.entries(row.key) })),
    latches: store.latches(),
    account: store.meta('account'),
    state: store.readState('ema'),
  };
}
