import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROOFS } from './clauseProofs.ts';
import { createProofYard, type ProofYard } from './createProofYard.ts';
import { rotated } from './tiers.ts';

const played = rotated(PROOFS, 3);
const SLOW = 300_000;

let yard: ProofYard;
beforeAll(async () => {
  yard = await createProofYard();
});
afterAll(() => yard.close());

test(
  'the tests pass where nothing is broken',
  async () => {
    expect(await yard.passes(played)).toBe(true);
  },
  SLOW,
);

test.each(played)(
  '$id $side: $test is red where $file breaks it',
  async (proof) => {
    expect(await yard.failsBroken(proof)).toBe(true);
  },
  SLOW,
);
