import fc from 'fast-check';
import { test } from 'vitest';
import { createGuards, type GuardSnapshot } from '../../src/guards/index.ts';
import { intent, limits, snapshot } from '../guards/guardCases.ts';
import { lineOf } from './answerLine.ts';
import { expectRecorded } from './expectRecorded.ts';

const CASES = 9_000;
const SEED = 20_260_105;

/** Prices that are no round numbers, so that messages round. */
const uneven = (view: GuardSnapshot): GuardSnapshot => ({
  ...view,
  market(symbol) {
    const seen = view.market(symbol);
    return seen && { ...seen, price: seen.price * 1.013_57 };
  },
});

// Each verdict with its reason, limit and value, and which guards had passed by then.
test('guards say of drawn intents what they said before', async () => {
  const all = fc.sample(fc.tuple(limits, intent, snapshot), { numRuns: CASES, seed: SEED });
  const sections = new Map<string, string[]>();
  for (const [at, [set, one, view]] of all.entries()) {
    const verdict = createGuards(set)(one, at % 2 === 0 ? view : uneven(view));
    const section = verdict.passed ? 'passed' : verdict.guard;
    const lines = sections.get(section) ?? [];
    sections.set(section, lines);
    lines.push(`${at} ${lineOf(verdict)}`);
  }
  const outcomes = [...sections].toSorted(([a], [b]) => (a < b ? -1 : 1));
  await expectRecorded('guards', new Map([['drawn', new Map(outcomes)]]));
}, 120_000);
