import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { idempotencyKeyOf } from '../../src/journal/index.ts';
import { EXTRACTS } from '../data/places.ts';
import { root } from '../sourceFiles.ts';
import { hashOf, runCli, type CliResult } from './runCli.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-demo-'));
afterAll(() => rmSync(folder, { recursive: true }));

const demo = (name: string, ...more: string[]): Promise<CliResult> => {
  const files = ['--report', join(folder, `${name}.html`), '--journal', join(folder, name)];
  return runCli(['run', 'configs/demo.yaml', ...files, ...more]);
};

/** A row of the closing table as its numbers. */
const rowOf = ({ out }: CliResult, name: string): string[] =>
  out
    .split('\n')
    .find((line) => line.startsWith(`${name} `))!
    .split(/ {2,}/);

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

  test('runs 10,000 bars and more, and shows how far it is', () => {
    const bars = /100 % ([\d,]+)\/([\d,]+) bars/.exec(first.err);
    expect(Number(bars?.[2]?.replaceAll(',', ''))).toBeGreaterThanOrEqual(10_000);
    expect(first.err).toMatch(/equity .* executions .* budget/);
  });

  test('run twice: identical intents and fills', () => {
    expect(hashOf(first)).toMatch(/^[0-9a-f]{64}$/);
    expect(hashOf(second)).toBe(hashOf(first));
  });

  test('the README shows what really comes out', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const table = first.out.slice(first.out.indexOf('strategy '), first.out.indexOf('report:'));
    expect(readme).toContain(table.trim());
  });

  test('the documents show what the journal really has of a decision', async () => {
    const page = readFileSync(join(root, 'docs/how-to/explain-a-decision.md'), 'utf8');
    const block = page.slice(page.indexOf('<!-- output of: trimtab journal explain -->'));
    const shown = /```text\n([\s\S]*?)\n```/.exec(block)![1]!;
    const key = idempotencyKeyOf('second/breakout/bar:BTC:5m:1736348100000#0', 0);
    const { out } = await runCli(['journal', 'explain', join(folder, 'one'), key]);
    expect(out).toContain(`\n\n${shown}\n\nIntent\n`);
  });

  test('another tape gives another hash', async () => {
    const other = await demo('three', '--set', 'paper.feeds[0].generate.seed=12');
    expect(other.code).toBe(0);
    expect(hashOf(other)).not.toBe(hashOf(first));
  }, 120_000);

  test('writes a report that needs no network', () => {
    const page = readFileSync(join(folder, 'one.html'), 'utf8');
    expect(page).toContain(hashOf(first));
    expect(page).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)\s*=\s*["']?https?:/i);
  });
});

test('the same on real candles of two symbols', async () => {
  const feeds = ['BTC', 'ETH'].flatMap((symbol) => [
    '--feed',
    `${symbol}@1m=${join(EXTRACTS, `normalised/BINANCEUSDM-${symbol}USDT-1m.csv.gz`)}`,
  ]);
  const result = await demo('real', ...feeds);
  expect(result.code).toBe(0);
  expect(result.out).toContain('429s: 0\n');
  expect(result.out).toContain('unknowns: 0\n');
  expect(Number(rowOf(result, 'total')[7]?.replaceAll(',', ''))).toBeGreaterThan(20);
}, 240_000);
