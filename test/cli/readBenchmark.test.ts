import { expect, test } from 'vitest';
import { withReportSettings } from '../../src/cli/readBenchmark.ts';
import { sampleReport } from '../operate/sampleReport.ts';

const DAY_MS = 86_400_000;

test('closes must begin and end within a day of the run', () => {
  const run = sampleReport(100);
  const cover = (late: number, early: number) => () =>
    withReportSettings(run, {
      benchmark: {
        name: 'spx.csv',
        closes: [
          [run.startTime + late, 1],
          [run.endTime - early, 2],
        ],
      },
    });
  expect(cover(DAY_MS, DAY_MS)().benchmark!.name).toBe('spx.csv');
  expect(cover(-9 * DAY_MS, -9 * DAY_MS)().benchmark!.name).toBe('spx.csv');
  expect(cover(DAY_MS + 1, 0)).toThrow(/its closes are from .*covers the run/s);
  expect(cover(-9 * DAY_MS, DAY_MS + 1)).toThrow(/its closes are from .*covers the run/s);
});
