import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isAlive } from '../../../src/cli/control/isAlive.ts';
import { personHere } from '../../../src/cli/control/personHere.ts';
import { signedReason } from '../../../src/cli/control/signedReason.ts';

test('a process is alive until it has ended', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)']);
  onTestFinished(() => void child.kill('SIGKILL'));
  expect([isAlive(process.pid), isAlive(child.pid!)]).toEqual([true, true]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isAlive(child.pid!)).toBe(false);
});

// The bot's user is often another one than the operator: a kill must find its process all the same.
test('a process that belongs to another user is alive, and any other failure is none', () => {
  onTestFinished(() => void vi.restoreAllMocks());
  for (const [code, expected] of [
    ['EPERM', true],
    ['ESRCH', false],
  ] as const) {
    vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error(code), { code });
    });
    expect([code, isAlive(1)]).toEqual([code, expected]);
  }
});

test('a reason is signed, whether it was given or not', () => {
  expect(signedReason(undefined)).toBe(`by hand, ${personHere()}`);
  expect(signedReason('the feed looks wrong')).toBe(`the feed looks wrong (by ${personHere()})`);
});
