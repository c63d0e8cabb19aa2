/** Sums of each trial over each block of periods: trial by trial, block by block. */
export interface BlockSums {
  blocks: number;
  /** Periods of a block. */
  perBlock: number;
  trials: number;
  sum: Float64Array;
  squares: Float64Array;
}

/** Half of the blocks and the others: two splits, one the mirror of the other. */
export type PairOfHalves = readonly [readonly number[], readonly number[]];

/** Variances below this share of the mean square are float residue of a difference of two sums. */
const NOISE = 1e-12;

/** Every way to halve the blocks, with its mirror. */
export function pairsOfHalves(blocks: number): PairOfHalves[] {
  const pairs: PairOfHalves[] = [];
  for (const half of halvings(blocks)) {
    // The halves without the first block are the mirrors of those with it.
    if (half[0] !== 0) break;
    const rest = Array.from({ length: blocks }, (_none, block) => block);
    pairs.push([half, rest.filter((block) => !half.includes(block))]);
  }
  return pairs;
}

/** Evaluates pairs one after another, in the same memory: of a million trials each takes 16 MB. */
export function createSplitEvaluation(
  sums: BlockSums,
): (pair: PairOfHalves) => Generator<readonly [rank: number, share: number]> {
  const [a, b] = [new Float64Array(sums.trials), new Float64Array(sums.trials)];
  /** The relative ranks of the best of each half in the other one, each with its share; the shares add up to 2. */
  return function* evaluateSplit([first, second]) {
    fillSharpes(a, sums, first);
    fillSharpes(b, sums, second);
    yield* ranksOfBest(a, b);
    yield* ranksOfBest(b, a);
  };
}

/** A trial that was flat in these blocks, or moved evenly, is no better and no worse than chance. */
function fillSharpes(sharpes: Float64Array, sums: BlockSums, chosen: readonly number[]): void {
  const { blocks, perBlock, trials, sum, squares } = sums;
  const count = chosen.length * perBlock;
  for (let trial = 0; trial < trials; trial++) {
    const start = trial * blocks;
    let [total, square] = [0, 0];
    for (let at = 0; at < chosen.length; at++) {
      total += sum[start + chosen[at]!]!;
      square += squares[start + chosen[at]!]!;
    }
    const mean = total / count;
    const variance = square / count - mean ** 2;
    sharpes[trial] = variance > NOISE * (square / count) ? mean / Math.sqrt(variance) : 0;
  }
}

/** Relative rank out of sample of the best in sample: one trial, or several that tie, each with its share. */
function ranksOfBest(inside: Float64Array, outside: Float64Array): Map<number, number> {
  let most = -Infinity;
  for (const value of inside) most = Math.max(most, value);
  const counts = new Map<number, number>();
  let tied = 0;
  for (let trial = 0; trial < inside.length; trial++) {
    if (inside[trial] !== most) continue;
    const own = outside[trial]!;
    counts.set(own, (counts.get(own) ?? 0) + 1);
    tied++;
  }
  // Trials that tie in sample are mostly identical; their common rank is computed once.
  const ranks = new Map<number, number>();
  for (const [own, count] of counts) {
    const rank = relativeRank(outside, own);
    ranks.set(rank, (ranks.get(rank) ?? 0) + count / tied);
  }
  return ranks;
}

/** Rank from below over count + 1, ties in the middle. */
function relativeRank(values: Float64Array, own: number): number {
  let [below, ties] = [0, 0];
  for (const value of values) {
    if (value < own) below++;
    else if (value === own) ties++;
  }
  return (below + (ties + 1) / 2) / (values.length + 1);
}

/** All choices of half of the blocks. */
function* halvings(blocks: number): Generator<number[]> {
  const chosen = Array.from({ length: blocks / 2 }, (_none, at) => at);
  for (;;) {
    yield [...chosen];
    let at = chosen.length - 1;
    while (at >= 0 && chosen[at] === blocks - chosen.length + at) at--;
    if (at < 0) return;
    chosen[at]!++;
    for (let next = at + 1; next < chosen.length; next++) chosen[next] = chosen[next - 1]! + 1;
  }
}
