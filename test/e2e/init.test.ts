import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { root } from '../sourceFiles.ts';
import { runCli, type CliResult } from './runCli.ts';
import { inTurn } from '../inTurn.ts';

const it = inTurn(2);

// Below the project, so that the plugin can import 'trimtab' as in a clone.
const folder = mkdtempSync(join(root, 'var-init-'));
let written: CliResult;
beforeAll(async () => {
  written = await runCli(['init', 'my-bot', '--no-project'], { cwd: folder });
});
afterAll(() => rmSync(folder, { recursive: true }));

it('init and run give what the README shows', async () => {
  expect(written).toMatchObject({ code: 0, out: expect.stringContaining('npx trimtab run') });
  const run = await runCli(['run', 'my-bot/bot.yaml'], { cwd: folder });
  expect(run.code).toBe(0);
  const table = run.out.slice(run.out.indexOf('strategy '), run.out.indexOf('report:')).trim();
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(table);
});

it('a directory that a shell reads as more than one word is quoted in the next steps', async () => {
  const { code, out } = await runCli(['init', "my bot's ü", '--no-project'], { cwd: folder });
  expect([code, out]).toEqual([
    0,
    expect.stringContaining(String.raw`trimtab run 'my bot'\''s ü/bot.yaml'`),
  ]);
  const project = await runCli(['init', 'other bot'], { cwd: folder });
  expect(project.out).toContain("  cd 'other bot'\n");
  expect(written.out).toContain('trimtab run my-bot/bot.yaml ');
});

it('incompatible parameters are refused with place and reason', async () => {
  const flags = ['--set', 'strategies[0].params.fast=40'];
  const { code, err } = await runCli(['run', 'my-bot/bot.yaml', ...flags], { cwd: folder });
  expect(code).toBe(2);
  expect(err).toContain('strategies[0].params.fast: must be below slow (it is 40).');
  expect(err).toContain('--set strategies[0].params.fast');
});
