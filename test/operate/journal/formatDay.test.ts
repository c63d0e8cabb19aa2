import { expect, test } from 'vitest';
import { formatDay, formatLatches } from '../../../src/operate/journal/index.ts';

const latches = [
  { name: 'kill', value: 'L2', reason: 'daily loss', time: 1_000 },
  { name: 'pause trend', value: 'on', reason: 'by hand', time: 2_000 },
  { name: 'kill', value: 'L0', reason: 'looked at', time: 3_000 },
];

test('of all changes the last of each latch is marked as what is in force', () => {
  const text = formatLatches(latches, { isWhole: true });
  expect(text.match(/\S+ \(now\)/g)).toEqual(['on (now)', 'L0 (now)']);
});

test('a day of the past does not say what is in force now', () => {
  const day = { day: '2026-01-31', intents: {}, strategies: [], unanswered: [], latches };
  const text = formatDay('bot', day);
  expect(text).toContain('daily loss');
  expect(text).not.toContain('(now)');
});
