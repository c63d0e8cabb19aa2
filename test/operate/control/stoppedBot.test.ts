import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BotConfig } from '../../../src/config/index.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { createSqliteStore } from '../../../src/journal/index.ts';
import { controlFilesOf, writeWhole } from '../../../src/operate/control/controlFiles.ts';
import { isJournalFree } from '../../../src/operate/control/isJournalFree.ts';
import { pauseStopped } from '../../../src/operate/control/index.ts';
import { readRunning } from '../../../src/operate/control/readRunning.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-stopped-'));
  path = join(folder, 'bot.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true }));

const env = createVirtualEnv({ startTime: 100_000 });
const configOf = (): BotConfig => {
  const journal = { path, durability: 'process', account: 'a service/main' };
  return { name: 'bot', journal, strategies: [{ name: 'own' }] } as unknown as BotConfig;
};

test('a journal is free once nobody writes it; what is not there is neither, and is not made', async () => {
  expect(await isJournalFree(configOf(), env)).toBe(false);
  expect(existsSync(path)).toBe(false);
  const store = createSqliteStore(path, 'process');
  expect(await isJournalFree(configOf(), env)).toBe(false);
  await store.close();
  expect(await isJournalFree(configOf(), env)).toBe(true);
});

test('a bot that hangs has its journal, and runs; one whose pulse is fresh is not asked for it', async () => {
  const files = controlFilesOf(path);
  const runs = async (time: number, isFree: boolean): Promise<[boolean, number]> => {
    let asked = 0;
    writeWhole(files.pulse, { pid: 7, time, level: 'L0', obeyed: 0, reasons: [] });
    const { isRunning } = await readRunning(files, {
      env,
      isAlive: () => true,
      isJournalFree: async () => ((asked += 1), isFree),
    });
    return [isRunning, asked];
  };
  expect(await runs(50_000, false)).toEqual([true, 1]);
  expect(await runs(50_000, true)).toEqual([false, 1]);
  expect(await runs(99_000, true)).toEqual([true, 0]);
  // Who can't find it out takes the process for the bot.
  writeWhole(files.pulse, { pid: 7, time: 50_000, level: 'L0', obeyed: 0, reasons: [] });
  expect((await readRunning(files, { env, isAlive: () => true })).isRunning).toBe(true);
});

test('a strategy of a stopped bot is paused, and resumed, from the next start on', async () => {
  await createSqliteStore(path, 'process').close();
  const latches = async (): Promise<unknown> => {
    const store = createSqliteStore(path, 'process');
    const found = store.latches();
    await store.close();
    return found;
  };
  for (const [what, value] of [
    ['pause', 'on'],
    ['resume', 'off'],
  ] as const) {
    const asked = { instance: 'own', do: what, reason: `to ${what}` };
    await pauseStopped({ config: configOf(), env, asked });
    expect(await latches()).toMatchObject([
      { name: 'pause own', value, reason: `to ${what}`, time: 100_000 },
    ]);
  }
});
