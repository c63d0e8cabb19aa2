import { createJournal, createSqliteStore, idempotencyKeyOf } from '../../src/journal/index.ts';

/** The instance that they are of. */
export const OLD = 'old';
const DAY_MS = 86_400_000;
const decisionOf = (n: number): string => `${OLD}/${OLD}/${n}`;

/** Puts finished intents of a hundred days ago into a journal. */
export async function fillWithOldIntents(path: string, count: number): Promise<void> {
  const store = createSqliteStore(path, 'process');
  const now = (): number => Date.now() - 100 * DAY_MS;
  const journal = createJournal(store, {
    clock: { wallNow: now, monotonicNow: now },
    market: { now, at: () => () => {} },
  });
  for (let n = 0; n < count; n++) {
    const decisionKey = decisionOf(n);
    const key = idempotencyKeyOf(decisionKey, 0);
    const intent = JSON.stringify({
      intent: { kind: 'close_position', symbol: 'BTC' },
      trigger: {},
    });
    const row = { key, decisionKey, generation: 0, instance: OLD, wallet: OLD };
    await journal.open({ ...row, kind: 'close_position', intent }, [
      { state: 'emitted' },
      { state: 'guarded' },
      { state: 'sending' },
      { state: 'accepted' },
    ]);
  }
  await store.close();
}

/** What a journal that has retired them should say of each, and does not. */
export async function findForgotten(path: string, count: number): Promise<string[]> {
  const store = createSqliteStore(path);
  const keys = Array.from({ length: count }, (_none, n) => idempotencyKeyOf(decisionOf(n), 0));
  const forgotten = keys.filter((key) => store.stateOf(key) !== 'accepted');
  const kept = keys.filter(
    (key) => store.intent(key) !== undefined || store.entries(key).length > 0,
  );
  await store.close();
  return [
    ...forgotten.map((key) => `${key} was retired and is not known any more`),
    ...kept.map((key) => `${key} should have been retired`),
  ];
}
