/** What the doctor says of a bot's files, and what it mends of them. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BotConfig } from '../../../src/config/index.ts';
import {
  controlFilesOf,
  writeWhole,
  type Pulse,
} from '../../../src/operate/control/controlFiles.ts';
import { examinePlaces, examineSpace, REMOTE } from '../../../src/operate/doctor/examinePlaces.ts';
import type { Finding } from '../../../src/operate/doctor/Finding.ts';

const NOW = 1_000_000;
const ALIVE = 7;
const PULSE: Pulse = { pid: ALIVE, time: NOW, level: 'L0', obeyed: 0, reasons: [] };

let folder: string;
let journal: string;
let socket: string;
let server: Server | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-places-'));
  journal = join(folder, 'var/bot.sqlite');
  mkdirSync(join(folder, 'var'));
  socket = join(folder, 'bot.sock');
});
afterEach(() => {
  server?.close();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

/** What it finds of one check. */
function examine(check: string, given: Record<string, unknown> = {}): Finding[] {
  const config = {
    journal: { path: journal },
    link: { kind: 'service' },
    operate: { listen: { socket } },
    ...given,
  } as unknown as BotConfig;
  const isAlive = (pid: number): boolean => pid === ALIVE;
  return examinePlaces({ config, now: NOW, isAlive }).filter((each) => each.check === check);
}

const beat = (pulse: Partial<Pulse>): void =>
  writeWhole(controlFilesOf(journal).pulse, { ...PULSE, ...pulse });

describe('a socket', () => {
  beforeEach(async () => {
    server = createServer().listen(socket);
    await once(server, 'listening');
  });

  test.each<[string, Partial<Pulse> | undefined, boolean]>([
    ['of a bot that runs', {}, false],
    ['of a bot that hangs', { time: NOW - 99_000 }, false],
    ['beside a bot that never ran here', undefined, false],
    ['of a process that is gone', { pid: 8 }, true],
    ['of a bot that failed', { ended: 'failed' }, true],
  ])('%s', (_what, pulse, isLeft) => {
    if (pulse !== undefined) beat(pulse);
    const found = examine('socket');
    expect(found.map(({ state }) => state)).toEqual(isLeft ? ['note'] : []);
    for (const { fix } of found) expect(fix?.()).toBe(`removed ${socket}`);
    expect(existsSync(socket)).toBe(!isLeft);
  });

  test('is nobody’s where the server has a port', () => {
    beat({ pid: 8 });
    expect(examine('socket', { operate: { listen: { host: '127.0.0.1', port: 1 } } })).toEqual([]);
    expect(examine('socket', { operate: null })).toEqual([]);
  });
});

test('a file in the place of a socket is never removed', () => {
  writeFileSync(socket, 'name: bot\n');
  beat({ pid: 8 });
  const [found, ...more] = examine('socket');
  expect(more).toEqual([]);
  expect(found).toMatchObject({ state: 'bad', remedy: expect.stringContaining('another path') });
  expect([found?.fix, existsSync(socket)]).toEqual([undefined, true]);
});

test('each file that others may read is told, and closed to them', () => {
  const files = controlFilesOf(journal);
  const own = [journal, `${journal}-wal`, `${journal}-shm`, ...Object.values(files)];
  for (const file of own) writeFileSync(file, '', { mode: 0o600 });
  expect(examine('modes')).toMatchObject([{ state: 'well' }]);
  for (const [at, file] of own.entries()) {
    for (const mode of [0o640, 0o604, 0o620, 0o602, 0o601]) {
      chmodSync(file, mode);
      const other = own[(at + 1) % own.length]!;
      chmodSync(other, 0o644);
      const found = examine('modes');
      expect(found.map(({ state, remedy }) => [state, remedy]).toSorted()).toEqual(
        [file, other].map((each) => ['bad', `chmod 600 ${each}`]).toSorted(),
      );
      for (const { fix } of found) fix!();
      expect([file, other].map((each) => statSync(each).mode & 0o777)).toEqual([0o600, 0o600]);
      expect(examine('modes')).toMatchObject([{ state: 'well' }]);
    }
  }
});

test('a folder that is missing is made', () => {
  const missing = join(folder, 'a/b');
  journal = join(missing, 'bot.sqlite');
  const [found] = examine('folder');
  expect(found).toMatchObject({ state: 'note' });
  found!.fix!();
  expect(existsSync(missing)).toBe(true);
  expect(examine('folder')).toMatchObject([{ state: 'well' }]);
});

test('a journal in memory is a fault, but of a bot whose service is in its process', () => {
  const inMemory = { journal: { path: 'memory' } };
  expect(examine('journal', inMemory)).toMatchObject([{ state: 'bad' }]);
  expect(examine('journal', { ...inMemory, link: { kind: 'paper' } })).toMatchObject([
    { state: 'well' },
  ]);
});

test.each<[string, Partial<Pulse> | undefined, Finding['state'], RegExp]>([
  ['that never ran', undefined, 'well', /not run yet/],
  ['that runs', {}, 'well', /it runs/],
  ['that was stopped', { ended: 'in_order' }, 'well', /stopped cleanly/],
  ['that was stopped at a level', { ended: 'in_order', level: 'L2' }, 'note', /starts at L2/],
  ['that failed', { ended: 'failed' }, 'note', /it failed/],
  ['that is gone', { pid: 8 }, 'note', /gone/],
  ['that hangs', { time: NOW - 99_000 }, 'note', /silent for 99 s/],
  [
    'that runs, and not fully',
    { problems: ['launch has no answer'] },
    'note',
    /^launch has no answer$/,
  ],
  ['that runs at a level', { level: 'L1' }, 'note', /^kill level L1$/],
])('a process %s', (_what, pulse, state, text) => {
  if (pulse !== undefined) beat(pulse);
  const [found, ...more] = examine('process');
  expect([found?.state, more]).toEqual([state, []]);
  expect(found?.text).toMatch(text);
});

test('beside a bot that runs, its next start is no remedy', () => {
  beat({ problems: ['basket has no answer: unresolved'] });
  expect(examine('process')[0]?.remedy).toMatch(/^It runs: .*trimtab settle/);
  beat({ ended: 'failed' });
  expect(examine('process')[0]?.remedy).toMatch(/next start reconciles .*trimtab settle/);
});

test('file systems of other machines are known by the numbers of Linux (linux/magic.h)', () => {
  expect(Object.fromEntries(REMOTE)).toEqual({
    [0x6969]: 'NFS',
    [0xff534d42]: 'CIFS',
    [0xfe534d42]: 'SMB',
    [0x01021997]: '9p',
    [0x00c36400]: 'Ceph',
  });
});

const MEBI = 2 ** 20;
test.each([
  ['a tenth of a gibibyte', 103, 1_000, 'note'],
  ['less', 102, 1_000, 'bad'],
  ['a gibibyte of a few', 1_024, 4_096, 'well'],
  ['less than a gibibyte of one', 1_023, 1_024, 'note'],
  ['a twentieth of a large disk', 50_000, 1_000_000, 'well'],
  ['less of it', 49_999, 1_000_000, 'note'],
  ['a disk that has no blocks of its own', 2_048, 0, 'well'],
])('room: %s', (_name, free, all, state) => {
  expect(examineSpace({ bavail: free, bsize: MEBI, blocks: all })).toMatchObject({
    check: 'space',
    state,
  });
});
