import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { root } from './sourceFiles.ts';

test('one script that fails makes all of them fail, and the output of each is shown', () => {
  const checks = ['test/checks.ts', 'none', 'trimtab'];
  const { status, stdout } = spawnSync(process.execPath, checks, { cwd: root, encoding: 'utf8' });
  expect(stdout).toMatch(/^npm run none: failed$/m);
  expect(stdout).toContain('Usage: trimtab');
  expect(status).toBe(1);
}, 60_000);
