import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSqliteStore } from '../../src/journal/index.ts';
import { openIntent, journalOn } from '../journal/journalRows.ts';
import { root } from '../sourceFiles.ts';

test('a bot whose output is no longer read runs to its end', { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-unread-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const short = [0, 1].flatMap((at) => ['--set', `paper.feeds[${at}].generate.bars=1200`]);
  const report = join(folder, 'report.html');
  const files = ['--report', report, '--journal', join(folder, 'bot.sqlite')];
  const argv = ['run', 'configs/demo.yaml', ...short, ...files];
  const child = spawn(process.execPath, [join(root, 'bin/trimtab.js'), ...argv], { cwd: root });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stderr, 'data');
  child.stderr.destroy();
  child.stdout.destroy();
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(0);
  expect(existsSync(report)).toBe(true);
});

test('a reader that has closed the pipe, as head does, changes neither the exit code nor what is said', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-unread-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'bars.csv');
  // A gap after every third bar: more findings than a pipe takes at once.
  const rows = Array.from({ length: 9_000 }, (_, at) => {
    const minute = at + Math.floor(at / 3);
    return `${1_735_689_600_000 + minute * 60_000},100,100,100,100,1`;
  });
  writeFileSync(file, ['time,open,high,low,close,volume', ...rows].join('\n'));
  const argv = [join(root, 'bin/trimtab.js'), 'data', 'check', file, '--symbol', 'BTC', '--json'];
  const child = spawn(process.execPath, argv, { cwd: root });
  child.stdout.destroy();
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [code] = (await once(child, 'close')) as [number | null];
  expect([code, said]).toEqual([1, expect.stringContaining('TRIMTAB_DATA_NOT_OK')]);
});

test('a watched status ends with the change after its reader has gone, and with what it is then', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-unread-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const journal = join(folder, 'bot.sqlite');
  const beat = (more: object): void => {
    const state = { pid: process.pid, time: Date.now(), level: 'L1', obeyed: 0, reasons: [] };
    writeFileSync(`${journal}.pulse.json`, JSON.stringify({ ...state, ...more }));
  };
  beat({ ended: 'in_order' });
  const bin = join(root, 'bin/trimtab.js');
  const argv = [bin, 'status', 'configs/live.example.yaml', '--journal', journal, '--watch'];
  const child = spawn(process.execPath, argv, { cwd: root });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [first] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  expect(first).toContain('it was stopped cleanly');
  child.stdout.destroy();
  // It runs again, at a level.
  beat({});
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(1);
});

// A result that is written once, by pieces that wait, as JSON, and the help.
test.skipIf(!existsSync('/dev/full')).each([
  ['backtest', 'configs/demo.yaml', '--no-report', '--set', 'paper.feeds[0].generate.bars=1200'],
  ['backtest', 'configs/demo.yaml', '--no-report', '--json', '-'],
  ['schema'],
  ['report', '--help'],
  // Pieces of one text, each of which waits.
  ['journal', 'export', 'JOURNAL'],
  ['--help'],
])('a result that the disk does not take is lost with a message: %s %s', async (...argv) => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-unread-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const journal = join(folder, 'bot.sqlite');
  const store = createSqliteStore(journal);
  await openIntent(journalOn(store), 'key-of-one', ['emitted', 'guarded', 'sending', 'accepted']);
  await store.close();
  const words = argv.map((word) => (word === 'JOURNAL' ? journal : word));
  const child = spawnSync(process.execPath, [join(root, 'bin/trimtab.js'), ...words], {
    cwd: root,
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    encoding: 'utf8',
  });
  expect(child.stderr.match(/standard output can't be written/g)).toHaveLength(1);
  expect(child.stderr).toMatch(/standard output can't be written.*ENOSPC/);
  expect(child.stderr).toContain('TRIMTAB_OUTPUT_UNWRITABLE');
  expect(child.stderr).not.toContain('TRIMTAB_UNEXPECTED');
  expect(child.status).toBe(1);
});
