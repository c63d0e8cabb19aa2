import { expect, test } from 'vitest';
import { outcomeOf } from '../../../src/operate/serve/page/commandOutcome.ts';

test('a kill that left something open names it, and says that somebody has to look', () => {
  const left = ['main: ord_1, limit buy 0.01 BTC', 'main: long 0.1 ETH'];
  expect(outcomeOf({ level: 'L2', gate: [], not_ended: left })).toMatchObject({
    text: 'The bot is at L2. It could not end or verify:',
    open: left,
    todo: expect.stringContaining('Look at the service.'),
  });
});

test('a cut wire tries nothing more, and says so', () => {
  expect(outcomeOf({ level: 'L4', gate: [], not_ended: ['main: long 0.1 ETH'] }).todo).toBe(
    'The wire is cut: it ends nothing more. End it on the service.',
  );
});

test('a kill whose end is not known yet is not said to be done', () => {
  expect(outcomeOf({ level: 'L3', gate: [], not_ended: null })).toEqual({
    text: 'The bot is at L3. What has ended is not confirmed yet.',
    open: [],
    todo: 'Look at the service.',
  });
});

test('a kill that ended everything, and what else a command does, needs nothing more', () => {
  const texts = [
    { level: 'L2', gate: ['kill level L2'], not_ended: [] },
    { level: 'L0', gate: [], not_ended: null },
    { level: 'L0', gate: ['the stream is down', 'the feed is stale'], not_ended: null },
    { state: 'absent' },
    { paused: true },
    { paused: false },
  ].map((answer) => {
    const { text, open, todo } = outcomeOf(answer);
    expect([open, todo]).toEqual([[], '']);
    return text;
  });
  expect(texts).toEqual([
    'The bot is at L2.',
    'The bot is at L0.',
    'The bot is at L0. No entries yet: the stream is down, the feed is stale.',
    'The intent is absent.',
    'The strategy is paused.',
    'The strategy is resumed.',
  ]);
});
