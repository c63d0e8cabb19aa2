import { NEVER } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { createStateStore } from '../../../src/runtime/members/createStateStore.ts';
import { defineStrategy } from '../../../src/strategy/index.ts';

const strategy = defineStrategy({
  name: 'counter',
  contract: 1,
  description: 'Has a state.',
  scopes: [],
  params: z.object({}),
  state: {
    version: 2,
    schema: z.object({ bars: z.int() }),
    initial: { bars: 0 },
    migrate: (old) => ({ bars: 10 * (old as { bars: number }).bars }),
  },
  setup: () => NEVER,
});
const planned = (name: string) => ({ name, strategy });
const retained = { version: 1, state: { bars: 2 } };

test('stores the state of one instance, with its version', () => {
  const store = createMemoryStore();
  createStateStore(store, planned('trend'), () => {}).write(retained);
  expect(createStateStore(store, planned('trend'), () => {}).read()).toEqual(retained);
  expect(createStateStore(store, planned('other'), () => {}).read()).toBeUndefined();
});

test('a promoted version begins with the former one’s state where it can, and leaves it alone', () => {
  const store = createMemoryStore();
  const former = createStateStore(store, planned('trend'), () => {});
  former.write(retained);
  const next = createStateStore(store, { ...planned('trend'), version: './v2.ts' }, () => {});
  expect(next.read()).toEqual(retained);
  next.write({ version: 2, state: { bars: 21 } });
  expect(next.read()).toEqual({ version: 2, state: { bars: 21 } });
  expect(former.read()).toEqual(retained);
  former.write({ version: 3, state: {} });
  const other = createStateStore(store, { ...planned('trend'), version: './v3.ts' }, () => {});
  expect(other.read()).toBeUndefined();
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
  createStateStore(store, planned('trend'), (error) => failures.push(error)).write(retained);
  await Promise.resolve();
  expect(failures).toEqual([full]);
});
