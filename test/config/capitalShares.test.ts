import fc from 'fast-check';
import { expect, test } from 'vitest';
import { capitalShares, shareFindings } from '../../src/config/capitalShares.ts';
import { holdLaw, Tried } from '../holdLaw.ts';
import { isFull } from '../tiers.ts';

const strategy = fc.record(
  {
    wallet: fc.constantFrom(undefined, 'main', 'side'),
    // Tenths, whose sums miss by a little.
    capital_share: fc.constantFrom(undefined, undefined, 0.1, 0.2, 0.3, 0.7, 1),
  },
  { requiredKeys: [] },
);

test('the strategies of a wallet share it: what is given, and equal parts of what is left', async () => {
  const tried = new Tried();
  await holdLaw(300, fc.array(strategy, { minLength: 1, maxLength: 5 }), (strategies) => {
    const shares = capitalShares(strategies);
    const refused = shareFindings(strategies).map(({ path }) => path[1]);
    for (const wallet of ['main', 'side']) {
      const own = [...strategies.entries()].filter(([, one]) => (one.wallet ?? 'main') === wallet);
      const silent = own.filter(([, one]) => one.capital_share === undefined);
      let sum = 0;
      for (const [at, { capital_share: share }] of own) {
        if (share === undefined) continue;
        sum += Math.round(share * 10);
        expect(shares[at]).toBe(share);
        // Whoever takes more than is there is refused, and those behind it.
        expect(refused.includes(at)).toBe(sum > 10);
      }
      for (const [at] of silent) {
        expect(shares[at]).toBeCloseTo(Math.max(0, 10 - sum) / 10 / silent.length, 9);
        expect(refused.includes(at)).toBe(sum >= 10);
      }
      if (sum === 10) tried.take('just all');
      if (sum > 10) tried.take('too much');
      if (silent.length > 1 && sum < 10) tried.take('equal parts');
    }
  });
  if (isFull) expect(tried.rare(['just all', 'too much', 'equal parts'], 5)).toEqual([]);
});

test('shares whose doubles add up to a hair more than 1 are all of the wallet', () => {
  const shares = [0.2, 0.4, 0.3, 0.1];
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeGreaterThan(1);
  expect(shareFindings(shares.map((capital_share) => ({ capital_share })))).toEqual([]);
  expect(shareFindings([0.5, 0.500001].map((capital_share) => ({ capital_share })))).toHaveLength(
    1,
  );
});
