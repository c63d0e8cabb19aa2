import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogFile, logFilesOf } from '../../src/operate/createLogFile.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-log-'));
  path = join(folder, 'bot.log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function openLog(over: Partial<Parameters<typeof createLogFile>[0]> = {}) {
  const lost: string[] = [];
  const back: number[] = [];
  const oversized: string[] = [];
  let now = Date.now();
  const file = createLogFile({
    path,
    maxBytes: 100,
    keep: 3,
    clock: { wallNow: () => now },
    onLost: (reason) => lost.push(reason),
    onBack: (count) => back.push(count),
    onOversized: (reason) => oversized.push(reason),
    ...over,
  });
  return { file, lost, back, oversized, pass: (ms: number) => (now += ms) };
}

const linesOf = (keep = 3): string[] =>
  logFilesOf(path, keep)
    .filter((name) => readdirSync(folder).includes(name.slice(folder.length + 1)))
    .flatMap((name) => readFileSync(name, 'utf8').split('\n').slice(0, -1));

test('a full file is ended; the newest lines remain, whole and in order, within the limits', () => {
  const { file } = openLog();
  const written = Array.from({ length: 200 }, (_, at) => `line ${String(at).padStart(14, '0')}`);
  for (const line of written) file.write(`${line}\n`);
  file.close();
  const names = readdirSync(folder).toSorted();
  expect(names).toEqual(['bot.log', 'bot.log.1', 'bot.log.2', 'bot.log.3']);
  for (const name of names) expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(100);
  expect(linesOf()).toEqual(written.slice(-linesOf().length));
  expect(linesOf().length).toBeGreaterThan(15);
});

test('a file is ended by its age, too', () => {
  const { file, pass } = openLog({ maxAgeMs: 60_000 });
  file.write('a\n');
  pass(59_000);
  file.write('b\n');
  pass(2_000);
  file.write('c\n');
  file.close();
  expect(readFileSync(path, 'utf8')).toBe('c\n');
  expect(readFileSync(`${path}.1`, 'utf8')).toBe('a\nb\n');
});

test('what another program moved away is opened anew, and no line is lost between', () => {
  const { file } = openLog();
  file.write('a\n');
  renameSync(path, join(folder, 'moved'));
  file.write('b\n');
  file.reopen();
  file.write('c\n');
  expect(readFileSync(join(folder, 'moved'), 'utf8')).toBe('a\nb\n');
  expect(readFileSync(path, 'utf8')).toBe('c\n');
});

test('a disk that is full loses lines, which are counted, and is not an error', () => {
  const full = openLog({ path: '/dev/full' });
  for (let at = 0; at < 5; at++) full.file.write('a\n');
  expect(full.lost).toEqual([expect.stringContaining('ENOSPC')]);

  const gone = openLog({ path: join(folder, 'none/bot.log') });
  gone.file.write('a\n');
  gone.file.write('b\n');
  expect(gone.lost).toHaveLength(1);
});

test('lines are written again once they can be, with the count of those lost', () => {
  const inFolder = join(folder, 'later/bot.log');
  const { file, lost, back } = openLog({ path: inFolder });
  file.write('a\n');
  file.write('b\n');
  mkdirSync(join(folder, 'later'));
  file.write('c\n');
  expect(lost).toHaveLength(1);
  expect(back).toEqual([2]);
  expect(readFileSync(inFolder, 'utf8')).toBe('c\n');
});

test('a full file that can’t be ended grows on, which is reported once and tried again', () => {
  const { file, lost, oversized, pass } = openLog();
  const line = `${'a'.repeat(59)}\n`;
  // A folder in the place of the oldest file can't be removed.
  mkdirSync(`${path}.3`);
  for (let at = 0; at < 3; at++) file.write(line);
  expect(readFileSync(path, 'utf8')).toBe(line.repeat(3));
  expect([lost, oversized]).toEqual([[], [expect.stringContaining('bot.log.3')]]);
  rmSync(`${path}.3`, { recursive: true });
  pass(59_999);
  file.write(line);
  expect(readFileSync(path, 'utf8')).toBe(line.repeat(4));
  pass(1);
  file.write(line);
  expect(readFileSync(path, 'utf8')).toBe(line);
  expect(readFileSync(`${path}.1`, 'utf8')).toBe(line.repeat(4));
  expect(oversized).toHaveLength(1);
  // Once it could be ended, what keeps it from that is news again, and is tried at once.
  mkdirSync(`${path}.3`);
  file.write(line);
  expect(oversized).toHaveLength(2);
  rmSync(`${path}.3`, { recursive: true });
  pass(60_000);
  file.write(line);
  expect(readFileSync(path, 'utf8')).toBe(line);
});

test('a file of an earlier process is as old as it is', () => {
  writeFileSync(path, 'a\n');
  const { file, pass } = openLog({ maxAgeMs: 60_000 });
  pass(50_000);
  file.write('b\n');
  pass(11_000);
  file.write('c\n');
  expect(readFileSync(path, 'utf8')).toBe('c\n');
  expect(readFileSync(`${path}.1`, 'utf8')).toBe('a\nb\n');
});
