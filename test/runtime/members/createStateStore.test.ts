import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { createStateStore } from '../../../src/runtime/members/createStateStore.ts';

const retained = { version: 1, state: { bars: 2 } };

test('stores the state of one instance, with its version', () => {
  const store = createMemoryStore();
  createStateStore(store, 'trend', () => {}).write(retained);
  expect(createStateStore(store, 'trend', () => {}).read()).toEqual(retained);
  expect(createStateStore(store, 'other', () => {}).read()).toBeUndefined();
});

const full = new Error('ENOSPC: no space left on device');

test.each([
  [
    'at once, as SQLite does',
    () => {
      throw full;
    },
  ],
  ['later, as a server does', () => Promise.reject(full)],
])('a journal that cannot store it ends the bot, not the plugin: %s', async (_when, writeState) => {
  const failures: unknown[] = [];
  const store = { ...createMemoryStore(), writeState };
  createStateStore(store, 'trend', (error) => failures.push(error)).write(retained);
  await Promise.resolve();
  expect(failures).toEqual([full]);
});
