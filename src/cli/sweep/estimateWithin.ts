import {
  createThreadEngine,
  estimateSweep,
  firstJobs,
  sampleOf,
  shardsWithin,
  shareMarketData,
  startOf,
  tradableSpan,
  type PointCost,
} from '../../../backtest/index.ts';
import { counted } from '../../env/index.ts';
import { formatCount, formatDuration, formatWhole } from '../../operate/index.ts';
import { CommandFailure } from '../failures/CommandFailure.ts';
import { createCliEnv } from '../process/createCliEnv.ts';
import { planSweep, type SweepFlags } from './planSweep.ts';
import { INTERRUPTED, stopOnSignals } from '../process/stopOnSignals.ts';
import { measuredText, memoryText } from './sweepEstimate.ts';

/**
 * `trimtab sweep --within`: measures some points, and says how long the sweep takes here and how many shards a
 * deadline needs. Nothing is written.
 *
 * @param flags.within milliseconds
 */
export async function estimateWithin(
  path: string,
  flags: SweepFlags & { within: number; threads: number },
): Promise<void> {
  const { threads, within: withinMs } = flags;
  const { clock } = createCliEnv('warn', true);
  const stop = stopOnSignals();
  const began = clock.monotonicNow();
  const { plan, text, tape } = await planSweep(path, flags);
  const jobs = firstJobs(plan, tradableSpan(plan, tape.data, tape.paper.warmup));
  const data = shareMarketData(tape.data);
  const engine = createThreadEngine({ plan, text, data }, { threads, clock });
  const loadMs = clock.monotonicNow() - began;
  const costs: PointCost[] = [];
  const sample = sampleOf(jobs);
  await engine.run({
    jobs: sample,
    onResult: (_result, cost) => void (cost !== undefined && costs.push(cost)),
    isStopped: () => stop.isStopped(),
  });
  if (costs.length === 0 || stop.isStopped()) {
    const message = 'Stopped before anything was measured.\n  Run it again.';
    throw new CommandFailure('TRIMTAB_INTERRUPTED', message, INTERRUPTED);
  }
  const wholeMs = clock.monotonicNow() - began - loadMs;
  const estimate = estimateSweep(costs, { points: jobs.length, threads });
  const startMs = startOf(costs, { loadMs, wholeMs, threads });
  const shards = shardsWithin(estimate, { withinMs, startMs });
  const deadline = formatDuration(withinMs);
  const machine = `machines like this one, with ${counted(threads, 'thread')} each`;
  const lines = [
    `points: ${formatWhole(jobs.length)} (${measuredText(estimate)})`,
    `here: ${formatDuration(startMs + estimate.totalMs)} on ${counted(threads, 'thread')}, ${memoryText()}`,
    shards === null
      ? `within ${deadline}: not possible: one point takes ${formatDuration(estimate.longestMs)}, and a start ${formatDuration(startMs)}`
      : `within ${deadline}: ${formatCount(shards, 'shard')}, on as many ${machine}: --shard 1/${shards} and so on`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
