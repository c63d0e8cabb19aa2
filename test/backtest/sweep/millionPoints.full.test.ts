import { execFile } from 'node:child_process';
import { createReadStream, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { firstJobs } from '../../../backtest/index.ts';
import { planSweep } from '../../../src/cli/sweep/planSweep.ts';
import { root } from '../../sourceFiles.ts';
import { drawParts } from './drawParts.ts';
import { bot, directory, useSweepFolder } from './sweepFolder.ts';

useSweepFolder();

const POINTS = 1_000_000;
const LIMIT_MB = 1_000;

test(
  'a million points of sixteen shards are merged, ranked and written below a gigabyte',
  { timeout: 3_600_000 },
  async () => {
    const file = join(directory, 'million.yaml');
    writeFileSync(file, bot());
    const param = ['channel=10..1009', 'reward=1..1000'];
    const { plan } = await planSweep(file, { param, feed: [], set: [] });
    const jobs = firstJobs(plan, { from: 0, until: 0 });
    expect(jobs.length).toBe(POINTS);
    const { paths, best } = drawParts(directory, { plan, jobs, count: 16, days: 60 });
    // Drawn results would not stand a second run of the best: without the bot at hand there is none.
    rmSync(file);
    const out = join(directory, 'million.sqlite');
    const argv = ['sweep', '--merge', ...paths, '--out', out, '--parquet'];
    const { code, said, err } = await runMeasured(argv);
    expect([code, err]).toEqual([0, expect.stringContaining('were not run a second time')]);
    const { megabytes } = JSON.parse(err.trim().split('\n').at(-1)!) as { megabytes: number };
    expect(megabytes).toBeLessThan(LIMIT_MB);
    expect(said).toMatch(
      /overfitting: [<\d.]+ % \(CSCV, all points at 1,000 of 12,870 splits, drawn: standard error \d\.\d %/,
    );
    const values = jobs.at(best).values.join(' +');
    expect(said).toMatch(new RegExp(`^ *1 +${values} `, 'm'));
    let lines = 0;
    const csv = createReadStream(join(directory, 'million.csv'));
    for await (const line of createInterface({ input: csv })) {
      if (lines++ === best + 1) expect(line.startsWith(`${best},,all,`)).toBe(true);
    }
    expect(lines).toBe(POINTS + 1);
    expect(statSync(join(directory, 'million.html')).size).toBeLessThan(5e6);
    expect(statSync(join(directory, 'million.parquet')).size).toBeGreaterThan(POINTS * 60);
  },
);

function runMeasured(argv: readonly string[]) {
  const program = join(root, 'test/backtest/sweep/runMeasured.ts');
  const args = ['--conditions=trimtab-source', program, ...argv];
  return new Promise<{ code: number; said: string; err: string }>((resolve) => {
    execFile(process.execPath, args, { maxBuffer: 1e8 }, (error, said, err) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), said, err });
    });
  });
}
