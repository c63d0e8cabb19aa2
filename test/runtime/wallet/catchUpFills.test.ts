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

test('fills that are all of one instant come as they were made, since lists begin with the newest', async () => {
  const made = MADE.map((one) => ({ ...one, time: 2_000 }));
  const fills = await read(() => answered(200, { items: made.toReversed(), next_cursor: null }));
  expect(fills!.map(({ fill_id: id }) => id)).toEqual(['f1', 'f2', 'f3', 'f4']);
});

test.each(['', null, undefined])('a page whose next cursor is %o is the last one', async (next) => {
  let pages = 0;
  const fills = await read(() => {
    pages += 1;
    // Beyond the first page the test would go on for ever.
    if (pages > 1) throw new Error('asked again');
    return answered(200, { items: MADE, next_cursor: next });
  });
  expect(fills).toHaveLength(4);
});

/** What a reading of `minutes` that is always answered so asks and logs. */
async function readFor(minutes: number, exchange: Exchange) {
  const env = createVirtualEnv();
  const errors: unknown[] = [];
  const warnings: unknown[] = [];
  const log = {
    ...env.log,
    error: (...of: unknown[]) => void errors.push(of),
    warn: (...of: unknown[]) => void warnings.push(of),
  };
  const asked = { count: 0 };
  const fills = read(
    () => {
      asked.count++;
      return exchange;
    },
    { ...env, log },
  );
  for (let tick = 0; tick < minutes * 12; tick++) {
    await new Promise(setImmediate);
    env.queue.advanceTo(env.queue.now() + 5_000);
  }
  return { asked, fills, errors, warnings };
}

test.each([
  [403, 'insufficient_scope'],
  [422, 'a_newer_code'],
])('a refusal ends the reading, with an error: %i %s', async (status, code) => {
  const body = { error: { code, message: '' }, request_id: 'req_1' };
  const { asked, fills, errors } = await readFor(20, answered(status, body));
  expect(asked.count).toBe(1);
  expect(await fills).toBeUndefined();
  expect(errors).toEqual([[expect.stringContaining('Fills'), { wallet: 'main', code }]]);
});

test('a fill that can’t be read is an error, and hides no other', async () => {
  const items = [MADE[0], { ...MADE[1], liquidity: null }, 7, MADE[3]];
  const page = answered(200, { items, next_cursor: null });
  const { asked, fills, errors } = await readFor(20, page);
  expect(asked.count).toBe(1);
  expect((await fills)!.map(({ fill_id: id }) => id)).toEqual(['f1', 'f4']);
  expect(errors).toEqual([
    [expect.stringContaining('fills'), { wallet: 'main', count: 2, field: 'liquidity' }],
  ]);
});

test('a last page without a cursor is the last one', async () => {
  const { asked, fills, errors } = await readFor(1, answered(200, { items: MADE }));
  expect([asked.count, (await fills)!.length, errors]).toEqual([1, 4, []]);
});

const ODD = [{}, { items: null, next_cursor: null }, []];

test.each(ODD)(
  'a 200 that is always no page of fills ends the reading, with an error: %j',
  async (body) => {
    const { asked, fills, errors } = await readFor(20, answered(200, body));
    expect(asked.count).toBe(20);
    expect(await fills).toBeUndefined();
    const code = 'not_a_page';
    expect(errors).toEqual([[expect.stringContaining('Fills'), { wallet: 'main', code }]]);
  },
);

// A proxy in between has a bad minute: the fills of the outage are there still.
test.each(ODD)('some answers that are no page of fills lose none: %j', async (body) => {
  const env = createVirtualEnv();
  const pages = [MADE.slice(0, 2), MADE.slice(2)];
  let asked = 0;
  const fills = read(({ query }) => {
    // Before each page, fewer than end a reading.
    if (asked++ % 20 < 19) return answered(200, body);
    const at = Number(query['cursor'] ?? 0);
    return answered(200, { items: pages[at], next_cursor: at === 0 ? '1' : null });
  }, env);
  for (let tick = 0; tick < 400; tick++) {
    await new Promise(setImmediate);
    env.queue.advanceTo(env.queue.now() + 5_000);
  }
  expect((await fills)!.map(({ fill_id: id }) => id)).toEqual(['f1', 'f2', 'f3', 'f4']);
  expect(asked).toBe(40);
});

test('a page that names itself as the next one is asked for again, and ends the reading in the end', async () => {
  const page = (next: string) => answered(200, { items: MADE, next_cursor: next });
  const { asked, fills, errors } = await readFor(20, page('1'));
  // The first page, and the second for twenty times.
  expect(asked.count).toBe(21);
  expect(await fills).toBeUndefined();
  const code = 'not_the_next_page';
  expect(errors).toEqual([[expect.stringContaining('Fills'), { wallet: 'main', code }]]);
});

test.each([
  [{ kind: 'no_answer', reason: 'timeout' } as const, /timeout/],
  [answered(503, { error: { code: 'service_unavailable', message: '' } }), /503/],
])('a reading that goes on for minutes says so now and then, and why', async (exchange, reason) => {
  const { asked, errors, warnings } = await readFor(20, exchange);
  expect(asked.count).toBeGreaterThan(50);
  expect(errors).toEqual([]);
  expect(warnings.length).toBeGreaterThanOrEqual(3);
  expect(warnings.length).toBeLessThanOrEqual(12);
  expect(warnings[0]).toEqual([
    expect.stringContaining('Fills'),
    { wallet: 'main', reason: expect.stringMatching(reason) },
  ]);
});
