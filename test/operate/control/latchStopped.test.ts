import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BotConfig } from '../../../src/config/index.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { createSqliteStore, JournalFault } from '../../../src/journal/index.ts';
import {
  controlFilesOf,
  killCommand,
  pulse,
  readWhole,
  writeWhole,
  type ControlFiles,
} from '../../../src/operate/control/controlFiles.ts';
import { latchStopped } from '../../../src/operate/control/index.ts';
import { KILL_LEVELS, readLatch, type KillLevel } from '../../../src/runtime/control/killLevels.ts';

let folder: string;
let path: string;
let files: ControlFiles;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-latch-'));
  path = join(folder, 'bot.sqlite');
  files = controlFilesOf(path);
  void createSqliteStore(path).close();
});
afterEach(() => rmSync(folder, { recursive: true }));

const env = createVirtualEnv({ startTime: 5_000 });
const latch = (level: KillLevel): ReturnType<typeof latchStopped> => {
  const journal = { path, durability: 'process', account: 'a service/main' };
  const config = { name: 'bot', journal, strategies: [{ name: 'own' }] } as unknown as BotConfig;
  return latchStopped({ config, env, files, level, reason: 'by hand' });
};
const latched = (): KillLevel => {
  const store = createSqliteStore(path);
  const level = readLatch(store)?.level ?? 'L0';
  void store.close();
  return level;
};

const EVERY = KILL_LEVELS.flatMap((latchedAt) =>
  KILL_LEVELS.flatMap((waiting) =>
    KILL_LEVELS.map((asked) => [latchedAt, waiting, asked] as const),
  ),
);

test('a level only rises, and L0 clears the latch and pending commands', async () => {
  for (const [latchedAt, waiting, asked] of EVERY) {
    const store = createSqliteStore(path);
    await store.setLatch('kill', { value: latchedAt, reason: 'before', time: 1 });
    await store.close();
    // An order of a clock that was ahead of this one, on which the process died.
    writeWhole(files.pulse, { pid: 1, time: 4_000, level: latchedAt, obeyed: 1, reasons: [] });
    writeWhole(files.command, { level: waiting, reason: 'the watchdog', time: 90_000 });
    const before = latchedAt > waiting ? latchedAt : waiting;
    const level = asked === 'L0' || asked > before ? asked : before;
    const name = `${latchedAt}, ${waiting} waiting, ${asked} asked`;
    expect(await latch(asked), name).toEqual({ before, level, released: [] });
    // What the next start finds: the latch, and then whatever order still waits.
    const said = readWhole(files.pulse, pulse)!;
    const left = readWhole(files.command, killCommand)!;
    const next = left.time > said.obeyed && left.level > latched() ? left.level : latched();
    expect(next, name).toBe(level);
    // The beat is not renewed: to a watchdog the process is as silent as it was.
    expect(said.time, name).toBe(4_000);
  }
});

test('to a watchdog that tripped L0 is carried out, and a higher level leaves its order waiting', async () => {
  for (const asked of KILL_LEVELS) {
    const store = createSqliteStore(path);
    await store.setLatch('kill', { value: 'L0', reason: 'before', time: 1 });
    await store.close();
    writeWhole(files.pulse, { pid: 1, time: 4_000, level: 'L2', obeyed: 7, reasons: ['gone'] });
    writeWhole(files.command, { level: 'L1', reason: 'the watchdog', time: 9 });
    const { level } = await latch(asked);
    const said = readWhole(files.pulse, pulse)!;
    const left = readWhole(files.command, killCommand)!;
    if (asked === 'L0') {
      expect([left.level, left.reason]).toEqual(['L0', 'by hand']);
      expect(left.time).toBeGreaterThan(9);
      expect(said).toMatchObject({ level: 'L0', reasons: [], obeyed: left.time });
    } else {
      expect(left, asked).toEqual({ level: 'L1', reason: 'the watchdog', time: 9 });
      // At the level that was asked before nothing is written.
      const isHigher = asked !== 'L1';
      expect(said.obeyed, asked).toBe(7);
      expect([said.level, said.reasons]).toEqual(isHigher ? [level, []] : ['L2', ['gone']]);
    }
  }
});

test('L0 lets a strategy enter again that had entered too often, and a kill level does not', async () => {
  const throttle = async (): Promise<string | undefined> => {
    const store = createSqliteStore(path);
    const found = store.latch('throttle own')?.value;
    await store.close();
    return found;
  };
  const store = createSqliteStore(path);
  await store.setLatch('throttle own', { value: 'on', reason: 'too often', time: 1 });
  await store.setLatch('throttle gone', { value: 'on', reason: 'too often', time: 1 });
  await store.close();
  expect(await latch('L1')).toMatchObject({ released: [] });
  expect(await throttle()).toBe('on');
  // A strategy that is not configured keeps what it had.
  expect(await latch('L0')).toMatchObject({ before: 'L1', level: 'L0', released: ['own'] });
  expect(await throttle()).toBe('off');
  expect(await latch('L0')).toMatchObject({ released: [] });
});

test('a journal in use by a bot is left alone', async () => {
  const store = createSqliteStore(path);
  await expect(latch('L0')).rejects.toThrow(JournalFault);
  await store.close();
  expect(latched()).toBe('L0');
});

test('what the process before could not make durable is no failure of the level that is latched now', async () => {
  for (const asked of ['L2', 'L0', 'L3'] as const) {
    const failed = { time: 4_000, reason: 'the disk is full' };
    writeWhole(files.pulse, { pid: 1, time: 4_000, level: 'L1', obeyed: 1, reasons: [], failed });
    await latch(asked);
    expect(readWhole(files.pulse, pulse)).toMatchObject({ level: asked });
    expect(readWhole(files.pulse, pulse)!.failed).toBeUndefined();
  }
});
