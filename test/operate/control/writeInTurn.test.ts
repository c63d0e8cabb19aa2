import { existsSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLiveEnv } from '../../../src/env/index.ts';
import { writeNow } from '../../../src/operate/control/writeInTurn.ts';

function openPlace(): { path: string; lock: string } {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-turn-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return { path: join(folder, 'order.json'), lock: join(folder, 'order.json.lock') };
}
const env = createLiveEnv();

test('a command that came between the look and the turn is not replaced', () => {
  const { path, lock } = openPlace();
  let looks = 0;
  // Another process writes a kill just after the first look.
  const isFree = (): boolean => (looks += 1) === 1;
  const write = (): void => writeFileSync(path, 'mine');
  expect(writeNow({ path, env, isFree, write })).toBe(false);
  expect([existsSync(path), existsSync(lock), looks]).toEqual([false, false, 2]);
});

test('a turn that somebody has is waited for, and one that was left five seconds ago is not', () => {
  const { path, lock } = openPlace();
  const turn = { path, env, isFree: () => true, write: () => writeFileSync(path, 'mine') };
  writeFileSync(lock, '');
  const at = (secondsAgo: number): void =>
    utimesSync(lock, Date.now() / 1_000 - secondsAgo, Date.now() / 1_000 - secondsAgo);
  for (const secondsAgo of [0, 4]) {
    at(secondsAgo);
    expect([secondsAgo, writeNow(turn), existsSync(lock)]).toEqual([secondsAgo, false, true]);
  }
  // By a clock that was set back meanwhile, too.
  for (const secondsAgo of [6, -6]) {
    writeFileSync(lock, '');
    at(secondsAgo);
    expect([secondsAgo, writeNow(turn), existsSync(lock)]).toEqual([secondsAgo, false, false]);
  }
  expect([writeNow(turn), statSync(path).size, existsSync(lock)]).toEqual([true, 4, false]);
});
