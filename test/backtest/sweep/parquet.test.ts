import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { expect, test } from 'vitest';
import { writeParquet } from '../../../backtest/sweep/results/writeParquet.ts';
import { floatsOf } from '../../../backtest/sweep/results/pointRow.ts';
import type { PointFigures } from '../../../backtest/sweep/PointResult.ts';
import type { PointResult, SweepJob } from '../../../backtest/index.ts';
import { outcomeOf } from './outcomeOf.ts';
import { directory, rowsOf, sweep, useSweepFolder } from './sweepFolder.ts';

useSweepFolder();

test(
  'a table of Parquet has the rows of the results, numbers as such, and daily returns as lists',
  { timeout: 120_000 },
  async () => {
    const argv = ['--param', 'channel=10,1', '--param', 'interval=1m,5m', '--parquet'];
    const { code, out } = await sweep('table.sqlite', ...argv);
    expect([code, out]).toEqual([0, expect.stringMatching(/^parquet: .*table\.parquet$/m)]);
    const file = await asyncBufferFromFile(join(directory, 'table.parquet'));
    const read = await parquetReadObjects({ file, compressors });
    const rows = rowsOf('table.sqlite').map((stored) => {
      const { trade_pnls: _trades, edge_returns: _edges, crc32: _sum, ...row } = stored;
      const returns = row['daily_returns'];
      return { ...row, daily_returns: returns === null ? null : [...floatsOf(returns)] };
    });
    expect(rows).toHaveLength(4);
    // This reader gives undefined for a list that is null.
    const lists = read.map((row) => ({ ...row, daily_returns: row['daily_returns'] ?? null }));
    expect(lists).toEqual(rows);
    const twice = await sweep('table.sqlite', ...argv);
    expect(twice.code).toBe(0);
    expect((await readFile(join(directory, 'table.parquet'))).toString('latin1', 0, 4)).toBe(
      'PAR1',
    );
  },
);

test('a table of many rows is written group by group', async () => {
  const jobs = Array.from({ length: 12_001 }, (_none, index): SweepJob => {
    return { index, values: [`v${index % 7}`], range: {}, window: null, part: 'all' };
  });
  const results = jobs.map(({ index }): PointResult => {
    if (index % 1_000 === 3) return { index, fault: `fault of ${index}` };
    const figures = { pnl: index / 3, hash: `h${index}`, sharpe: null } as PointFigures;
    return {
      index,
      figures,
      returns: index % 2 === 0 ? [] : [index, -0.5],
      edges: [0, 0],
      trades: [],
    };
  });
  const path = join(directory, 'many.parquet');
  const params = [{ name: 'mode', values: ['v0', 'v1', 'v2', 'v3', 'v4', 'v5', 'v6'] }];
  writeParquet(path, { params }, outcomeOf(jobs, results));
  const file = await asyncBufferFromFile(path);
  const { row_groups: groups, created_by: by } = await parquetMetadataAsync(file);
  expect([groups.length, by]).toEqual([3, 'trimtab']);
  const columns = ['job', 'param_mode', 'pnl', 'sharpe', 'fault', 'daily_returns'];
  const read = await parquetReadObjects({ file, compressors, columns });
  expect(read).toHaveLength(12_001);
  expect(read[5_004]).toMatchObject({ job: 5_004, param_mode: 'v6', pnl: 1_668 });
  expect(read[5_005]!['daily_returns']).toEqual([5_005, -0.5]);
  expect(read[5_004]!['daily_returns']).toEqual([]);
  expect(read[6_003]).toMatchObject({ job: 6_003, fault: 'fault of 6003', pnl: null });
});
