/** What can be determined about an unknown service without changing anything? */
import { expect, test } from 'vitest';
import { runConformance, type ClauseId } from '../../../src/conformance/index.ts';
import { createDialect, defaultDialect } from '../../../src/contract/dialect.ts';
import { createLiveEnv } from '../../../src/env/createLiveEnv.ts';
import { openService } from './openService.ts';

const ONLY: ClauseId[] = ['AUTH-1', 'AUTH-7', 'AUTH-8', 'MKT-1', 'ORD-1', 'STR-4'];

test('DIAL-2: a read-only diagnosis reports what holds and what is inconclusive, and leaves no trace', async () => {
  const { client, baseUrl, wsUrl, keyId, secret } = await openService();
  const before = await client.account.get();
  const result = await runConformance({
    baseUrl,
    wsUrl,
    keyId,
    secret,
    dialect: defaultDialect,
    env: createLiveEnv(),
    isReadOnly: true,
    only: ONLY,
  });
  // A real service has no controls, so they are not even asked for.
  expect(result.target).toMatchObject({ paper: false, read_only: true });
  const byId = new Map(result.clauses.map((clause) => [clause.id, clause]));
  expect([...byId.keys()].sort()).toEqual(ONLY.toSorted());
  expect(result.summary.differs).toBe(0);
  expect(byId.get('AUTH-7')).toMatchObject({ result: 'holds' });
  // Whether an order is taken can't be known without sending one, and it reports it.
  expect(byId.get('ORD-1')).toMatchObject({ result: 'inconclusive' });
  // Where the spec is silent, each point reports what was found, or nothing.
  expect(result.silent.length).toBeGreaterThan(5);
  expect(result.silent.filter((point) => point.result === 'differs')).toEqual([]);
  expect(result.silent.some((point) => point.result === 'as expected')).toBe(true);

  expect(await client.account.get()).toEqual(before);
  expect((await client.orders.history()).items).toEqual([]);
  expect((await client.executions.list()).items).toEqual([]);
  expect((await client.monitors.list()).items).toEqual([]);
});

test('DIAL-1, DIAL-2: a service with another dialect is described point by point', async () => {
  const dialect = createDialect({ headers: { requestId: 'X-Trace' } });
  const { baseUrl, wsUrl, keyId, secret } = await openService({ dialect });
  const options = { baseUrl, wsUrl, keyId, secret, env: createLiveEnv(), isReadOnly: true };
  const only: ClauseId[] = ['AUTH-7'];
  const strange = await runConformance({ ...options, dialect: defaultDialect, only });
  expect(strange.summary.differs).toBe(1);
  // Against its own dialect, it conforms.
  const known = await runConformance({ ...options, dialect, only });
  expect(known.summary.differs).toBe(0);
});
