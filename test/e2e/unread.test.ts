import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
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
