import { expect, test } from 'vitest';
import { createPatience } from '../../../backtest/sweep/workers/createPatience.ts';
import { createVirtualEnv, silentLog } from '../../../src/env/index.ts';

const FULL = Object.assign(new Error('could not extend file: No space left on device'), {
  severity: 'ERROR',
  code: '53100',
});
const REFUSED = Object.assign(new Error('permission denied'), { severity: 'ERROR', code: '42501' });

function openPatience() {
  const { queue, timers } = createVirtualEnv();
  const said: string[] = [];
  const say = (text: string): void => void said.push(text.replace(/:.*/, ''));
  let isStopped = false;
  const patience = createPatience({
    url: 'postgres://user:password@db/sweeps',
    env: { timers, log: { ...silentLog, warn: say, info: say } },
    isStopped: () => isStopped,
  });
  const settle = (): Promise<void> => new Promise((done) => void setImmediate(done));
  /** Two seconds, after which all that waits tries again. */
  const pass = async (): Promise<void> => {
    await settle();
    await queue.advanceTo(queue.now() + 2_000);
    await settle();
  };
  return { patience, said, pass, stop: () => (isStopped = true) };
}

const ROOM = ["The sweep's database has no room", "The sweep's database can be used again"];

test('a full disk is reported once, and its end when all that waited is done', async () => {
  const { patience, said, pass } = openPatience();
  let isFull = true;
  const large = async (): Promise<string> => {
    if (isFull) throw FULL;
    return 'large';
  };
  const waiting = [patience(large), patience(large)];
  for (let attempt = 0; attempt < 3; attempt++) {
    await pass();
    // A full disk has room for a small write still.
    expect(await patience(async () => 'small')).toBe('small');
    expect(said).toEqual(ROOM.slice(0, 1));
  }
  isFull = false;
  await pass();
  expect(await Promise.all(waiting)).toEqual(['large', 'large']);
  expect(said).toEqual(ROOM);
});

test('what is refused or stopped waits no longer, and the next outage is reported', async () => {
  const { patience, said, pass, stop } = openPatience();
  const failures = [FULL, REFUSED];
  const refused = patience(async () => {
    throw failures.shift();
  });
  const outcome = expect(refused).rejects.toThrow('refuses what a sweep needs: permission denied');
  await pass();
  await outcome;
  const stopped = expect(
    patience(async () => {
      throw FULL;
    }),
  ).rejects.toThrow('Stopped while');
  await pass();
  expect(said).toEqual([ROOM[0], ROOM[0]]);
  stop();
  await pass();
  await stopped;
});
