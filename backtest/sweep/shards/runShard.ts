import type { MarketData } from '../../../src/paper/index.ts';
import { firstJobs } from '../jobsOf.ts';
import { createJobRunner, type RunMissing } from '../runJobs.ts';
import type { SweepJob, SweepPlan } from '../SweepPlan.ts';
import { tradableSpan } from '../tradableSpan.ts';
import { shardOfJob, sizeOfShard, type Shard } from './Shard.ts';

export interface RunShard extends RunMissing {
  plan: SweepPlan;
  data: MarketData;
  /** Bars of warm-up before anything can be traded. */
  warmup: number;
  shard: Shard;
}

export interface ShardOutcome {
  /** Number of jobs of the shard, and of the sweep without the tests of a walk-forward. */
  size: number;
  jobs: number;
  isComplete: boolean;
}

/** Runs the jobs of one shard that its results file lacks; what follows from all shards is left to the merge. */
export async function runShard(options: RunShard): Promise<ShardOutcome> {
  const { plan, shard } = options;
  const jobs = firstJobs(plan, tradableSpan(plan, options.data, options.warmup));
  const size = sizeOfShard(shard, jobs.length);
  const runner = createJobRunner(options, size);
  const own = { [Symbol.iterator]: () => jobsOfShard(jobs, shard) };
  await runner.run(own);
  return { size, jobs: jobs.length, isComplete: runner.isDone(own) };
}

function* jobsOfShard(jobs: Iterable<SweepJob>, { number, count }: Shard): Generator<SweepJob> {
  for (const job of jobs) if (shardOfJob(job.index, count) === number) yield job;
}
