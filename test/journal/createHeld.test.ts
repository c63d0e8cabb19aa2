import { expect, test } from 'vitest';
import { createHeld, WHOLE_FINALS } from '../../src/journal/postgres/createHeld.ts';

test('of what is no longer held whole the keys are, so that no decision is made again', () => {
  const held = createHeld();
  const count = WHOLE_FINALS + 10_000;
  const row = { generation: 0, instance: 'one', wallet: 'main', kind: 'launch', intent: '' };
  for (let at = 0; at < count; at++) {
    const key = `k${at}`;
    held.load({ ...row, key, decisionKey: key, state: 'accepted' }, []);
  }
  expect(held.rows()).toHaveLength(WHOLE_FINALS);
  const keys = Array.from({ length: count }, (_none, at) => `k${at}`);
  expect(keys.filter((key) => !held.holds(key) || held.stateOf(key) !== 'accepted')).toEqual([]);
});
