import { afterAll, beforeAll, expect, test } from 'vitest';
import { runConformance, type ClauseId } from '../../src/conformance/index.ts';
import { defaultDialect } from '../../src/contract/index.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import { createMutantYard, type MutantYard } from './createMutantYard.ts';
import { MUTATIONS, type Mutation } from './mutations.ts';

let yard: MutantYard;
beforeAll(async () => {
  yard = await createMutantYard();
});
afterAll(() => yard.close());

/** The clauses that differ at a service with this rule broken. */
async function redClauses(
  mutation: Mutation | null,
  only: readonly ClauseId[],
): Promise<ClauseId[]> {
  const mutant = await yard.start(mutation);
  try {
    const { clauses } = await runConformance({
      ...mutant,
      only,
      dialect: defaultDialect,
      env: createLiveEnv(),
    });
    return clauses.filter(({ result }) => result === 'differs').map(({ id }) => id);
  } finally {
    await mutant.stop();
  }
}

test('an unbroken copy fails none of the clauses that the broken ones fail', async () => {
  const all = [...new Set(MUTATIONS.flatMap(({ clauses }) => clauses))];
  expect(await redClauses(null, all)).toEqual([]);
});

test.each(MUTATIONS)('$clauses: red where $name', async (mutation) => {
  expect(await redClauses(mutation, mutation.clauses)).toEqual(
    expect.arrayContaining([...mutation.clauses]),
  );
});
