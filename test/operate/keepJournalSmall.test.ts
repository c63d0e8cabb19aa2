import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../src/env/index.ts';
import { createMemoryStore, JournalFault } from '../../src/journal/index.ts';
import { keepJournalSmall } from '../../src/operate/journal/keepJournalSmall.ts';
import { journalOn, openIntent } from '../journal/journalRows.ts';

const DAY_MS = 86_400_000;
const FINAL = ['emitted', 'guarded', 'sending', 'accepted'] as const;

async function journalOf(old: number) {
  const store = createMemoryStore();
  for (let n = 0; n < old; n++) await openIntent(journalOn(store, 0), `old-${n}`, FINAL);
  await openIntent(journalOn(store, 0), 'open', ['emitted', 'guarded', 'sending']);
  await openIntent(journalOn(store, 99 * DAY_MS), 'young', FINAL);
  return store;
}

async function run(env: ReturnType<typeof createVirtualEnv>, ms: number): Promise<void> {
  const end = env.queue.now() + ms;
  for (let next = env.queue.nextTime(); next !== undefined && next <= end;) {
    env.queue.advanceTo(next);
    await new Promise((resolve) => void setImmediate(resolve));
    next = env.queue.nextTime();
  }
  env.queue.advanceTo(end);
}

test('finished intents are retired after their days, a slice at a time; their keys stay', async () => {
  const store = await journalOf(250);
  const env = createVirtualEnv({ startTime: 100 * DAY_MS });
  const stop = keepJournalSmall({ store, env, keepDays: 90 });
  await run(env, 5_000);
  expect(store.intents()).toHaveLength(152);
  await run(env, 1_000);
  expect(store.intents().map(({ key }) => key)).toEqual(['open', 'young']);
  expect(store.stateOf('old-0')).toBe('accepted');

  await run(env, 88 * DAY_MS);
  expect(store.holds('young')).toBe(true);
  expect(store.intents()).toHaveLength(2);
  await run(env, 3 * DAY_MS);
  expect(store.intents().map(({ key }) => key)).toEqual(['open']);
  stop();
  expect(env.queue.nextTime()).toBeUndefined();
});

test('a full disk is reported, and retried later', async () => {
  const store = await journalOf(3);
  const reported: string[] = [];
  const log = { warn: (text: string) => void reported.push(text) };
  const env = createVirtualEnv({ startTime: 100 * DAY_MS, log: log as never });
  let isFull = true;
  const compact: typeof store.compact = (request) => {
    if (isFull) throw new JournalFault('full', 'No room.');
    return store.compact(request);
  };
  keepJournalSmall({ store: { compact }, env, keepDays: 90 });
  await run(env, 5_000);
  expect(reported).toEqual(['Old intents could not be retired: No room.']);
  isFull = false;
  await run(env, 3_600_000);
  expect(store.intents()).toHaveLength(2);
});
