import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { createMemoryStore, type JournalStore } from '../../../src/journal/index.ts';
import { meterStore } from '../../../src/operate/metrics/meterStore.ts';

/** Duties that are asked for nothing. */
const WITHOUT = [
  'intents',
  'newestIntents',
  'standingIntents',
  'openIntents',
  'latches',
  'checkpoint',
];

test('an append is measured once it is durable, and one that fails is not', async () => {
  const env = createVirtualEnv();
  const observed: Array<[string, number]> = [];
  const metrics = {
    count: () => {},
    observe: (name: string, value: number) => void observed.push([name, value]),
  };
  let answer = Promise.withResolvers<void>();
  const inner: JournalStore = { ...createMemoryStore(), append: () => answer.promise };
  const store = meterStore(inner, { clock: env.clock, metrics } as never);
  const written = store.append({ entries: [] });
  env.queue.advanceTo(env.clock.wallNow() + 250);
  await Promise.resolve();
  expect(observed).toEqual([]);
  answer.resolve();
  await written;
  expect(observed).toEqual([['journal_append_seconds', 0.25]]);

  answer = Promise.withResolvers<void>();
  const refused = store.append({ entries: [] });
  answer.reject(new Error('away'));
  await expect(refused).rejects.toThrow('away');
  await Promise.resolve();
  expect(observed).toHaveLength(1);
});

test('nothing else of a store is changed, delayed or left out', async () => {
  const env = createVirtualEnv();
  const metrics = { count: () => {}, observe: () => {} };
  const answers = new Map<string, unknown>();
  const asked: unknown[][] = [];
  const names = Object.keys(createMemoryStore()).concat('checkpoint');
  const inner = Object.fromEntries(
    names.map((name) => [
      name,
      (...given: unknown[]) => {
        asked.push([name, ...given]);
        return answers.get(name);
      },
    ]),
  ) as unknown as JournalStore;
  const store = meterStore(Object.assign(inner, { keepsTexts: true }), {
    clock: env.clock,
    metrics,
  } as never) as unknown as Record<string, (...given: unknown[]) => unknown>;
  expect(store['keepsTexts']).toBe(true);
  for (const name of names) {
    if (name === 'keepsTexts') continue;
    for (const answer of [Promise.resolve(name), { name }, undefined]) {
      answers.set(name, answer);
      asked.length = 0;
      // What is answered at once is answered at once, and a promise is the store's own.
      expect(store[name]!(1, 2)).toBe(answer);
      expect(asked.map(([called, ...given]) => [called, given.slice(0, 1)])).toEqual([
        [name, WITHOUT.includes(name) ? [] : [1]],
      ]);
    }
  }
  // A database that has no such duty is not given one.
  expect(
    'checkpoint' in meterStore(createMemoryStore(), { clock: env.clock, metrics } as never),
  ).toBe(createMemoryStore().checkpoint !== undefined);
});
