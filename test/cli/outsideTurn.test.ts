import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { root } from '../sourceFiles.ts';
import { rotated } from '../tiers.ts';
import { runMain } from './runMain.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-outside-'));
afterAll(() => rmSync(folder, { recursive: true }));

const plugin = join(root, 'test/cli/plants/decidesLater.ts');
const lines = readFileSync(plugin, 'utf8').split('\n');

function bot(by: string, more = ''): string {
  const file = join(folder, `${by.replaceAll(' ', '-')}.yaml`);
  writeFileSync(
    file,
    `name: later
link: { kind: paper }
paper: { speed: max, feeds: [{ symbol: BTC, interval: 1m, generate: { seed: 1, bars: 1000 } }] }
journal: memory
strategies: [{ name: late, use: ${plugin}, symbols: [BTC], params: { by: ${by} }${more} }]
`,
  );
  return file;
}

const WAYS = [
  'an async operator',
  'a timeout',
  'a timeout of the module',
  'an interval',
  'an immediate',
  'an operator without the scheduler',
];
const slow = { timeout: 60_000 };

describe('a decision outside a turn ends the run, with its place and the remedy', () => {
  const expectRefused = ({ code, err }: { code: number; err: string }): void => {
    expect(code).toBe(1);
    expect(err).toContain('strategy late outside turn: It decided outside of a turn');
    expect(err).toContain('TRIMTAB_STRATEGY_OUTSIDE_TURN: docs/errors.md');
    expect(err).toContain('ctx.scheduler');
    const line = Number(new RegExp(`${plugin}:(\\d+):\\d+: strategy late`).exec(err)?.[1]);
    expect(lines[line - 1]).toMatch(/async|setTimeout|push|wait|setInterval|setImmediate|delay/);
  };

  test.each(rotated(WAYS, 2))('a backtest, by %s', slow, async (by) => {
    expectRefused(await runMain('backtest', bot(by), '--no-report'));
  });

  test.each(rotated(WAYS, 2))('a backtest of a worker, by %s', slow, async (by) => {
    expectRefused(await runMain('backtest', bot(by, ', isolation: worker'), '--no-report'));
  });

  test.each(rotated(['an async operator', 'a timeout'], 1))('a run, by %s', slow, async (by) => {
    expectRefused(await runMain('run', bot(by), '--no-report'));
  });

  test.each(rotated(['an async operator', 'a timeout'], 1))('a check, by %s', slow, async (by) => {
    const { code, out, err } = await runMain('check', bot(by), '--points', '1');
    expect(code).toBe(1);
    expect(out).toMatch(/^turns +FOUND$/m);
    expect(out).toContain('it decided outside a turn');
    expect(out).toContain(plugin);
    expect(err).toContain("can't be trusted: turns");
  });
});

test.each(['the scheduler', 'its events'])(
  'a strategy that decides by %s runs to its end',
  slow,
  async (by) => {
    const { code, out } = await runMain('backtest', bot(by), '--no-report');
    expect({ code, out }).toMatchObject({ code: 0 });
    expect(out).toMatch(/^hash: /m);
  },
);
