/** A comparison of what a shadow left behind, long after its market time. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSqliteStore } from '../../src/journal/index.ts';
import { root } from '../sourceFiles.ts';
import { runMain } from './runMain.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-compared-'));
afterAll(() => rmSync(folder, { recursive: true }));
const config = join(folder, 'bot.yaml');
const MINUTE = 60_000;
/** A tape of a year ago. */
const BEGIN = Date.UTC(2025, 5, 1);

/** Decisions at minutes 1 to 6. */
async function fill(name: string): Promise<void> {
  const store = createSqliteStore(join(folder, name), 'process');
  for (const minute of [1, 2, 3, 4, 5, 6]) {
    const marketTime = BEGIN + minute * MINUTE;
    const key = `key-${minute}`;
    const intent = {
      key,
      decisionKey: `main/draws/bar:BTC:1m:${marketTime - MINUTE}#0`,
      generation: 0,
      instance: 'draws',
      wallet: 'main',
      kind: 'place_order',
      intent: JSON.stringify({ intent: { symbol: 'BTC', side: 'buy', size: 1 } }),
    };
    const step = { key, wallTime: marketTime + 7, marketTime, data: '{}' };
    const entries = (['emitted', 'denied'] as const).map((state) => ({ ...step, state }));
    await store.append({ intent, entries });
  }
  await store.close();
}

beforeAll(async () => {
  const plugin = join(root, 'test/cli/plants/drawsSize.ts');
  const draws = `{ name: draws, use: ${plugin}, symbols: [BTC], shadow: { use: ${plugin} } }`;
  const feed = '{ symbol: BTC, interval: 1m, generate: { seed: 1, bars: 1500 } }';
  writeFileSync(
    config,
    `name: compared
link: { kind: paper }
paper: { feeds: [${feed}] }
journal: bot.sqlite
strategies: [${draws}]
`,
  );
  await fill('bot.sqlite');
  await fill('bot.sqlite.shadow-draws.sqlite');
  const view = {
    instance: 'draws',
    use: './new.ts',
    state: 'ended',
    reason: null,
    since: BEGIN + MINUTE,
    until: BEGIN + 6 * MINUTE,
    capital: 1_000,
    shadow: null,
    live: null,
    sizeSteps: {},
    barMs: MINUTE,
    curve: [],
    hash: null,
  };
  writeFileSync(join(folder, 'bot.sqlite.shadow-draws.json'), JSON.stringify(view));
});

test.each([
  [[], 6],
  [['--since', '2m'], 3],
  [['--since', '7d'], 6],
  [['--until', '2m'], 3],
  [['--since', '3m', '--until', '1m'], 2],
  [['--since', '2025-06-01T00:05'], 2],
  [['--until', '2025-06-01T00:03Z'], 2],
  [['--since', '2025-06-01T02:05+02:00'], 2],
])('%j compares %i decisions: a span ends where both have come to', async (flags, same) => {
  const { code, out, err } = await runMain('compare-live', config, '--json', ...flags);
  expect([code, err]).toEqual([0, '']);
  const [compared] = (JSON.parse(out) as { comparisons: Array<{ same: number }> }).comparisons;
  expect(compared!.same).toBe(same);
});

test('a day that is not there is refused', async () => {
  const { code, err } = await runMain('compare-live', config, '--since', '2026-02-30');
  expect([code, err]).toEqual([2, expect.stringContaining('It takes 30m, 2h, 7d')]);
});
