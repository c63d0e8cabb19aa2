/** A part of a sweep's points: `3/16` is the third of sixteen. */
export interface Shard {
  /** From 1. */
  number: number;
  count: number;
}

export type ShardResult = { ok: true; shard: Shard } | { ok: false; reason: string };

/** More shards than points that a sweep takes would be empty ones. */
const MOST_SHARDS = 100_000;

/** Reads `3/16`. Numbers start at 1: of indexes that start at 0, as in Kubernetes, 1 is added. */
export function parseShard(text: string): ShardResult {
  const [, first, second] = /^(\d{1,9})\/(\d{1,9})$/.exec(text.trim()) ?? [];
  if (first === undefined) return { ok: false, reason: 'It is not NUMBER/COUNT, such as 3/16' };
  const [number, count] = [Number(first), Number(second)];
  if (count < 1 || count > MOST_SHARDS) {
    return { ok: false, reason: `Its count is ${count}, and 1 to ${MOST_SHARDS} are possible` };
  }
  if (number < 1 || number > count) {
    return { ok: false, reason: `Its number is ${number}; they go from 1 to ${count}` };
  }
  return { ok: true, shard: { number, count } };
}

export const formatShard = ({ number, count }: Shard): string => `${number}/${count}`;

/** Fractional part of the golden ratio, the number that fractions approximate worst. */
const GOLDEN = 0.6180339887498949;

/**
 * The number of the shard that computes a job, from 1. Each run of `count` jobs gives every shard one, so that
 * sizes differ by one at most. The runs are dealt from another shard each time, by steps of the golden ratio:
 * dealt from the same one, a grid whose last parameter has `count` values, or a multiple, would give one shard
 * the cheap ones and another the expensive ones.
 */
export function shardOfJob(index: number, count: number): number {
  const run = Math.floor(index / count);
  const first = Math.floor(((run * GOLDEN) % 1) * count);
  return ((index + first) % count) + 1;
}

/** Number of jobs of a shard. */
export function sizeOfShard({ number, count }: Shard, jobs: number): number {
  const whole = Math.floor(jobs / count);
  let size = whole;
  for (let index = whole * count; index < jobs; index++) {
    if (shardOfJob(index, count) === number) size++;
  }
  return size;
}
