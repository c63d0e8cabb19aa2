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
import { planSweep } from '../../../src/cli/planSweep.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { root } from '../../sourceFiles.ts';
import { createFakeQueue } from './createFakeQueue.ts';
import { bot, directory } from './sweepFolder.ts';

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

test.each([
  ['files', 'EMFILE: too many open files'],
  ['memory', 'Array buffer allocation failed'],
])('a point for which the machine lacks %s has no result', async (what, words) => {
  const { bench, jobs } = await openSweep(`nothing,${what}`);
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

test.each([
  ['ENOSPC: no space left on device, write', false],
  ['The thread ended with code 1.', true],
])('workers that gave a point up for %s: stored %s', async (reason, isStored) => {
  const { bench, jobs } = await openSweep('nothing,name');
  const { queue, stored } = createFakeQueue();
  stored.push(await runPoint(bench, jobs[0]!));
  queue.failed = () => Promise.resolve([{ jobs: [jobs[1]!], reason }]);
  const done: PointResult[] = [];
  const collected = collectResults({
    jobs,
    id: 'one',
    queue,
    env: createLiveEnv(),
    onResult: (each) => done.push(each),
    isStopped: never,
  });
  if (isStored) await collected;
  else await expect(collected).rejects.toThrow(/ENOSPC.*\n.*the same command resumes/);
  expect(done.map(({ index }) => index)).toEqual(isStored ? [0, 1] : [0]);
});
