import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { latchLife, releaseLives } from '../../../src/runtime/members/latchLife.ts';
import type { LifeEvent } from '../../../src/runtime/RestartPolicy.ts';

/** What an operator finds in the journal of a strategy that failed. */
const FAULT = { kind: 'threw', reason: 'a bug' };
const AGAIN_AT = Date.UTC(2026, 0, 2, 3, 4, 5);

test.each([
  [{ state: 'quarantined', fault: FAULT }, 'quarantined', 'threw: a bug'],
  [
    { state: 'quarantined', fault: FAULT, restartAt: AGAIN_AT },
    'quarantined',
    'threw: a bug; starts again at 2026-01-02T03:04:05.000Z',
  ],
  [{ state: 'restarted', restart: 2, max: 5 }, 'running', 'restart 2 of 5'],
])('%j', async (event, value, reason) => {
  const store = createMemoryStore();
  await latchLife(store, { instance: 'trend', ...event } as LifeEvent, 7);
  expect(store.latch('strategy trend')).toEqual({ value, reason, time: 7 });
  expect(store.latch('strategy other')).toBeUndefined();
});

test('a start releases what is quarantined, and nothing else', async () => {
  const store = createMemoryStore();
  const quarantined = { state: 'quarantined', fault: FAULT } as unknown as LifeEvent;
  await latchLife(store, { ...quarantined, instance: 'a' }, 1);
  const restarted = { state: 'restarted', restart: 1, max: 3 } as unknown as LifeEvent;
  await latchLife(store, { ...restarted, instance: 'b' }, 2);
  await releaseLives(store, ['a', 'b', 'c'], 3);
  const started = { value: 'running', reason: 'the bot was started', time: 3 };
  expect(store.latch('strategy a')).toEqual(started);
  expect(store.latch('strategy b')).toMatchObject({ value: 'running', time: 2 });
  expect(store.latch('strategy c')).toBeUndefined();
});
