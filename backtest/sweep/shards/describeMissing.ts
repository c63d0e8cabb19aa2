import { formatWhole } from '../../../src/operate/index.ts';
import type { Part } from './openPart.ts';
import { formatShard, shardOfJob, type Shard } from './Shard.ts';

/** Shards or points that are listed one by one. */
const MOST_NAMED = 8;

/**
 * What is missing of a sweep and how to get it: by shards if all parts are of one division, else by points.
 *
 * @param missing indexes of jobs, ascending, at least one
 * @param jobs number of jobs of the sweep
 */
export function describeMissing(
  missing: readonly number[],
  { parts, jobs }: { parts: readonly Pick<Part, 'path' | 'shard'>[]; jobs: number },
): string {
  const points = `${formatWhole(missing.length)} of ${formatWhole(jobs)} points`;
  const verb = missing.length === 1 ? 'is' : 'are';
  const count = divisionOf(parts);
  const head = `${points} ${verb} missing`;
  if (count === null) {
    return `${head}: ${listed(missing.map((index) => String(index + 1)))}.\n  Compute them with the same command and --shard, and merge again.`;
  }
  const numbers = [...new Set(missing.map((index) => shardOfJob(index, count)))].sort(
    (a, b) => a - b,
  );
  const found = (shard: Shard): string | undefined =>
    parts.find((part) => part.shard?.number === shard.number)?.path;
  const names = numbers.map((number) => {
    const shard = { number, count };
    const path = found(shard);
    const rest = missing.filter((index) => shardOfJob(index, count) === number).length;
    return path === undefined
      ? `shard ${formatShard(shard)}, of which there is no file`
      : `${formatWhole(rest)} of shard ${formatShard(shard)}, which ${path} has not completed`;
  });
  const first = formatShard({ number: numbers[0]!, count });
  return `${head}: ${listed(names)}.\n  Run the same command again with --shard ${first}${numbers.length > 1 ? ', and so on' : ''}, then merge.`;
}

/** Number of shards, if every part is a shard of one division. */
function divisionOf(parts: readonly Pick<Part, 'shard'>[]): number | null {
  const counts = new Set(parts.map(({ shard }) => shard?.count ?? null));
  return counts.size === 1 ? [...counts][0]! : null;
}

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return more > 0
    ? `${names.slice(0, MOST_NAMED).join('; ')}; and ${formatWhole(more)} more`
    : names.join('; ');
}
