import { relative } from 'node:path';
import { formatShard, runShard, type RunShard } from '../../../backtest/index.ts';
import { formatWhole } from '../../operate/index.ts';
import { requireComplete } from './showSweep.ts';

/**
 * Computes one shard of a sweep into its file. It is not ranked: the best of a share would look like the
 * best of all.
 *
 * @throws CommandFailure if it was stopped before its end
 */
export async function sweepShard(options: RunShard, file: string): Promise<void> {
  const { results, shard } = options;
  const { size, jobs, isComplete } = await runShard(options);
  const has = `${formatWhole(results.size)} of its ${formatWhole(size)} points`;
  const failed = [...results.faults()].length;
  const faults = failed === 0 ? '' : `, ${formatWhole(failed)} failed`;
  process.stdout.write(
    `shard ${formatShard(shard)} of ${formatWhole(jobs)} points: ${has}${faults}\n` +
      `results: ${relative(process.cwd(), file)}\n`,
  );
  // A shard whose points all failed may be one of several in which others ran.
  requireComplete(isComplete, true);
}
