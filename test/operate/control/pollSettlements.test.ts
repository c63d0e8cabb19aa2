import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLiveEnv, createVirtualEnv } from '../../../src/env/index.ts';
import {
  controlFilesOf,
  killCommand,
  readWhole,
  settled,
  writeWhole,
  type ControlFiles,
} from '../../../src/operate/control/controlFiles.ts';
import { askToSettle, pollSettlements } from '../../../src/operate/control/index.ts';
import type { Settle } from '../../../src/runtime/recovery/createSettle.ts';

let folder: string;
let files: ControlFiles;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-settle-'));
  files = controlFilesOf(join(folder, 'bot.sqlite'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const asked = { as: 'absent', records: [], reason: 'a test', by: 'ann at host' } as const;
const reported = (key: string, time: number): void =>
  writeWhole(files.settlement, { key, ...asked, records: [], time });

/** One life of a process that polls settlements. */
function startLife(settle: Settle = async () => undefined) {
  const env = createVirtualEnv({ startTime: 5_000 });
  const keys: string[] = [];
  let done = 0;
  const stop = pollSettlements({
    bot: { settle: (key, given) => (keys.push(key), settle(key, given)) },
    env,
    files,
    onDone: () => void done++,
  });
  const live = async (): Promise<void> => {
    for (let beat = 0; beat < 3; beat++) {
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
      env.queue.advanceTo(env.queue.now() + 1_000);
    }
  };
  return { keys, live, stop, done: () => done };
}
const said = () => readWhole(files.settled, settled);

test('a settlement is executed once, and answered', async () => {
  const life = startLife();
  reported('one', 6_000);
  await life.live();
  expect(life.keys).toEqual(['one']);
  expect(said()).toEqual({ time: 6_000 });
  reported('two', 7_000);
  await life.live();
  expect([life.keys, life.done()]).toEqual([['one', 'two'], 2]);
  life.stop();
  reported('three', 8_000);
  await life.live();
  expect(life.keys).toEqual(['one', 'two']);
});

test('an abandoned settlement is not executed by the next process', async () => {
  reported('one', 6_000);
  const life = startLife();
  await life.live();
  expect(life.keys).toEqual([]);
  expect(said()).toBeUndefined();
});

test('a refusal and a failing journal are distinguished, and the next request is processed', async () => {
  const life = startLife(async (key) => {
    if (key === 'broken') throw new Error('the disk is full');
    return key === 'wrong' ? 'it is accepted already' : undefined;
  });
  reported('wrong', 6_000);
  await life.live();
  expect(said()).toEqual({ time: 6_000, refused: 'it is accepted already' });
  reported('broken', 7_000);
  await life.live();
  expect(said()).toEqual({ time: 7_000, failed: 'the disk is full' });
  reported('right', 8_000);
  await life.live();
  expect(said()).toEqual({ time: 8_000 });
});

const pulseOf = (pid: number): void =>
  writeWhole(files.pulse, { pid, time: 1, level: 'L0', obeyed: 1, reasons: [] });
const ask = (isAlive: boolean) => {
  const env = createLiveEnv();
  return askToSettle({ env, files, key: 'k', asked, isAlive: () => isAlive, timeoutMs: 200 });
};

test('the sender learns that no bot runs, or that none answers', async () => {
  expect(await ask(true)).toEqual({ kind: 'not_running' });
  pulseOf(7);
  expect(await ask(false)).toEqual({ kind: 'not_running' });
  expect(await ask(true)).toEqual({ kind: 'silent', pid: 7 });
});

test('an answer to another request is ignored, and a waiting kill is left in place', async () => {
  pulseOf(7);
  const kill = { level: 'L2', reason: 'by hand', time: 9 } as const;
  writeWhole(files.command, kill);
  writeWhole(files.settled, { time: 1, refused: 'another one' });
  expect(await ask(true)).toEqual({ kind: 'silent', pid: 7 });
  expect(readWhole(files.command, killCommand)).toEqual(kill);
});
