import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
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
import { holdLaw } from '../../holdLaw.ts';

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
  [
    'a failure that was shown',
    {
      ended: 'failed',
      level: 'L1',
      failure: { code: 'TRIMTAB_CRASHED', message: 'It broke.\n  Look.' },
    },
    'down',
    /^it failed,It broke\.; Look\. \[TRIMTAB_CRASHED\],kill level L1$/,
  ],
  [
    'a clean stop that leaves something open',
    { ended: 'in_order', failure: { code: 'TRIMTAB_BOT_UNENDED', message: 'UNKNOWN: a key' } },
    'down',
    /^it was stopped cleanly,UNKNOWN: a key \[TRIMTAB_BOT_UNENDED\]$/,
  ],
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

test('of all that a pulse says, each part is a reason, and a note is none', async () => {
  const texts = (name: string) => fc.subarray([`${name} one`, `${name} two`]);
  const drawn = fc.record({
    level: fc.constantFrom('L0', 'L1', 'L4'),
    reasons: texts('reason'),
    problems: fc.option(texts('problem')),
    notes: fc.option(texts('note')),
    failed: fc.option(fc.constant({ time: 1, reason: 'full' })),
    stopping: fc.option(fc.constant(true as const)),
    ended: fc.constantFrom(null, null, 'in_order', 'failed'),
    isAlive: fc.boolean(),
    isSilent: fc.boolean(),
  } as const);
  await holdLaw(200, drawn, ({ isAlive, isSilent, ...said }) => {
    const given = Object.entries(said).filter(([, value]) => value !== null);
    const time = isSilent ? 1_000 : 99_500;
    writeWhole(files.pulse, { pid: 7, time, obeyed: 0, ...Object.fromEntries(given) } as Pulse);
    const found = statusOf(files, { now: 100_000, isAlive: () => isAlive });
    const { level, problems, notes, failed, stopping, ended } = said;
    const latched = level === 'L0' ? [] : [`kill level ${level}`];
    const why =
      ended === 'in_order'
        ? 'it was stopped cleanly'
        : ended === 'failed'
          ? 'it failed'
          : !isAlive
            ? 'its process 7 is gone, and it did not stop cleanly'
            : isSilent
              ? 'its main loop has been silent for 99 s'
              : undefined;
    const all = [
      ...(stopping ? ['it is stopping'] : []),
      ...(problems ?? []),
      ...latched,
      ...said.reasons.map((reason) => `entries are closed: ${reason}`),
      ...(failed ? ['a command could not be carried out: full'] : []),
    ];
    const reasons = why === undefined ? all : [why, ...latched];
    const state = why === undefined ? (all.length === 0 ? 'well' : 'degraded') : 'down';
    expect(found).toEqual({ state, reasons, notes: notes ?? [], level, pid: 7, time });
  });
});
