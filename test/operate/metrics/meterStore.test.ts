import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { createMemoryStore, type JournalStore } from '../../../src/journal/index.ts';
import { meterStore } from '../../../src/operate/metrics/meterStore.ts';

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
