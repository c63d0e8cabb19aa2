import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../sourceFiles.ts';
import { runCli } from './runCli.ts';
import { rotated } from '../tiers.ts';

// Devices, pipes and /proc are Linux's; elsewhere the unit test of readRegularFile covers them.
const describeOnLinux = describe.runIf(process.platform === 'linux');

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-endless-'));
  if (process.platform === 'linux') execFileSync('mkfifo', [join(folder, 'pipe.csv')]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Both of the demo's symbols from one file. */
const feedFlags = (path: string): string[] =>
  ['BTC', 'ETH'].flatMap((symbol) => ['--feed', `${symbol}@1m=${path}`]);

describeOnLinux('a file that never ends is refused, and names what it is', () => {
  const demo = join(root, 'configs/demo.yaml');
  const withFeed = (command: string, path: string): string[] => [command, demo, ...feedFlags(path)];
  const ways: readonly [string, (path: string) => string[]][] = [
    ['run', (path) => withFeed('run', path)],
    ['backtest', (path) => withFeed('backtest', path)],
    ['check', (path) => withFeed('check', path)],
    ['paper', (path) => ['paper', '--feed', `BTC@1m=${path}`]],
    ['paper --trades', (path) => ['paper', '--trades', `BTC=${path}`]],
    ['paper --state', (path) => ['paper', '--port', '0', '--state', path]],
    ['paper --config', (path) => ['paper', '--config', path]],
    ['data check', (path) => ['data', 'check', path]],
    ['compare', (path) => ['compare', path, path]],
    ['a configuration', (path) => ['run', path]],
    ['a recording', (path) => ['diff', path, path]],
  ];
  test.each(rotated(ways, 2))('%s', { timeout: 60_000 }, async (_name, argv) => {
    for (const [path, what] of [
      ['/dev/zero', /device/],
      [join(folder, 'pipe.csv'), /pipe/],
    ] as const) {
      const { code, out, err } = await runCli(argv(path));
      expect(`${out}${err}`).toMatch(what);
      expect(`${out}${err}`).toContain(path);
      expect(code).toBe(1);
    }
  });
});

describeOnLinux('a signal while a feed is being read and unpacked ends the process', () => {
  test.each(rotated(['run', 'backtest'], 1))('%s', { timeout: 60_000 }, async (command) => {
    // One line of three gigabytes, in three megabytes: members of a gzip file follow each other.
    const member = gzipSync(Buffer.alloc(16 * 2 ** 20, '1'));
    const path = join(folder, 'long.csv.gz');
    if (!existsSync(path)) writeFileSync(path, Buffer.concat(Array<Buffer>(192).fill(member)));
    const argv = [command, 'configs/demo.yaml', ...feedFlags(path), '--no-report'];
    if (command === 'run') argv.push('--journal', join(folder, 'bot.sqlite'));
    const child = spawn(process.execPath, [join(root, 'bin/trimtab.js'), ...argv], { cwd: root });
    const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    let isOver = false;
    void ended.then(() => (isOver = true));
    // The bot itself takes a quarter of it: what is above is the feed.
    while (!isOver && residentBytes(child.pid!) < 600 * 2 ** 20) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(isOver).toBe(false);
    child.kill('SIGTERM');
    expect(await ended).toEqual([null, 'SIGTERM']);
  });
});

function residentBytes(pid: number): number {
  const pages = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1];
  return Number(pages) * 4_096;
}
