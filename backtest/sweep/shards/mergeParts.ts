import { isSameRow, type PointCells } from '../results/pointRow.ts';
import type { Results } from '../openResults.ts';
import { planDifference } from '../planDifference.ts';
import { PartRefusal, type Part } from './openPart.ts';

/** Jobs that are joined at once: ten MB with some years of daily returns. */
const BLOCK = 2_000;

/** @throws PartRefusal if the parts are not all of one sweep, with what differs */
export function requireOneSweep(parts: readonly Part[]): void {
  const [first] = parts;
  for (const part of parts) {
    if (part.id === first!.id) continue;
    const difference = planDifference(part.plan, first!.plan);
    throw new PartRefusal(
      `${part.path} does not belong to ${first!.path}: it holds results of ${difference}.\n` +
        '  Merge parts of one sweep: the same command with another --shard.',
    );
  }
}

/** Indexes of the jobs, from 0 to below a number, of which no part has a result. */
export function missingIn(parts: readonly Pick<Part, 'indexes'>[], jobs: number): number[] {
  const found = new Uint8Array(jobs);
  for (const part of parts) for (const index of part.indexes()) if (index < jobs) found[index] = 1;
  const missing: number[] = [];
  found.forEach((has, index) => {
    if (has === 0) missing.push(index);
  });
  return missing;
}

/**
 * Copies the results of all parts, ascending by job. Parts may overlap where they agree.
 *
 * @param jobs number of jobs, tests of a walk-forward included
 * @throws PartRefusal for a damaged part, or two that hold different results of one job
 */
export function mergeParts(
  parts: readonly Part[],
  results: Pick<Results, 'addRows'>,
  { jobs, onProgress }: { jobs: number; onProgress(done: number): void },
): void {
  for (let from = 0; from < jobs; from += BLOCK) {
    const until = Math.min(jobs, from + BLOCK);
    const block = joinBlock(parts, from, until);
    results.addRows(block.filter((cells) => cells !== undefined));
    onProgress(until);
  }
  const workers = parts.flatMap((part) => part.workers);
  results.addRows([], workers);
}

function joinBlock(
  parts: readonly Part[],
  from: number,
  until: number,
): (PointCells | undefined)[] {
  const block: (PointCells | undefined)[] = Array.from({ length: until - from });
  const owners: (Part | undefined)[] = Array.from({ length: until - from });
  for (const part of parts) {
    for (const cells of part.rows(from, until)) {
      const place = Number(cells[0]) - from;
      const other = block[place];
      if (other !== undefined && !isSameRow(other, cells)) {
        throw new PartRefusal(
          `${owners[place]!.path} and ${part.path} hold different results of point ${from + place + 1}: the same ` +
            'sweep computed two things.\n  Find what decides by chance or by the machine with trimtab check.',
        );
      }
      block[place] = cells;
      owners[place] = part;
    }
  }
  return block;
}
