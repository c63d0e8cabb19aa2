import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { idempotencyKeyOf } from '../../src/journal/index.ts';
import { root } from '../sourceFiles.ts';
import { hashOf, runCli, type CliResult } from './runCli.ts';
import { demo, folder, rowOf, useDemoFolder } from './runDemo.ts';

useDemoFolder();

describe('the demo, over real sockets', () => {
  let first: CliResult;
  let second: CliResult;
  beforeAll(async () => {
    [first, second] = await Promise.all([demo('one'), demo('two')]);
  }, 120_000);

  test('ends well, with three strategies that traded', () => {
    expect(first.err).not.toMatch(/error|Error/);
    expect(first.code).toBe(0);
    for (const name of ['trend', 'reversion', 'breakout']) {
      const [, emitted, , accepted] = rowOf(first, name);
      expect(Number(emitted), name).toBeGreaterThan(5);
      expect(Number(accepted), name).toBeGreaterThan(5);
      expect(Number(rowOf(first, name)[7]), `${name} fills`).toBeGreaterThan(5);
    }
    expect(first.out).toContain('429s: 0\n');
    expect(first.out).toContain('unknowns: 0\n');
  });

  test('runs 10,000 bars and more, and shows progress', () => {
    const bars = /100 % ([\d,]+)\/([\d,]+) bars/.exec(first.err);
    expect(Number(bars?.[2]?.replaceAll(',', ''))).toBeGreaterThanOrEqual(10_000);
    expect(first.err).toMatch(/equity .* executions .* budget/);
  });

  test('run twice: identical intents and fills', () => {
    expect(hashOf(first)).toMatch(/^[0-9a-f]{64}$/);
    expect(hashOf(second)).toBe(hashOf(first));
  });

  test('the README shows the real output', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const table = first.out.slice(first.out.indexOf('strategy '), first.out.indexOf('report:'));
    expect(readme).toContain(table.trim());
  });

  test('the documents show the real journal of a decision', async () => {
    const page = readFileSync(join(root, 'docs/how-to/explain-a-decision.md'), 'utf8');
    const block = page.slice(page.indexOf('<!-- output of: trimtab journal explain -->'));
    const shown = /```text\n([\s\S]*?)\n```/.exec(block)![1]!;
    const key = idempotencyKeyOf('second/breakout/bar:BTC:5m:1736348100000#0', 0);
    const { out } = await runCli(['journal', 'explain', join(folder, 'one'), key]);
    expect(out).toContain(`\n\n${shown}\n\nIntent\n`);
  });

  test('writes a report that needs no network', () => {
    const page = readFileSync(join(folder, 'one.html'), 'utf8');
    expect(page).toContain(hashOf(first));
    expect(page).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)\s*=\s*["']?https?:/i);
  });
});
