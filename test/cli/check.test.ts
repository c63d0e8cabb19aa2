import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { root } from '../sourceFiles.ts';
import { runMain } from './runMain.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-check-'));
afterAll(() => rmSync(folder, { recursive: true }));

const DEMO = join(root, 'configs/demo.yaml');

interface Figures {
  intents: number;
  scenarios: Array<{ name: string; pnl: number; fills: number }>;
}

describe('trimtab check', () => {
  test('accepts the options of a backtest, and trades the same', async () => {
    const json = (name: string): unknown =>
      JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown;
    const bot = join(folder, 'draws.yaml');
    const plugin = join(root, 'test/cli/plants/drawsSize.ts');
    writeFileSync(
      bot,
      `name: draws
link: { kind: paper }
paper: { feeds: [{ symbol: BTC, interval: 1m, generate: { seed: 1, bars: 3000 } }] }
strategies: [{ name: draws, use: ${plugin}, symbols: [BTC], params: { every: 100 } }]
`,
    );
    const changes = ['--param', 'draws.every=60', '--set', 'paper.impact_bps=3'];
    const flags = ['--timerange', '20250102-20250103', '--seed', '7', ...changes];
    const checked = ['--points', '1', '--json', join(folder, 'check.json')];
    expect(await runMain('check', bot, ...flags, ...checked)).toMatchObject({ code: 0 });
    const ran = ['--no-report', '--json', join(folder, 'run.json')];
    expect(await runMain('backtest', bot, ...flags, ...ran)).toMatchObject({ code: 0 });
    const { totals } = json('run.json') as {
      totals: { pnl: number; fills: number; intents: { emitted: number } };
    };
    const { intents, scenarios } = json('check.json') as Figures;
    expect(intents).toBe(totals.intents.emitted);
    expect(intents).toBe(24);
    const usual = scenarios.find(({ name }) => name === 'as configured');
    expect(usual).toMatchObject({ pnl: totals.pnl, fills: totals.fills });
  });

  test('fails for a strategy that ends before its tape does', async () => {
    const bot = join(folder, 'throws.yaml');
    const recording = join(folder, 'seen.jsonl');
    writeFileSync(recording, 'of the bot');
    const plugin = join(root, 'test/cli/plants/throwsAside.ts');
    writeFileSync(
      bot,
      `name: throws
link: { kind: paper }
paper: { feeds: [{ symbol: BTC, interval: 1m, generate: { seed: 1, bars: 900 } }] }
strategies: [{ name: throws, use: ${plugin}, symbols: [BTC], params: { how: subscriber } }]
record: ./seen.jsonl
`,
    );
    const { code, err } = await runMain('check', bot, '--points', '1');
    expect(code).toBe(1);
    expect(err).toMatch(/Nothing after these ends was checked:\n.*throws.*aside/);
    expect(err).toContain('TRIMTAB_STRATEGY_ENDED');
    // What the bot records is the bot's.
    expect(readFileSync(recording, 'utf8')).toBe('of the bot');
  });

  test('does not list every line of a file that is not a configuration', async () => {
    const file = join(folder, 'seen.jsonl');
    writeFileSync(file, '{}\n'.repeat(300));
    const { code, err } = await runMain('check', file);
    expect(code).toBe(1);
    const [, count] = /^trimtab: (\d+) faults in the configuration:$/m.exec(err)!;
    expect(Number(count)).toBeGreaterThan(100);
    expect(err.match(/^\S*seen\.jsonl:/gm)).toHaveLength(20);
    expect(err).toContain(`\n… and ${Number(count) - 20} more.\n`);
  });

  test('reports the part of a time range that the tape covers, and fails if there is none', async () => {
    const at = (range: string) => runMain('check', DEMO, '--timerange', range, '--points', '1');
    const { err } = await at('20250108-20250110');
    expect(err).toContain('trading 2025-01-08 00:00 to 2025-01-08 15:20 UTC, the part');
    expect(await at('20240103-20240104')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/--timerange ends at 2024-01-04 00:00: BTC can be traded from/),
    });
    expect(await at('2024')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--timerange 2024: it has no dash between two times'),
    });
  });
});
