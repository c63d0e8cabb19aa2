import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { checkBot, formatCheck, type CheckResult } from '../../backtest/check/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import { loadTape } from '../../src/operate/run/index.ts';
import { generateFeed } from '../../src/paper/index.ts';
import { root } from '../sourceFiles.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-check-'));
afterAll(() => rmSync(folder, { recursive: true }));

const START = Date.UTC(2025, 0, 1);
const tapeFile = join(folder, 'btc.csv');
const feed = generateFeed({
  symbol: 'BTC',
  interval: '1m',
  bars: 2_000,
  seed: 3,
  startTime: START,
  startPrice: 60_000,
});
const rows = Array.from(feed.time, (time, at) =>
  [time, feed.open[at], feed.high[at], feed.low[at], feed.close[at], feed.volume[at]].join(','),
);
writeFileSync(tapeFile, `timestamp,open,high,low,close,volume\n${rows.join('\n')}\n`);

async function check(file: string, set: readonly string[] = []): Promise<CheckResult> {
  const loaded = await loadConfig(file, { overrides: { onPaper: true, journal: 'memory', set } });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const tape = await loadTape(loaded);
  if (!tape.ok) throw new Error(tape.failure.message);
  const result = await checkBot({
    tape: tape.value,
    live: createLiveEnv(),
    points: 3,
    onRun: () => {},
  });
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

function checkPlant(name: string, params = '{}'): Promise<CheckResult> {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(
    file,
    `name: planted
link: { kind: paper }
paper:
  feeds: [{ symbol: BTC, interval: 1m, path: ${tapeFile} }]
  warmup: 100
  balance: 100000
strategies:
  - name: plant
    use: ${join(root, 'test/backtest/plants', `${name}.ts`)}
    symbols: [BTC]
    params: ${params}
`,
  );
  return check(file);
}

describe('trimtab check catches', () => {
  test.each([
    ['peeks', `{ file: ${tapeFile} }`, 'look-ahead', /side: "(buy|sell)" → "(buy|sell)"/],
    ['readsClock', '{}', 'determinism', /size: [\d.]+ → [\d.]+/],
    ['forgetsWarmUp', '{}', 'warm-up', /decisionKey|none/],
    ['awaits', '{}', 'promises', /./],
  ])('a planted plugin that %s', { timeout: 60_000 }, async (name, params, kind, words) => {
    const result = await checkPlant(name, params);
    expect(result.findings.map((finding) => finding.check)).toEqual([kind]);
    const [finding] = result.findings;
    expect(finding!.instance).toBe('plant');
    expect(finding!.time).toBeGreaterThan(START);
    expect(finding!.decisionKey).toContain('main/plant/');
    expect(finding!.words.join('\n')).toMatch(words);
    const text = formatCheck(result);
    expect(text).toContain(`${kind}: plant, bar closed ${new Date(finding!.time).toISOString()}`);
  });
});

test(
  'the shipped strategies are clean, and what they earn depends on the fills',
  { timeout: 120_000 },
  async () => {
    const short = [0, 1].map((at) => `paper.feeds[${at}].generate.bars=5000`);
    const result = await check(join(root, 'configs/demo.yaml'), short);
    expect(result.findings).toEqual([]);
    expect(result.base.intents.length).toBeGreaterThan(50);
    const results = result.scenarios.map(({ pnl }) => pnl);
    expect(new Set(results).size).toBe(3);
    expect(results[1]).toBe(result.base.run.data.totals.pnl);
    const { fees, pnl } = result.base.run.data.totals;
    const { venueFees, serviceFees } = result.base.costs;
    expect(venueFees + serviceFees).toBeCloseTo(fees, 6);
    expect(formatCheck(result)).toContain(`net`);
    expect(Number.isFinite(pnl)).toBe(true);
  },
);
