import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf } from '../docs/pages.ts';
import { installPackage, npmEnv, packBuilt } from '../installPackage.ts';
import { runCli } from './runCli.ts';

const run = promisify(execFile);
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-libraries-')));
const project = join(folder, 'project');
const bin = join(project, 'node_modules/trimtab/bin/trimtab.js');
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  await installPackage(project, [await packBuilt(folder)]);
  expect((await runCli(['init', '.', '--no-project'], { cwd: project, bin })).code).toBe(0);
  for (const { note, text } of blocksOf('docs/how-to/use-an-indicator-library.md')) {
    const [, file] = /^save: (\S+)$/.exec(note) ?? [];
    if (file !== undefined) writeFileSync(join(project, file), text);
  }
}, 180_000);

/** The bot of `init` with a strategy of the page. */
const withPlugin = (command: string, plugin: string, ...more: string[]) =>
  runCli(
    [
      command,
      'bot.yaml',
      '--set',
      `strategies[0].use=./strategies/${plugin}.ts`,
      '--set',
      'strategies[0].params={}',
      ...more,
    ],
    { cwd: project, bin },
  );

const NEEDS =
  'trimtab/technicalindicators needs the package technicalindicators, which is not installed: npm install technicalindicators@3';

describe('the packed package in an empty project', () => {
  test('opens the entry without the library, and names what to install when one is made', async () => {
    const script = `const ti = await import('trimtab/technicalindicators');
const said = [];
for (const make of [ti.sma, ti.doji, ti.atr]) try { make(); } catch (error) { said.push([error.code, error.message]); }
console.log(JSON.stringify(said));`;
    const args = ['--input-type=module', '--eval', script];
    const { stdout } = await run(process.execPath, args, { cwd: project });
    const one = ['TRIMTAB_INDICATOR_LIBRARY', NEEDS];
    expect(JSON.parse(stdout)).toEqual([one, one, one]);
  }, 60_000);

  test('refuses a strategy that needs it, with file and command', async () => {
    const { code, err, out } = await withPlugin('backtest', 'squeeze', '--no-report');
    expect(code).not.toBe(0);
    expect(out + err).toContain('strategies/squeeze.ts');
    expect(out + err).toContain(NEEDS);
    expect(out + err).toContain('(TRIMTAB_INDICATOR_LIBRARY: node_modules/trimtab/docs/errors.md');
  }, 60_000);

  test('checks, trades and records with both libraries, once they are installed', async () => {
    const packages = ['technicalindicators@3.1.0', 'trading-signals@8.3.0'];
    await run('npm', ['install', '--no-audit', '--no-fund', ...packages], {
      cwd: project,
      env: npmEnv,
    });
    for (const plugin of ['squeeze', 'tradingSignals']) {
      const checked = await withPlugin('check', plugin, '--points', '1');
      expect(checked.code, checked.out + checked.err).toBe(0);
      const journal = `${plugin}.db`;
      const ran = await withPlugin('run', plugin, '--journal', journal, '--no-report');
      expect(ran.code, ran.err).toBe(0);
      const listed = await runCli(['journal', 'list', journal, '--limit', '1'], {
        cwd: project,
        bin,
      });
      const [, key] = /^\S+ \S+ +\S+ \S+ +(\w{8})/m.exec(listed.out)!;
      const { out } = await runCli(['journal', 'explain', journal, key!], { cwd: project, bin });
      const labels =
        plugin === 'squeeze'
          ? ['bands ti.bollingerbands(20, 2)', 'momentum ti.awesomeoscillator(5, 34)']
          : ['rsi signals.rsi(14)', 'cci signals.cci(20)'];
      for (const label of labels) expect(out).toContain(label);
    }
  }, 240_000);
});
