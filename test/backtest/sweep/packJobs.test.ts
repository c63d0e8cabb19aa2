import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packJobs, unpackJob } from '../../../backtest/sweep/packJobs.ts';
import type { SweepJob } from '../../../backtest/sweep/SweepPlan.ts';

const PARAMS = [
  { name: 'a', values: ['1', '2', '3'] },
  { name: 'b', values: ['x', 'y'] },
  { name: 'c', values: ['3', '1'] },
];

/** What a job of a window and a part runs on: no two have the same. */
function frameOf(window: number | null, part: SweepJob['part']): Partial<SweepJob> {
  if (window === null) return { window, part: 'all', range: {} };
  const from = 100 * window + (part === 'test' ? 50 : 0);
  return { window, part, range: { from, until: from + 50 } };
}

const job = fc
  .record({
    index: fc.nat(1_000_000),
    values: fc.tuple(...PARAMS.map(({ values }) => fc.constantFrom(...values))),
    window: fc.option(fc.nat(3)),
    part: fc.constantFrom('train', 'test'),
  })
  .map(({ window, part, ...rest }) => ({
    ...rest,
    ...frameOf(window, part as SweepJob['part']),
  })) as unknown as fc.Arbitrary<SweepJob>;

test('jobs come out of the shared memory as they went in, each with its own window and part', () => {
  fc.assert(
    fc.property(fc.array(job, { maxLength: 12 }), (jobs) => {
      const packed = packJobs(PARAMS as never, jobs);
      expect(packed.length).toBe(jobs.length);
      for (const [position, one] of jobs.entries())
        expect(unpackJob(PARAMS as never, packed, position)).toEqual(one);
      for (const beyond of [-1, jobs.length, jobs.length + 1])
        expect(unpackJob(PARAMS as never, packed, beyond)).toBeUndefined();
    }),
  );
});
