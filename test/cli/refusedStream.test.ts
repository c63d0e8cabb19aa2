import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { root } from '../sourceFiles.ts';
import { runMain } from './runMain.ts';
import { rotated } from '../tiers.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-refused-'));
afterAll(() => rmSync(folder, { recursive: true }));

const plugin = join(root, 'test/cli/plants/wantsFiner.ts');
const lines = readFileSync(plugin, 'utf8').split('\n');

function bot(by: string, more = ''): string {
  const file = join(folder, 'bot.yaml');
  writeFileSync(
    file,
    `name: coarse
link: { kind: paper }
paper: { speed: max, warmup: 0, feeds: [{ symbol: BTC, interval: 1h, generate: { bars: 100 } }] }
journal: memory
strategies: [{ name: mine, use: ${plugin}, symbols: [BTC], params: { by: ${by} }${more} }]
`,
  );
  return file;
}

const slow = { timeout: 60_000 };

describe('a refused stream ends the run, with the strategy, its place, and the remedy', () => {
  const expectRefused = (
    { code, err }: { code: number; err: string },
    by: string,
    words: readonly string[],
  ): void => {
    expect(code).toBe(1);
    const line = new RegExp(`${plugin}:(\\d+):\\d+: strategy mine asks for`).exec(err)?.[1];
    expect({ err, line }).toMatchObject({ line: expect.any(String) });
    expect(lines[Number(line) - 1]).toContain(`ctx.${by}(`);
    for (const word of words) expect(err).toContain(word);
    expect(err).toContain('TRIMTAB_STREAM_REFUSED: docs/errors.md');
  };
  const FINER = [
    '5m bars of BTC, which the service refuses: interval: BTC is served from 1h on; 5m is shorter.',
    'Ask for 1h or longer, or give BTC a feed of 5m in paper.feeds.',
  ];
  const BARS = ['candles', 'candlesWithForming', 'indicator'];

  test.each(rotated(BARS, 1))('a backtest, by %s', slow, async (by) => {
    expectRefused(await runMain('backtest', bot(by), '--no-report'), by, FINER);
  });

  test.each(rotated(BARS, 1))('a worker, by %s', slow, async (by) => {
    const file = bot(by, ', isolation: worker');
    expectRefused(await runMain('backtest', file, '--no-report'), by, FINER);
  });

  test('a run', slow, async () => {
    expectRefused(await runMain('run', bot('candles'), '--no-report'), 'candles', FINER);
  });

  test.each(['', ', isolation: worker'])(
    'the price of a symbol that is misspelt%s',
    slow,
    async (more) => {
      const reported = await runMain('backtest', bot('price', more), '--no-report');
      expectRefused(reported, 'price', ['the price of BTCC', 'Did you mean BTC?']);
    },
  );
});
