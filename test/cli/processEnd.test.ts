import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { root } from '../sourceFiles.ts';
import { rotated } from '../tiers.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-end-'));
afterAll(() => rmSync(folder, { recursive: true }));

const plant = (name: string): string => join(root, `test/cli/plants/${name}.ts`);

function bot(name: string, params = '{}'): string {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(
    file,
    `name: ending
link: { kind: paper }
paper: { speed: max, warmup: 0, feeds: [{ symbol: BTC, interval: 1m, generate: { seed: 8, bars: 20 } }] }
journal: { path: memory }
strategies: [{ name: ends, use: ${plant(name)}, symbols: [BTC], params: ${params} }]
`,
  );
  return file;
}

/** The command in a process of its own, which may end at any time. */
function command(...argv: string[]): Promise<{ code: number; err: string }> {
  return new Promise((resolve) => {
    const args = ['--conditions=trimtab-source', plant('runsCommand'), ...argv];
    execFile(process.execPath, args, { cwd: folder }, (error, _out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), err });
    });
  });
}

const COMMANDS: string[][] = [['backtest', '--no-report'], ['run', '--no-report'], ['check']];

test.each(rotated(COMMANDS, 1))(
  'a plugin that calls process.exit fails %s',
  async (...argv: string[]) => {
    const ended = await command(...argv, bot('endsProcess', '{ how: process, code: 0 }'));
    expect(ended.code).toBe(1);
    expect(ended.err).toMatch(
      /endsProcess\.ts:17:17 called process\.exit\(0\)\.\n.*Remove the call/,
    );
    expect(ended.err).toContain('(TRIMTAB_PLUGIN_EXITED: ');
  },
);

test('it fails with its own code, by the imported name too', async () => {
  const file = bot('endsProcess', '{ how: name, code: 7 }');
  const ended = await command('backtest', '--no-report', file);
  expect(ended.code).toBe(7);
  expect(ended.err).toContain('endsProcess.ts:16:36 called process.exit(7).');
});

test.each(rotated(COMMANDS, 1))(
  'a plugin whose import never ends fails %s',
  async (...argv: string[]) => {
    const ended = await command(...argv, bot('neverLoads'));
    expect(ended.code).toBe(1);
    expect(ended.err).toMatch(
      /neverLoads\.ts: It awaits something at import time that never comes/,
    );
    expect(ended.err).toContain('(TRIMTAB_PLUGIN_UNSETTLED: ');
    expect(ended.err).not.toContain('unsettled top-level await');
  },
);

test('a plugin whose import never ends is named by a command that serves a page', async () => {
  const args = ['--conditions=trimtab-source', plant('runsCommand'), 'dev', bot('neverLoads')];
  const child = spawn(process.execPath, args, { cwd: folder });
  onTestFinished(() => void child.kill('SIGKILL'));
  let err = '';
  child.stderr.on('data', (text: Buffer) => (err += text.toString()));
  await expect
    .poll(() => err, { timeout: 30_000 })
    .toMatch(/^Still importing \S*neverLoads\.ts: /m);
}, 40_000);

test('dev begins no thread after thread where none can start, and tries again at the next save', async () => {
  const args = ['--conditions=trimtab-source', plant('runsNowhere')];
  const out = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, args, { timeout: 30_000 }, (error, text) =>
      error === null ? resolve(text) : reject(error),
    );
  });
  const { faults, threads } = JSON.parse(out) as { faults: number[]; threads: number };
  expect(faults).toEqual([1, 2]);
  // One that failed and the one that takes its place, for each of the two.
  expect(threads).toBe(4);
}, 40_000);
