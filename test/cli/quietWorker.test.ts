import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from '../sourceFiles.ts';
import { runMain } from './runMain.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-quiet-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([false, true])(
  'a strategy in a worker that decides nothing ends with its tape; it waits for a network: %s',
  async (listens) => {
    const file = join(folder, `${listens}.yaml`);
    writeFileSync(
      file,
      `name: quiet
isolation: worker
link: { kind: paper }
paper: { speed: max, feeds: [{ symbol: BTC, interval: 1m, generate: { seed: 8, bars: 800 } }] }
strategies:
  - { name: n, use: ${join(root, 'test/cli/plants/neverTrades.ts')}, symbols: [BTC], params: { listens: ${listens} } }
`,
    );
    const { setTimeout: timeout, setInterval: interval } = globalThis;
    const ran = await runMain('backtest', file, '--no-report');
    // A plugin's timers are watched no longer.
    expect([globalThis.setTimeout, globalThis.setInterval]).toEqual([timeout, interval]);
    expect(ran.err).not.toContain('did not finish');
    expect(ran.code, ran.err).toBe(0);
  },
);
