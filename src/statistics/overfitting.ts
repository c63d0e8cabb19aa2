import { createSplitEvaluation, pairsOfHalves, type BlockSums } from './splitsOfBlocks.ts';

/** Result of the cross-validation of a choice among trials. */
export interface Overfitting {
  /** Probability that the best of one half is no better than the median in the other. */
  probability: number;
  /** Number of ways to halve the periods that were evaluated. */
  splits: number;
  /** Number of all ways; more than were evaluated if they were drawn from these. */
  possibleSplits: number;
  /** Of the probability, from the draw of splits; 0 if all were evaluated. */
  standardError: number;
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

/** Trials times splits that are evaluated at most: half a minute's work. More trials have fewer of the splits. */
const MOST_EVALUATIONS = 1_000_000_000;

export interface OverfittingOptions {
  /** Periods of each trial that count; later ones are left out. */
  periods: number;
  /** The most trials that will be added. */
  trials: number;
  /** S of the paper, even. */
  blocks?: number;
  /** Trials times splits at most; beyond it splits are drawn. */
  mostEvaluations?: number;
  /** Uniform in [0, 1), for the draw. */
  next: () => number;
}

/** Takes trials one by one, and keeps two numbers a block of each. */
export interface OverfittingTrials {
  /** @param changes of the trial in each period, as many as `periods` or more */
  add(changes: ArrayLike<number>): void;
  /** Null with fewer than two trials that move, or fewer than two periods per block. */
  result(): Overfitting | null;
}

/**
 * Probability of backtest overfitting by combinatorially symmetric cross-validation: Bailey, Borwein, López de
 * Prado and Zhu, "The Probability of Backtest Overfitting" (2015), with the Sharpe ratio as performance. Trials
 * that never move are excluded, and so are periods at the end that fill no block. If several trials tie for the
 * best, each is equally likely to be chosen, so that their order, which may depend on the whole sample, changes
 * nothing. With too many trials for every split, all trials are evaluated at splits drawn without repetition,
 * each with its mirror: fewer trials would be another question, since the best of fewer is less overfitted.
 */
export function createOverfitting(options: OverfittingOptions): OverfittingTrials {
  const { periods, trials, blocks = BLOCKS, mostEvaluations = MOST_EVALUATIONS, next } = options;
  const perBlock = Math.floor(periods / blocks);
  const isEnough = perBlock >= LEAST_A_BLOCK;
  const room = isEnough ? trials * blocks : 0;
  const sums: BlockSums = {
    blocks,
    perBlock,
    trials: 0,
    sum: new Float64Array(room),
    squares: new Float64Array(room),
  };
  return {
    add(changes) {
      if (isEnough && isMoving(changes, periods)) addTrial(sums, changes);
    },
    result: () => (isEnough && sums.trials >= 2 ? evaluate(sums, { mostEvaluations, next }) : null),
  };
}

function isMoving(changes: ArrayLike<number>, periods: number): boolean {
  for (let at = 1; at < periods; at++) if (changes[at] !== changes[0]) return true;
  return false;
}

function addTrial(sums: BlockSums, changes: ArrayLike<number>): void {
  const { blocks, perBlock, sum, squares } = sums;
  const start = sums.trials++ * blocks;
  for (let at = 0; at < blocks * perBlock; at++) {
    const block = start + Math.floor(at / perBlock);
    sum[block]! += changes[at]!;
    squares[block]! += changes[at]! ** 2;
  }
}

function evaluate(
  sums: BlockSums,
  { mostEvaluations, next }: { mostEvaluations: number; next: () => number },
): Overfitting {
  const all = pairsOfHalves(sums.blocks);
  const most = Math.max(1, Math.floor(mostEvaluations / sums.trials / 2));
  const pairs = all.length <= most ? all : drawn(all, most, next);
  const evaluateSplit = createSplitEvaluation(sums);
  const weights = new Map<number, number>();
  /** Share of each pair's two splits that failed. */
  const failures: number[] = [];
  for (const pair of pairs) {
    let failed = 0;
    for (const [rank, share] of evaluateSplit(pair)) {
      weights.set(rank, (weights.get(rank) ?? 0) + share);
      if (rank <= 0.5) failed += share / 2;
    }
    failures.push(failed);
  }
  const splits = pairs.length * 2;
  const ordered = [...weights].toSorted(([a], [b]) => a - b);
  const failed = ordered.reduce((sum, [rank, weight]) => (rank <= 0.5 ? sum + weight : sum), 0);
  return {
    probability: failed / splits,
    splits,
    possibleSplits: all.length * 2,
    standardError: standardErrorOf(failures, all.length),
    ranks: ordered.map(([rank, weight]) => [rank, weight / splits] as const),
  };
}

/** Floyd's algorithm, in the order of the list. */
function drawn<T>(all: readonly T[], count: number, next: () => number): T[] {
  const chosen = new Set<number>();
  for (let last = all.length - count; last < all.length; last++) {
    const candidate = Math.floor(next() * (last + 1));
    chosen.add(chosen.has(candidate) ? last : candidate);
  }
  return all.filter((_each, index) => chosen.has(index));
}

/** Of a mean of values drawn without repetition from so many. */
function standardErrorOf(values: readonly number[], population: number): number {
  const count = values.length;
  if (count === population || count < 2) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt((squares / (count - 1) / count) * (1 - count / population));
}
