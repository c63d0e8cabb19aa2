import { expect, test } from 'vitest';
import { MOST_STANDING } from '../../src/journal/staysWhole.ts';
import { createHeld, KNOWN_KEYS, WHOLE_FINALS } from '../../src/journal/postgres/createHeld.ts';

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

test('20,000 intents that ended are held whole, of 200,000 more the key; what ended first is dropped first', () => {
  const held = createHeld();
  const row = { generation: 0, instance: 'one', wallet: 'main', kind: 'launch', intent: '' };
  const load = (key: string, state: 'accepted' | 'sending') =>
    held.load({ ...row, key, decisionKey: key, state }, []);
  load('open', 'sending');
  const count = 220_000;
  for (let at = 0; at < count; at++) load(`k${at}`, 'accepted');
  const numbers = Array.from({ length: count }, (_none, at) => at);
  expect(numbers.filter((at) => !held.holds(`k${at}`))).toEqual([]);
  expect(numbers.find((at) => held.row(`k${at}`) !== undefined)).toBe(200_000);
  for (const at of [0, 1]) {
    load(`more${at}`, 'accepted');
    expect(held.holds(`k${at}`), 'the oldest is dropped').toBe(false);
    expect(held.holds(`k${at + 1}`), 'and no other').toBe(true);
  }
  expect(held.row('open')).toBeDefined();
  expect([WHOLE_FINALS, KNOWN_KEYS]).toEqual([20_000, 200_000]);
});

test('what is open at the service is known however many intents come after it', () => {
  const held = createHeld();
  held.loadKey('old', 'accepted');
  held.learn('open', 'accepted');
  const row = { generation: 0, instance: 'one', wallet: 'main', kind: 'launch', intent: '' };
  for (let at = 0; at < KNOWN_KEYS + WHOLE_FINALS; at++) {
    const key = `k${at}`;
    held.load({ ...row, key, decisionKey: key, state: 'accepted' }, []);
  }
  expect([held.holds('old'), held.holds('open'), held.stateOf('open')]).toEqual([
    false,
    true,
    'accepted',
  ]);
});

test('an accepted monitor is held with its last step however many intents end after it', () => {
  const held = createHeld();
  const row = { generation: 0, instance: 'one', wallet: 'main', intent: '{}' };
  const load = (key: string, kind: string, state: 'accepted' | 'rejected') => {
    const step = { key, wallTime: 1, marketTime: 1, data: key };
    const steps = [{ ...step, state: 'sending' } as const, { ...step, state }];
    held.load({ ...row, key, kind, decisionKey: key, state }, steps);
  };
  load('monitor', 'create_monitor', 'accepted');
  load('refused', 'create_monitor', 'rejected');
  load('retired', 'create_monitor', 'accepted');
  for (let at = 0; at < WHOLE_FINALS; at++) load(`k${at}`, 'launch', 'accepted');
  expect(held.rows().slice(0, 3)).toMatchObject([
    { key: 'monitor' },
    { key: 'retired' },
    { key: 'k0' },
  ]);
  expect(held.row('monitor')).toMatchObject({ kind: 'create_monitor', state: 'accepted' });
  expect(held.entries('monitor')).toMatchObject([{ state: 'accepted', data: 'monitor' }]);
  expect([held.row('refused'), held.entries('refused')]).toEqual([undefined, []]);
  held.retire(['retired']);
  expect([held.row('retired'), held.stateOf('retired')]).toEqual([undefined, 'accepted']);
  // Of so many the newest stay.
  for (let at = 0; at < MOST_STANDING + WHOLE_FINALS; at++)
    load(`m${at}`, 'create_monitor', 'accepted');
  expect(held.rows()).toHaveLength(MOST_STANDING + WHOLE_FINALS);
  expect([held.row('monitor'), held.row('m0')?.key]).toEqual([undefined, 'm0']);
  expect(held.stateOf('monitor')).toBe('accepted');
});

test('an end that the database refused is none, however many intents end after it', () => {
  const held = createHeld();
  const row = { generation: 0, instance: 'one', wallet: 'main', kind: 'launch', intent: '' };
  const step = (key: string, state: 'sending' | 'accepted') =>
    ({ key, state, wallTime: 1, marketTime: 1, data: state }) as const;
  held.load({ ...row, key: 'open', decisionKey: 'open', state: 'sending' }, [
    step('open', 'sending'),
  ]);
  const undone = [
    held.append({ entries: [step('open', 'accepted')] }),
    held.append({
      intent: { ...row, key: 'new', decisionKey: 'new' },
      entries: [step('new', 'sending'), step('new', 'accepted')],
    }),
  ];
  expect([held.stateOf('open'), held.stateOf('new')]).toEqual(['accepted', 'accepted']);
  for (const undo of undone) undo();
  expect([held.stateOf('open'), held.holds('new')]).toEqual(['sending', false]);
  for (let at = 0; at <= WHOLE_FINALS; at++) {
    const key = `k${at}`;
    held.load({ ...row, key, decisionKey: key, state: 'accepted' }, []);
  }
  expect(held.row('k0')).toBeUndefined();
  expect(held.row('open')).toMatchObject({ state: 'sending' });
  expect(held.entries('open')).toEqual([step('open', 'sending')]);
  expect([held.row('new'), held.holds('new')]).toEqual([undefined, false]);
});
