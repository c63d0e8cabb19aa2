import { expect, test } from 'vitest';
import { createBudget } from '../../../src/budget/index.ts';
import { defaultDialect } from '../../../src/contract/index.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { catchUpFills } from '../../../src/runtime/wallet/catchUpFills.ts';
import { fill } from '../../streams/records.ts';

/** In the order in which they were made; several of one order in one instant. */
const MADE = [
  { ...fill('f1'), time: 1_000 },
  { ...fill('f2'), time: 2_000 },
  { ...fill('f3'), time: 2_000 },
  { ...fill('f4'), time: 3_000 },
];

test.each([
  ['newest first', MADE.toReversed()],
  ['oldest first', MADE],
])('fills of one instant stay in their order where a service lists %s', async (_name, listed) => {
  const env = createVirtualEnv();
  const pages = [listed.slice(0, 2), listed.slice(2)];
  const fills = await catchUpFills({
    env,
    budget: createBudget({
      limit: 1_200,
      windowMs: 60_000,
      share: 1,
      reserveShare: 0.3,
      reserveFloor: 40,
      exitWeight: () => 0,
      now: () => env.clock.monotonicNow(),
    }),
    plan: { dialect: defaultDialect },
    wallet: 'main',
    since: 0,
    isOver: () => false,
    request({ query }) {
      const items = pages[Number(query['cursor'] ?? 0)]!;
      const next_cursor = query['cursor'] === undefined ? '1' : null;
      return {
        kind: 'answered',
        response: { status: 200, headers: {}, body: { items, next_cursor } },
      };
    },
  });
  expect(fills!.map(({ fill_id: id }) => id)).toEqual(['f1', 'f2', 'f3', 'f4']);
});
