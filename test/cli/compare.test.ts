import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runMain } from './runMain.ts';
import { reportJson } from '../../src/operate/report/index.ts';
import { sampleReport } from '../operate/sampleReport.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'trimtab-compare-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const run = (...argv: string[]) => runMain('compare', ...argv);

describe('trimtab compare', () => {
  test('shows figures side by side, and writes the page', async () => {
    const data = sampleReport(3_000);
    const files = ['a', 'b'].map((name) => join(directory, `${name}.json`));
    await writeFile(files[0]!, reportJson(data));
    await writeFile(files[1]!, reportJson({ ...data, hash: 'e'.repeat(64) }));
    const report = join(directory, 'compared.html');
    const { code, out } = await run(...files, '--report', report);
    expect(code).toBe(0);
    expect(out).toMatch(/^ +a +b$/m);
    expect(out).toMatch(new RegExp(`^hash +${data.hash.slice(0, 12)} +${'e'.repeat(12)}$`, 'm'));
    expect(await readFile(report, 'utf8')).toContain('Runs compared');
  });

  test('shows the figures that the files hold for other programs', async () => {
    const file = join(directory, 'a.json');
    await writeFile(file, reportJson(sampleReport(70 * 1_440)));
    const { figures } = JSON.parse(await readFile(file, 'utf8')) as {
      figures: Record<'sharpe' | 'sortino' | 'profit_factor' | 'win_rate' | 'trades', number> &
        Record<'months' | 'shortfalls' | 'round_trips', object[]>;
    };
    const { out } = await run(file, file);
    for (const [label, value] of [
      ['Sharpe \\(annualised\\)', figures.sharpe.toFixed(2)],
      ['Sortino \\(annualised\\)', figures.sortino.toFixed(2)],
      ['profit factor', figures.profit_factor.toFixed(2)],
      ['won', `${(figures.win_rate * 100).toFixed(2)} %`],
    ]) {
      expect(out).toMatch(new RegExp(`^${label} +${value} `, 'm'));
    }
    expect(figures.round_trips.length).toBeGreaterThanOrEqual(figures.trades);
    expect(figures.months).toMatchObject([{ year: 2025 }]);
    expect(figures.shortfalls.length).toBeGreaterThan(0);
  });

  test('the figures show the drawdown of their curve beside that of the whole run', async () => {
    const data = { ...sampleReport(3_000), startTime: 0, endTime: 60_000 };
    const { start_equity: start } = data.totals;
    const curve = [100, 90, 130, 95, 120].map((value, at) => [at * 9_000, start + value] as const);
    const text = reportJson({ ...data, equity: curve, totals: { ...data.totals, pnl: 120 } });
    const { figures, totals } = JSON.parse(text) as Record<'figures' | 'totals', object>;
    expect([figures, totals]).toMatchObject([
      { curve_drawdown: { amount: 35, peak_time: 18_000, trough_time: 27_000 } },
      { max_drawdown: data.totals.max_drawdown },
    ]);
  });

  test.each([
    ['{}', 'it is something else'],
    ['not json', 'it is something else'],
    ['<!doctype html>', "x.json: a run's figures as JSON are expected, and it is a page"],
  ])('a file of %s is refused', async (text, words) => {
    const file = join(directory, 'x.json');
    await writeFile(file, text);
    const { code, err } = await run(file, file);
    expect([code, err]).toEqual([1, expect.stringContaining(words)]);
    expect(err).toContain('--json FILE');
  });

  test('an unwritable page is reported before anything is read', async () => {
    const { code, err } = await run(
      'a.json',
      'b.json',
      '--report',
      join(directory, 'no/such/x.html'),
    );
    expect([code, err]).toEqual([
      1,
      expect.stringContaining("x.html can't be written: there is no"),
    ]);
  });

  test('refuses one run, a missing file, or a folder', async () => {
    expect((await run('a.json')).err).toContain('nothing to compare it with');
    const remedy = 'Figures are what trimtab backtest --json FILE writes.';
    const reported = (path: string, why: string) =>
      `trimtab: ${path} can't be read: ${why}.\n  ${remedy}\n(TRIMTAB_REPORT_UNREADABLE: docs/errors.md#trimtab_report_unreadable)\n`;
    expect(await run('a.json', 'b.json')).toMatchObject({
      code: 1,
      err: reported('a.json', 'there is no such file'),
    });
    expect((await run(directory, 'b.json')).err).toBe(reported(directory, 'it is a folder'));
  });
});
