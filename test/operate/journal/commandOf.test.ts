import { expect, test } from 'vitest';
import { commandOf, settleCommand } from '../../../src/operate/journal/index.ts';

const live = { file: 'live.yaml', link: { kind: 'live' } } as const;

test('a live bot is started with --live, and no other command has it', () => {
  expect(commandOf(live, 'run')).toBe('trimtab run live.yaml --live');
  expect(commandOf(live, 'run', '--adopt BTC=STRATEGY')).toBe(
    'trimtab run live.yaml --live --adopt BTC=STRATEGY',
  );
  expect(commandOf(live, 'kill L3', '--reason TEXT')).toBe(
    'trimtab kill L3 live.yaml --reason TEXT',
  );
  for (const kind of ['paper', 'paper_service'] as const)
    expect(commandOf({ file: 'my bot.yaml', link: { kind } }, 'run')).toBe(
      "trimtab run 'my bot.yaml'",
    );
});

test('a bot that was started with --journal is reached with it, and its address is not repeated', () => {
  const moved = { ...live, journalFlag: '/var/my bots/a.sqlite' };
  expect(settleCommand('5e2f', moved)).toBe(
    "trimtab settle live.yaml 5e2f --as accepted|absent --reason TEXT --journal '/var/my bots/a.sqlite'",
  );
  expect(commandOf(moved, 'run')).toBe(
    "trimtab run live.yaml --live --journal '/var/my bots/a.sqlite'",
  );
  const remote = { ...live, journalFlag: 'postgres://bot:s3cret@db/trimtab' };
  expect(commandOf(remote, 'status')).toBe('trimtab status live.yaml --journal ADDRESS');
  expect(settleCommand('5e2f')).toContain('trimtab settle CONFIG 5e2f');
});
