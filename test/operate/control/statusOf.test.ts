import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  controlFilesOf,
  isStopping,
  writeWhole,
  type ControlFiles,
  type Pulse,
} from '../../../src/operate/control/controlFiles.ts';
import { statusOf } from '../../../src/operate/control/index.ts';
import { readRunning } from '../../../src/operate/control/readRunning.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';

let folder: string;
let files: ControlFiles;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-status-'));
  files = controlFilesOf(join(folder, 'bot.sqlite'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const CASES: Array<[string, Partial<Pulse>, string, RegExp | undefined]> = [
  ['well', {}, 'well', undefined],
  ['a key that is refused', { problems: ['the key is refused'] }, 'degraded', /key is refused/],
  ['a kill level', { level: 'L1' }, 'degraded', /kill level L1/],
  ['entries that are closed', { reasons: ['stale data'] }, 'degraded', /closed: stale data/],
  ['a kill that is not durable', { failed: { time: 1, reason: 'full' } }, 'degraded', /full/],
  ['a stop that goes on', { stopping: true }, 'degraded', /it is stopping/],
  ['a clean stop', { ended: 'in_order', level: 'L2' }, 'down', /stopped cleanly,kill level L2/],
  ['a failure', { ended: 'failed' }, 'down', /it failed/],
  ['a process that is gone', { pid: 8 }, 'down', /process 8 is gone/],
  ['a hang', { time: 1_000 }, 'down', /silent for 99 s/],
  ['a hang before the clock was set back', { time: 199_000 }, 'down', /silent for 99 s/],
];

test.each(CASES)('%s', (_name, pulse, state, reason) => {
  const well = { pid: 7, time: 99_500, level: 'L0' as const, obeyed: 0, reasons: [] };
  writeWhole(files.pulse, { ...well, ...pulse });
  const found = statusOf(files, { now: 100_000, isAlive: (pid) => pid === 7 });
  expect(found.state).toBe(state);
  if (reason === undefined) expect(found.reasons).toEqual([]);
  else expect(found.reasons.join()).toMatch(reason);
});

test('without a pulse the bot is down', () => {
  const found = statusOf(files, { now: 1, isAlive: () => true });
  expect(found).toMatchObject({ state: 'down', level: null, pid: null });
});

test.each([
  ['long ago', 1_000, true],
  ['long after now', 199_000, true],
  ['a moment after now', 101_000, false],
  ['now', 100_000, false],
])(
  'a pulse of %s is silent by its distance, whatever the clock did meanwhile',
  async (_name, time, isSilent) => {
    const last = { pid: 7, time, level: 'L0' as const, obeyed: 0, reasons: [] };
    writeWhole(files.pulse, last);
    expect(isStopping({ ...last, stopping: true }, 100_000)).toBe(!isSilent);
    // Another process may have the id of one that is gone: only the journal tells.
    const { isRunning } = await readRunning(files, {
      env: createVirtualEnv({ startTime: 100_000 }),
      isAlive: () => true,
      isJournalFree: () => Promise.resolve(true),
    });
    expect(isRunning).toBe(!isSilent);
  },
);
