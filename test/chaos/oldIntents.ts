import {
  createJournal,
  idempotencyKeyOf,
  type JournalStore,
  type Step,
} from '../../src/journal/index.ts';

/** Their instance. */
export const OLD = 'old';
const DAY_MS = 86_400_000;
const decisionOf = (n: number): string => `${OLD}/${OLD}/${n}`;

export interface Filling {
  count: number;
  /** How many of the last ones have no response. */
  unanswered?: number;
  daysAgo: number;
  instance: string;
  wallet: string;
}

/** Writes old orders into a journal, each with its own name and four steps, and closes it. */
export async function fillJournal(store: JournalStore, filling: Filling): Promise<void> {
  const { count, unanswered = 0, daysAgo, instance, wallet } = filling;
  const now = (): number => Date.now() - daysAgo * DAY_MS;
  const journal = createJournal(store, {
    clock: { wallNow: now, monotonicNow: now },
    market: { now },
  });
  for (let n = 0; n < count; n++) {
    const decisionKey = decisionOf(n);
    const key = idempotencyKeyOf(decisionKey, 0);
    const request = { order_type: 'limit', symbol: 'BTC', side: 'buy', size: 0.001, price: 30_000 };
    const intent = JSON.stringify({
      intent: { kind: 'place_order', request, ref: `old-${n}` },
      trigger: { bar: { symbol: 'BTC', interval: '1m', time: n } },
    });
    const body = JSON.stringify({ ...request, client_order_id: key });
    const row = { key, decisionKey, generation: 0, instance, wallet, kind: 'place_order', intent };
    const last: Step =
      n >= count - unanswered
        ? { state: 'unknown', data: { reason: 'timeout' } }
        : { state: 'accepted', data: { record: { order_id: `ord_${n}`, ...request } } };
    await journal.open(row, [
      { state: 'emitted', data: { cause: `bar:BTC:1m:${n}`, ordinal: 0, marketTime: n } },
      { state: 'guarded', data: { lane: 'entry', weight: 2 } },
      { state: 'sending', data: { attempt: 1, endpoint: 'orders.place', body } },
      last,
    ]);
  }
  await store.close();
}

/** Differences between the compacted journal and the expected one; closes it. */
export async function findForgotten(store: JournalStore, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, (_none, n) => idempotencyKeyOf(decisionOf(n), 0));
  const forgotten = keys.filter((key) => store.stateOf(key) !== 'accepted');
  const retained = keys.filter(
    (key) => store.intent(key) !== undefined || store.entries(key).length > 0,
  );
  await store.close();
  return [
    ...forgotten.map((key) => `${key} was retired and is not known any more`),
    ...retained.map((key) => `${key} should have been retired`),
  ];
}
