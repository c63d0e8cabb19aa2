import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { root } from '../sourceFiles.ts';
import { runCli } from './runCli.ts';

// Below the project, so that the plugin can import 'trimtab' as in a clone.
const folder = mkdtempSync(join(root, 'var-init-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('init and run give what the README shows', async () => {
  const written = await runCli(['init', 'my-bot'], { cwd: folder });
  expect(written).toMatchObject({ code: 0, out: expect.stringContaining('npm install rxjs zod') });
  const run = await runCli(['run', 'my-bot/bot.yaml'], { cwd: folder });
  expect(run.code).toBe(0);
  const table = run.out.slice(run.out.indexOf('strategy '), run.out.indexOf('report:')).trim();
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(table);
});

test('the test beside the plugin passes under node --test, and fails if the plugin does otherwise', async () => {
  const dir = join(folder, 'my-bot/strategies');
  const tests = () =>
    promisify(execFile)(
      process.execPath,
      ['--test', '--test-reporter=tap', join(dir, 'firstPlugin.test.mts')],
      {
        cwd: folder,
        env: { ...process.env, NODE_OPTIONS: '--conditions=trimtab-source' },
      },
    ).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
  expect(await tests()).toContain('# pass 3\n# fail 0');
  const plugin = readFileSync(join(dir, 'firstPlugin.ts'), 'utf8');
  writeFileSync(join(dir, 'firstPlugin.ts'), plugin.replace('ctx.capital() / 2', 'ctx.capital()'));
  const out = await tests();
  expect(out).toContain('# fail 1');
  expect(out).toContain('The intents differ at [0].request.size');
  writeFileSync(join(dir, 'firstPlugin.ts'), plugin);
});

test('incompatible parameters are refused with place and reason', async () => {
  const flags = ['--set', 'strategies[0].params.fast=40'];
  const { code, err } = await runCli(['run', 'my-bot/bot.yaml', ...flags], { cwd: folder });
  expect(code).toBe(1);
  expect(err).toContain('strategies[0].params.fast: must be below slow (it is 40).');
  expect(err).toContain('--set strategies[0].params.fast');
});

test('init never overwrites files', async () => {
  const again = await runCli(['init', 'my-bot'], { cwd: folder });
  expect(again.code).not.toBe(0);
  expect(again.err).toMatch(/bot\.yaml/);
});
