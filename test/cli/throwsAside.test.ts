import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from '../sourceFiles.ts';
import { runMain } from './runMain.ts';
import { rotated } from '../tiers.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-aside-'));
afterAll(() => rmSync(folder, { recursive: true }));

const plant = (name: string): string => join(root, `test/cli/plants/${name}.ts`);

function bot(how: string, isolation: string): string {
  const file = join(folder, `${how}-${isolation}.yaml`);
  writeFileSync(
    file,
    `name: aside
link: { kind: paper }
paper:
  speed: max
  warmup: 0
  budget_clock: replay
  feeds:
    - { symbol: BTC, interval: 1m, generate: { seed: 8, bars: 200 } }
    - { symbol: ETH, interval: 1m, generate: { seed: 9, bars: 200 } }
journal: { path: memory }
strategies:
  - { name: bad, use: ${plant('throwsAside')}, symbols: [BTC], params: { how: ${how} }, isolation: ${isolation} }
  - { name: good, use: ${plant('neverTrades')}, symbols: [ETH] }
`,
  );
  return file;
}

const CASES = [
  ['backtest', 'subscriber', 'none'],
  ['backtest', 'subscriber', 'worker'],
  ['backtest', 'promise', 'none'],
  ['backtest', 'promise', 'worker'],
  ['run', 'subscriber', 'none'],
  ['run', 'promise', 'none'],
  ['backtest', 'timer', 'none'],
  ['run', 'timer', 'none'],
] as const;

test.each(rotated(CASES, 2))(
  '%s: what a %s of a plugin throws aside ends its strategy alone (isolation %s)',
  async (command, how, isolation) => {
    const ran = await runMain(command, bot(how, isolation), '--no-report');
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(/strategy bad (threw|thread ended).*aside/);
    expect(ran.err).toMatch(/throwsAside\.ts:(1[789]|26)/);
    expect(ran.err).not.toMatch(/strategy good|TRIMTAB_CRASHED/);
  },
);
