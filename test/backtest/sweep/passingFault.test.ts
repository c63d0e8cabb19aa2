import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  createThreadEngine,
  firstJobs,
  tradableSpan,
  type PointResult,
} from '../../../backtest/index.ts';
import { createPointThreads } from '../../../backtest/sweep/createPointThreads.ts';
import { runPoint } from '../../../backtest/sweep/runPoint.ts';
import { collectResults } from '../../../backtest/sweep/workers/collectResults.ts';
import { planSweep } from '../../../src/cli/sweep/planSweep.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { root } from '../../sourceFiles.ts';
import { createFakeQueue } from './createFakeQueue.ts';
import { bot, directory, useSweepFolder } from './sweepFolder.ts';

useSweepFolder();

async function openSweep(values: string) {
  const [stock, plant] = ['strategies/breakout.ts', 'test/backtest/plants/lacks.ts'];
  const file = join(directory, 'lacks.yaml');
  await writeFile(file, bot().replace(join(root, stock), join(root, plant)));
  const { plan, text, tape } = await planSweep(file, {
    param: [`what=${values}`],
    feed: [],
    set: [],
  });
  const jobs = [...firstJobs(plan, tradableSpan(plan, tape.data, tape.paper.warmup))];
  return { bench: { plan, text, data: tape.data }, jobs };
}
const never = () => false;

test('a point for which the machine lacks files has no result', async () => {
  const words = 'EMFILE: too many open files';
  const { bench, jobs } = await openSweep('nothing,files');
  const done: PointResult[] = [];
  const engine = createThreadEngine(bench, { threads: 1 });
  const running = engine.run({ jobs, onResult: (each) => done.push(each), isStopped: never });
  await expect(running).rejects.toThrow(words);
  await expect(running).rejects.toThrow('the same command resumes');
  expect(done.map(({ index }) => index)).toEqual([0]);

  const threads = createPointThreads(bench);
  await expect(threads.run(jobs[1]!)).rejects.toThrow(words);
  expect((await threads.run(jobs[0]!)).result).toMatchObject({ index: 0, figures: {} });
  await threads.close();
});

test('a fault that comes again is the result of its point', async () => {
  const { bench, jobs } = await openSweep('name,nothing');
  const result = await runPoint(bench, jobs[0]!);
  expect(result).toEqual({ index: 0, fault: expect.stringContaining('ENOENT: no such file') });
});

test('a point that failed three times on workers is stored for any reason, and the sweep goes on', async () => {
  const { bench, jobs } = await openSweep('nothing,name');
  const { queue, stored } = createFakeQueue();
  stored.push(await runPoint(bench, jobs[0]!));
  const reason = 'ENOSPC: no space left on device, write';
  queue.failed = () => Promise.resolve([{ jobs: [jobs[1]!], reason }]);
  const done: PointResult[] = [];
  await collectResults({
    jobs,
    id: 'one',
    queue,
    env: createLiveEnv(),
    onResult: (each) => done.push(each),
    isStopped: never,
  });
  expect(done).toMatchObject([{ index: 0 }, { index: 1, fault: `3 attempts failed: ${reason}` }]);
});
