import { createOverfitting, type Overfitting } from '../../src/statistics/index.ts';

/**
 * Of trials that are in memory, over every split.
 *
 * @param trials each trial's change in each period; all of the same length
 * @param blocks default: that of a sweep
 */
export function overfitting(
  trials: readonly (readonly number[])[],
  blocks?: number,
): Overfitting | null {
  const periods = trials[0]?.length ?? 0;
  const all = createOverfitting({
    periods,
    trials: trials.length,
    ...(blocks === undefined ? {} : { blocks }),
    mostEvaluations: Infinity,
    next: () => 0,
  });
  for (const changes of trials) all.add(changes);
  return all.result();
}
