import { expect, test } from 'vitest';
import { withReportSettings } from '../../src/cli/readBenchmark.ts';
import { sampleReport } from '../operate/sampleReport.ts';

const SLACK_MS = 4 * 86_400_000;

test('closes must begin and end within four days of the run: a weekend has none', () => {
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
  expect(cover(SLACK_MS, SLACK_MS)().benchmark!.name).toBe('spx.csv');
  expect(cover(-9 * SLACK_MS, -9 * SLACK_MS)().benchmark!.name).toBe('spx.csv');
  expect(cover(SLACK_MS + 1, 0)).toThrow(/its closes are from .*covers the run/s);
  expect(cover(-9 * SLACK_MS, SLACK_MS + 1)).toThrow(/its closes are from .*covers the run/s);
});
