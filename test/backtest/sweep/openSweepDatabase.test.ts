import { expect, onTestFinished, test } from 'vitest';
import { openSweepDatabase } from '../../../backtest/sweep/postgres/openSweepDatabase.ts';
import { connectSweeps } from '../../../backtest/sweep/postgres/sweepTables.ts';
import { createLiveEnv, silentLog } from '../../../src/env/index.ts';
import { findTestDatabase } from '../../journal/findTestDatabase.ts';
import { IN_THIS_DATABASE } from '../../journal/openTestDatabase.ts';

const { database } = await findTestDatabase();

test.skipIf(database === undefined)('a connection does not wait for readers', async () => {
  const { url } = database!;
  const reader = await connectSweeps(url, 'trimtab reader');
  await reader.query({ text: 'BEGIN; SELECT 1 FROM trimtab.sweep_jobs' });
  const other = await connectSweeps(url, 'trimtab tests');
  await other.end();
  await reader.end();
});

test.skipIf(database === undefined)('a lost connection is restored, with its locks', async () => {
  const { url, run } = database!;
  let returns = 0;
  const sweeps = await openSweepDatabase({
    url,
    name: 'trimtab held',
    env: createLiveEnv({ log: silentLog }),
    hold: () => ({ text: 'SELECT pg_advisory_lock(417)' }),
    onBack: () => returns++,
    isStopped: () => false,
  });
  onTestFinished(() => sweeps.close());
  const holders = () =>
    run(`SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = 417
        AND ${IN_THIS_DATABASE}`);
  const [first] = await holders();
  await run(`SELECT pg_terminate_backend(${String(first!['pid'])})`);
  await expect.poll(holders).not.toEqual([first]);
  await expect.poll(holders, { timeout: 10_000 }).toEqual([{ pid: expect.any(Number) }]);
  await expect.poll(() => returns).toBe(1);
  expect((await sweeps.query({ text: 'SELECT 1 AS one' })).rows).toEqual([{ one: 1 }]);
});
