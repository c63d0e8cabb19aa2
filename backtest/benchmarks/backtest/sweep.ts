import { availableParallelism } from 'node:os';
import {
  configHashOf,
  createThreadEngine,
  firstJobs,
  isRun,
  parseParamRange,
  type ParamRange,
  type SweepPlan,
} from '../../index.ts';
import { tapeOf } from '../../../src/paper/index.ts';
import { compare, type ComparisonResult, type Contender } from '../harness.ts';
import { CONFIG, loadCross } from './smaCross.ts';

const BARS = 50_000;
/** 10 × 100 points. */
const RANGES = ['fast=5..50:5', 'slow=51..150'];
/** Threads share bars and work: a core more is worth almost a core. */
const NEAR_IDEAL = 0.95;

/** A sweep of 1,000 backtests on one thread and on all cores of the machine: points a second by the clock. */
export async function benchSweep(): Promise<ComparisonResult[]> {
  const { data } = await loadCross('fusedCross.ts', BARS);
  const plan: SweepPlan = {
    config: CONFIG,
    configHash: await configHashOf(CONFIG),
    sources: [],
    feeds: [],
    set: [],
    seed: null,
    params: RANGES.map(rangeOf),
    random: null,
    range: {},
    walk: null,
    objective: 'sharpe',
    tape: tapeOf(data),
  };
  const jobs = firstJobs(plan, { from: 0, until: Number.MAX_SAFE_INTEGER });

  async function sweep(threads: number): Promise<void> {
    const seen = new Set<number>();
    const engine = createThreadEngine(plan, { data, threads });
    await engine.run({
      jobs,
      onResult(result) {
        if (!isRun(result)) throw new Error(`Point ${result.index}: ${result.fault}`);
        seen.add(result.index);
      },
      isStopped: () => false,
    });
    await engine.close();
    if (seen.size !== jobs.length) throw new Error(`${seen.size} of ${jobs.length} points ran.`);
  }

  const on = (threads: number): Contender => ({
    name: threads === 1 ? '1 thread' : `${threads} threads`,
    ...(threads === 1 ? {} : { goal: threads * NEAR_IDEAL }),
    async run() {
      const start = process.hrtime.bigint();
      await sweep(threads);
      return { 'points/s': (jobs.length * 1e9) / Number(process.hrtime.bigint() - start) };
    },
  });
  // Minutes a contender, and each thread warms up within the first of its points.
  const name = `backtest/sweep: ${jobs.length.toLocaleString('en-US')} points, ${BARS.toLocaleString('en-US')} bars`;
  return compare({ name, contenders: [on(1), on(availableParallelism())], rounds: 1, warmUps: 0 });
}

function rangeOf(text: string): ParamRange {
  const read = parseParamRange(text);
  if (!read.ok) throw new Error(read.reason);
  return read.range;
}
