/** Result of the cross-validation of a choice among trials. */
export interface Overfitting {
  /** Probability that the best of one half is no better than the median in the other. */
  probability: number;
  /** Number of ways to halve the periods that were evaluated. */
  splits: number;
  /**
   * How often the best of one half had each relative rank in the other, above 0 and below 1, ascending: the shares
   * add up to 1. The paper's logit of a rank is ln(rank / (1 − rank)).
   */
  ranks: readonly (readonly [rank: number, share: number])[];
}

/** S of the paper, and the minimum number of periods per block. */
const [BLOCKS, LEAST_A_BLOCK] = [16, 2];

/** Fewer periods allow no conclusion about a choice. */
export const LEAST_PERIODS = BLOCKS * LEAST_A_BLOCK;

/** Variances below this share of the mean square are float residue of a difference of two sums. */
const NOISE = 1e-12;

/** Sums over a block of periods, from which the ratio over any choice of blocks follows. */
interface BlockSums {
  sum: Float64Array;
  squares: Float64Array;
}

/**
 * Probability of backtest overfitting by combinatorially symmetric cross-validation: Bailey, Borwein, López de
 * Prado and Zhu, "The Probability of Backtest Overfitting" (2015), with the Sharpe ratio as performance. Trials
 * that never move are excluded, and so are periods at the end that fill no block. If several trials tie for the
 * best, each is equally likely to be chosen, so that their order, which may depend on the whole sample, changes
 * nothing. Null with fewer than two that move, or fewer than two periods per block.
 *
 * @param trials each trial's change in each period; all of the same length
 * @param blocks S of the paper, even
 */
export function overfitting(
  trials: readonly (readonly number[])[],
  blocks = BLOCKS,
): Overfitting | null {
  const moving = trials.filter((changes) => changes.some((change) => change !== changes[0]));
  const perBlock = Math.floor((moving[0]?.length ?? 0) / blocks);
  if (moving.length < 2 || perBlock < LEAST_A_BLOCK) return null;
  const sums = moving.map((changes) => sumsOf(changes, blocks, perBlock));
  const half = (blocks / 2) * perBlock;
  let splits = 0;
  const weights = new Map<number, number>();
  for (const chosen of halvings(blocks)) {
    const inside = sums.map((each) => sharpeOver(each, chosen, half));
    const rest = Array.from({ length: blocks }, (_none, block) => block).filter(
      (block) => !chosen.includes(block),
    );
    const outside = sums.map((each) => sharpeOver(each, rest, half));
    for (const [rank, share] of ranksOfBest(inside, outside))
      weights.set(rank, (weights.get(rank) ?? 0) + share);
    splits++;
  }
  const ordered = [...weights].toSorted(([a], [b]) => a - b);
  const failed = ordered.reduce((sum, [rank, weight]) => (rank <= 0.5 ? sum + weight : sum), 0);
  const ranks = ordered.map(([rank, weight]) => [rank, weight / splits] as const);
  return { probability: failed / splits, splits, ranks };
}

/** Relative rank out of sample of the best in sample: one trial, or several that tie, each with its share. */
function ranksOfBest(inside: readonly number[], outside: readonly number[]): Map<number, number> {
  const most = inside.reduce((best, value) => Math.max(best, value));
  const tied = outside.filter((_value, trial) => inside[trial] === most);
  // Trials that tie in sample are mostly identical; their common rank is computed once.
  const ranks = new Map<number, number>();
  for (const [own, count] of countsOf(tied)) {
    const rank = relativeRank(outside, own);
    ranks.set(rank, (ranks.get(rank) ?? 0) + count / tied.length);
  }
  return ranks;
}

function countsOf(values: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function sumsOf(changes: readonly number[], blocks: number, perBlock: number): BlockSums {
  const [sum, squares] = [new Float64Array(blocks), new Float64Array(blocks)];
  for (let at = 0; at < blocks * perBlock; at++) {
    const block = Math.floor(at / perBlock);
    sum[block]! += changes[at]!;
    squares[block]! += changes[at]! ** 2;
  }
  return { sum, squares };
}

/** A trial that was flat in these blocks, or moved evenly, is no better and no worse than chance. */
function sharpeOver({ sum, squares }: BlockSums, blocks: readonly number[], count: number): number {
  let [total, square] = [0, 0];
  for (const block of blocks) {
    total += sum[block]!;
    square += squares[block]!;
  }
  const mean = total / count;
  const variance = square / count - mean ** 2;
  return variance > NOISE * (square / count) ? mean / Math.sqrt(variance) : 0;
}

/** Rank from below over count + 1, ties in the middle. */
function relativeRank(values: readonly number[], own: number): number {
  const below = values.filter((value) => value < own).length;
  const ties = values.filter((value) => value === own).length;
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
