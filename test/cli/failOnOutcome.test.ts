import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from '../sourceFiles.ts';
import { runMain } from './runMain.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-judge-'));
afterAll(() => rmSync(folder, { recursive: true }));

const plugin = join(root, 'test/cli/plants/drawsSize.ts');

function bot(name: string, guards: string): string {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(
    file,
    `name: judged
link: { kind: paper }
paper: { speed: max, feeds: [{ symbol: BTC, interval: 1m, generate: { seed: 1, bars: 1500 } }] }
journal: memory
guards: ${guards}
strategies: [{ name: draws, use: ${plugin}, symbols: [BTC], params: { every: 100 } }]
`,
  );
  return file;
}

const refused = bot('refused', '{ max_order_notional: 0.01 }');
const traded = bot('traded', '{}');

test.each(['backtest', 'run'])(
  '%s exits with 3 if nothing was accepted, with the most frequent reason',
  { timeout: 60_000 },
  async (command) => {
    const { code, err } = await runMain(command, refused, '--no-report', '--log-level', 'error');
    expect(code).toBe(3);
    expect(err).toMatch(/^trimtab: None of the \d+ intents was accepted\.$/m);
    expect(err).toMatch(/^ {2}Most often \(\d+\), max_order_notional: \S/m);
    expect(err).toContain('TRIMTAB_RUN_NOTHING_ACCEPTED');
    const { code: fine } = await runMain(command, traded, '--no-report', '--log-level', 'error');
    expect(fine).toBe(0);
  },
);

test('--fail-on exits with 3 if any occurred, with the count', async () => {
  const run = (...flags: string[]) =>
    runMain('backtest', traded, '--no-report', '--log-level', 'error', ...flags);
  expect(await run('--fail-on', 'rejected', 'denied')).toMatchObject({ code: 0 });
  const { code, err } = await run('--fail-on', 'uncovered', 'denied');
  expect(code).toBe(3);
  expect(err).toMatch(/--fail-on uncovered denied: there was uncovered: \d+ s\./);
  expect(err).toContain('TRIMTAB_RUN_FAIL_ON');
  const wrong = await run('--fail-on', 'anything');
  expect(wrong.code).toBe(2);
});
