import { reasonOf } from '../../env/index.ts';

/**
 * Takes every step, in order, whatever became of the ones before it: what can't be ended must not keep the next
 * resource open.
 *
 * @throws what a step threw; of several, one error with all messages in order
 */
export async function endAll(steps: ReadonlyArray<() => void | Promise<void>>): Promise<void> {
  const thrown: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      thrown.push(error);
    }
  }
  const [first] = thrown;
  if (thrown.length === 1) throw first;
  if (thrown.length > 1) {
    throw new AggregateError(thrown, inTurn(thrown.map(reasonOf)), { cause: first });
  }
}

/** What failed, and what failed after it, for display; what is the same is said once. */
export const inTurn = (reasons: readonly string[]): string =>
  [...new Set(reasons)].join('\n  And then: ');
