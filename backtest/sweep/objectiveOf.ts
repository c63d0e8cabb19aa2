import type { Objective } from '../../src/config/index.ts';
import { FEWEST_RETURNS } from '../../src/operate/report/index.ts';
import { isRun, type PointFigures, type PointRun } from './PointResult.ts';
import { hasRun, type PointOutline, type SweepResults } from './results/SweepResults.ts';

/** Why an objective has no upper bound, by its name; the P&L always is a number. */
export const BOUNDLESS: Readonly<Record<Exclude<Objective, 'pnl'>, string>> = {
  sharpe: 'the same gain on every day',
  sortino: 'no losing day',
  calmar: 'no drawdown of its days',
  profit_factor: 'no losing trade',
};

export const isBoundless = (name: string): name is keyof typeof BOUNDLESS => name in BOUNDLESS;

/**
 * A point's figure for a ranking. It is infinite where it has no divisor because nothing was lost, and something
 * gained; null where there is nothing to judge: no gain, too few days, equity that was lost. Stored figures have null
 * for both, and the P&L and returns beside them tell these apart. Trades that are closed, and whole days, leave out a
 * position that is still open: it is the P&L that says whether something was gained.
 */
export function objectiveOf(
  name: Objective,
  outline: Extract<PointOutline, { days: number }>,
  results: Pick<SweepResults, 'get'>,
): number | null {
  const { figures, days, index } = outline;
  const value = figures[name];
  // A file's NaN is null; one in memory may be either.
  if (value !== null && value !== undefined && !Number.isNaN(value)) return value;
  if (figures.pnl <= 0) return null;
  if (name === 'profit_factor') return (figures.win_rate ?? 0) > 0 ? Infinity : null;
  if (name === 'pnl' || days < FEWEST_RETURNS || figures.fills === 0) return null;
  const run = results.get(index);
  return run !== undefined && isRun(run) && isSpotless(run) ? Infinity : null;
}

/** The same of a result that is at hand. */
export const objectiveOfRun = (name: Objective, run: PointRun): number | null =>
  objectiveOf(
    name,
    { index: run.index, figures: run.figures, days: run.returns.length },
    { get: () => run },
  );

/** A ratio that is no number, of a run that gained: it has no divisor, or it is larger than any number. */
function isSpotless({ figures, returns }: PointRun): boolean {
  // A day that began without equity has no return, and is stored as one of zero.
  if (figures.max_drawdown_share >= 1) return false;
  return returns.reduce((product, value) => product * (1 + value), 1) > 1;
}

/** The figures of a point as tables for other programs have them: objectives without an upper bound are infinite. */
export function shownFigures(
  outline: PointOutline,
  results: Pick<SweepResults, 'get'>,
): PointFigures | null {
  if (!hasRun(outline)) return null;
  const of = (name: Objective): number | null => objectiveOf(name, outline, results);
  return {
    ...outline.figures,
    sharpe: of('sharpe'),
    sortino: of('sortino'),
    calmar: of('calmar'),
    profit_factor: of('profit_factor'),
  };
}
