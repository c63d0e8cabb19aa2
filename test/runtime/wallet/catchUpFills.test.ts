import { expect, test } from 'vitest';
import { createBudget } from '../../../src/budget/index.ts';
import { defaultDialect, type Exchange } from '../../../src/contract/index.ts';
import { createVirtualEnv, type VirtualEnv } from '../../../src/env/index.ts';
import { catchUpFills, type CatchUpOptions } from '../../../src/runtime/wallet/catchUpFills.ts';
import { fill } from '../../streams/records.ts';

/** In the order in which they were made; several of one order in one instant. */
const MADE = [
  { ...fill('f1'), time: 1_000 },
  { ...fill('f2'), time: 2_000 },
  { ...fill('f3'), time: 2_000 },
  { ...fill('f4'), time: 3_000 },
];

const answered = (status: number, body: object): Exchange => ({
  kind: 'answered',
  response: { status, headers: {}, body },
});

function read(
  request: CatchUpOptions['request'],
  env: VirtualEnv = createVirtualEnv(),
): ReturnType<typeof catchUpFills> {
  return catchUpFills({
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
    request,
  });
}

test.each([
  ['newest first', MADE.toReversed()],
  ['oldest first', MADE],
])('fills of one instant stay in their order where a service lists %s', async (_name, listed) => {
  const pages = [listed.slice(0, 2), listed.slice(2)];
  const fills = await read(({ query }) => {
    const items = pages[Number(query['cursor'] ?? 0)]!;
    const next_cursor = query['cursor'] === undefined ? '1' : null;
    return answered(200, { items, next_cursor });
  });
  expect(fills!.map(({ fill_id: id }) => id)).toEqual(['f1', 'f2', 'f3', 'f4']);
});

test.each([
  [403, 'insufficient_scope'],
  [422, 'a_newer_code'],
])('a refusal ends the reading, with an error: %i %s', async (status, code) => {
  const env = createVirtualEnv();
  const errors: unknown[] = [];
  const log = { ...env.log, error: (...of: unknown[]) => void errors.push(of) };
  let count = 0;
  const fills = read(
    () => {
      count++;
      return answered(status, { error: { code, message: '' }, request_id: 'req_1' });
    },
    { ...env, log },
  );
  for (let tick = 0; tick < 20; tick++) {
    await new Promise(setImmediate);
    env.queue.advanceTo(env.queue.now() + 60_000);
  }
  expect(count).toBe(1);
  expect(await fills).toBeUndefined();
  expect(errors).toEqual([[expect.stringContaining('Fills'), { wallet: 'main', code }]]);
});
