import { describe, expect, test } from 'vitest';
import { withReportSettings } from '../../../src/cli/options/readBenchmark.ts';
import { sampleReport } from '../../operate/sampleReport.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const REFUSED = /its closes are from .*covers the run/s;

/** A run of so many days, with closes from so long after its start until so long before its end. */
function cover(days: number, { step, late, early }: Record<'step' | 'late' | 'early', number>) {
  const { startTime, ...sample } = sampleReport(100);
  const run = { ...sample, startTime, endTime: startTime + days * DAY_MS };
  const closes: [number, number][] = [];
  for (let time = startTime + late; time < run.endTime - early; time += step)
    closes.push([time, 1]);
  closes.push([run.endTime - early, 2]);
  return () => withReportSettings(run, { benchmark: { name: 'spx.csv', closes } }).benchmark?.name;
}

describe('closes must cover the run', () => {
  const day = { step: DAY_MS, late: 0, early: 0 };
  const hour = { ...day, step: HOUR_MS };

  test('to four days if they are days apart: a weekend has none', () => {
    expect(cover(20, { ...day, late: 4 * DAY_MS, early: 4 * DAY_MS })()).toBe('spx.csv');
    expect(cover(20, { ...day, late: -9 * DAY_MS, early: -9 * DAY_MS })()).toBe('spx.csv');
    expect(cover(20, { ...day, late: 4 * DAY_MS + 1 })).toThrow(REFUSED);
    expect(cover(20, { ...day, early: 4 * DAY_MS + 1 })).toThrow(REFUSED);
  });

  test('to one day if they are nearer', () => {
    expect(cover(20, { ...hour, late: DAY_MS, early: DAY_MS })()).toBe('spx.csv');
    expect(cover(20, { ...hour, late: DAY_MS + 1 })).toThrow(REFUSED);
    expect(cover(20, { ...hour, early: DAY_MS + 1 })).toThrow(REFUSED);
  });

  test('by their usual distance, whatever the first or the last one is', () => {
    for (const [usual, other] of [
      [DAY_MS, HOUR_MS],
      [HOUR_MS, 3 * DAY_MS],
    ] as const) {
      const { startTime, ...sample } = sampleReport(100);
      const run = { ...sample, startTime, endTime: startTime + 40 * DAY_MS };
      const shown = (steps: readonly number[]) => {
        // Four days at each end are without a close.
        const closes: [number, number][] = [[startTime + 4 * DAY_MS, 1]];
        for (const step of steps) closes.push([closes.at(-1)![0] + step, 1]);
        while (closes.at(-1)![0] + usual <= run.endTime - 4 * DAY_MS)
          closes.push([closes.at(-1)![0] + usual, 1]);
        if (closes.at(-1)![0] < run.endTime - 4 * DAY_MS)
          closes.push([run.endTime - 4 * DAY_MS, 1]);
        return () => withReportSettings(run, { benchmark: { name: 'spx.csv', closes } }).benchmark;
      };
      for (const steps of [[], [other], [other, other], [usual, other]]) {
        if (usual === DAY_MS) expect(shown(steps)()?.name).toBe('spx.csv');
        else expect(shown(steps)).toThrow(REFUSED);
      }
    }
  });

  test('with one at least within it', () => {
    const before = { ...day, late: -9 * DAY_MS, early: 1 + DAY_MS };
    expect(cover(1, { ...before, early: DAY_MS })).toThrow(/ \(UTC\), without any of them\.$/m);
    expect(cover(1, { ...before, early: DAY_MS - 1 })()).toBe('spx.csv');
    expect(cover(1, { ...day, late: DAY_MS + 1, early: -9 * DAY_MS })).toThrow(REFUSED);
    expect(cover(1, { ...day, late: DAY_MS, early: -9 * DAY_MS })()).toBe('spx.csv');
  });
});
