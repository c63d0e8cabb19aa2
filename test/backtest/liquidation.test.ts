import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect } from 'vitest';
import { runMain } from '../cli/runMain.ts';
import type { ReportData } from '../../src/operate/report/index.ts';
import { root } from '../sourceFiles.ts';
import { inTurn } from '../inTurn.ts';

const it = inTurn(2);

const folder = mkdtempSync(join(tmpdir(), 'trimtab-liquidation-'));
afterAll(() => rmSync(folder, { recursive: true }));

const START = Date.UTC(2025, 0, 1);
const FALLS_AT = 40;

/** Flat, then five percent lower. */
function writeTape(): string {
  const rows = Array.from({ length: 60 }, (_none, at) => {
    const [open, close] = [at > FALLS_AT ? 95_000 : 100_000, at >= FALLS_AT ? 95_000 : 100_000];
    return [START + at * 60_000, open, open, close, close, 1e6].join(',');
  });
  const file = join(folder, 'btc.csv');
  writeFileSync(file, `timestamp,open,high,low,close,volume\n${rows.join('\n')}\n`);
  return file;
}

const config = join(folder, 'bot.yaml');
writeFileSync(
  config,
  `name: gambler
link: { kind: paper }
paper:
  feeds: [{ symbol: BTC, interval: 1m, path: ${writeTape()} }]
  warmup: 10
  balance: 10000
strategies:
  - { name: g, use: ${join(root, 'test/backtest/plants/goesAllIn.ts')}, symbols: [BTC] }
guards: { max_leverage: 100 }
`,
);

describe('a position that the venue liquidates', () => {
  it('is reported in the closing lines, the figures and the comparison', async () => {
    const json = join(folder, 'figures.json');
    const { code, out } = await runMain('backtest', config, '--no-report', '--json', json);
    expect(code).toBe(0);
    expect(out).toContain('\nLIQUIDATED: BTC on main, 2025-01-01 00:40 UTC\n');
    const { liquidations } = JSON.parse(readFileSync(json, 'utf8')) as ReportData;
    const { time } = liquidations![0]!;
    expect(liquidations).toEqual([{ time, wallet: 'main', symbol: 'BTC' }]);
    expect(time).toBeGreaterThan(START + FALLS_AT * 60_000);
    expect(time).toBeLessThan(START + (FALLS_AT + 1) * 60_000);
    const compared = (await runMain('compare', json, json)).out;
    expect(compared).toMatch(/^liquidations +1 +1$/m);
    expect(compared).toMatch(/^from \(UTC\) +2025-01-01 00:10 +2025-01-01 00:10$/m);
    expect(compared).toMatch(/^until +2025-01-01 01:00 +2025-01-01 01:00$/m);
  });

  it('is counted below the best points of a sweep', async () => {
    const file = join(folder, 'sweep.sqlite');
    const argv = ['sweep', config, '--param', 'times=1,40', '--threads', '1', '--out', file];
    const { code, out } = await runMain(...argv);
    expect(code).toBe(0);
    const reported = '1 of these 2 had positions liquidated (column liquidations of the CSV).';
    expect(out).toContain(reported);
    const [head, ...rows] = readFileSync(join(folder, 'sweep.csv'), 'utf8').split('\n');
    const at = head!.split(',').indexOf('liquidations');
    expect(rows.slice(0, 2).map((row) => row.split(',')[at])).toEqual(['0', '1']);
    // A file without that column can't be resumed.
    const db = new DatabaseSync(file);
    db.exec("UPDATE sweep SET format = 'trimtab-sweep 2'");
    db.close();
    const again = await runMain(...argv);
    const why =
      'holds results of another version of Trimtab (trimtab-sweep 2, not trimtab-sweep 4)';
    expect([again.code, again.err]).toEqual([1, expect.stringContaining(why)]);
  });
});
