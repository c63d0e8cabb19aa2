import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectSweeps } from '../../../backtest/sweep/postgres/sweepTables.ts';
import { workOnSweeps } from '../../../backtest/sweep/postgres/workOnSweeps.ts';
import type { SweepJob, SweepPlan } from '../../../backtest/sweep/SweepPlan.ts';
import { planSweep } from '../../../src/cli/planSweep.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { openTestDatabase } from '../../journal/openTestDatabase.ts';
import { root } from '../../sourceFiles.ts';

const opened = await openTestDatabase();
const reason = 'reason' in opened ? opened.reason : undefined;
const database = 'reason' in opened ? undefined : opened;
let folder: string;
let plan: SweepPlan;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trimtab-stored-'));
  const file = join(folder, 'bot.yaml');
  await writeFile(
    file,
    `name: swept
link: { kind: paper }
paper:
  feeds:
    - { symbol: BTC, interval: 1m, generate: { seed: 5, bars: 600, start_price: 61000 } }
  warmup: 500
  speed: max
  budget_clock: replay
strategies:
  - { name: breakout, use: ${join(root, 'strategies/breakout.ts')}, symbols: [BTC] }
`,
  );
  ({ plan } = await planSweep(file, { param: ['channel=10,20'], feed: [], set: [] }));
});
afterAll(async () => {
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

const JOB: SweepJob = { index: 0, values: ['10'], range: {}, window: null, part: 'all' };
const without = (whole: object, name: string): object =>
  Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name));

/** Works on this one sweep until nothing is left to do, and tells what became of it. */
async function workOn(stored: { plan: object; job: object }) {
  const { url } = database!;
  const client = await connectSweeps(url, 'trimtab tests');
  await client.query({ text: 'DELETE FROM trimtab.sweeps' });
  const values = [JSON.stringify(stored.plan), JSON.stringify(stored.job)];
  await client.query({ text: `INSERT INTO trimtab.sweeps VALUES ('s', $1)`, values: [values[0]!] });
  await client.query({
    text: `INSERT INTO trimtab.sweep_jobs (sweep, index, job) VALUES ('s', 0, $1)`,
    values: [values[1]!],
  });
  const refused: string[] = [];
  await workOnSweeps(
    {
      url,
      worker: 'test',
      config: null,
      exitWhenDone: true,
      isStopped: () => false,
      onResult: () => {},
      onRefused: (_sweep, why) => refused.push(why),
    },
    createLiveEnv(),
  );
  const { rows } = await client.query({ text: 'SELECT result FROM trimtab.sweep_jobs' });
  await client.end();
  return { refused, result: rows[0]!['result'] };
}

test.skipIf(database === undefined)(
  'a database that refuses the tables of sweeps keeps no connection',
  async () => {
    const { url, run } = database!;
    const readOnly = `${url}?options=-c%20default_transaction_read_only%3Don`;
    await expect(connectSweeps(readOnly, 'trimtab refused')).rejects.toThrow('read-only');
    const left = () => run(`SELECT 1 FROM pg_stat_activity WHERE application_name LIKE '%refused'`);
    await expect.poll(left).toEqual([]);
  },
);

describe.skipIf(database === undefined)(`a stored sweep${reason ?? ''}`, () => {
  test('of this version is computed', { timeout: 60_000 }, async () => {
    const { refused, result } = await workOn({ plan, job: JOB });
    expect(refused).toEqual([]);
    expect(result).toMatchObject({ index: 0, figures: { days: expect.any(Number) } });
  });

  const remedy = 'Start the sweep again with this one, or work on it with that one.';
  test.each([
    ['plan', 'sources'],
    ['plan', 'walk'],
    ['job', 'range'],
  ] as const)('whose %s lacks %s is left to the version that stored it', async (part, name) => {
    const stored = { plan, job: JOB, [part]: without(part === 'plan' ? plan : JOB, name) };
    expect(await workOn(stored)).toEqual({
      refused: [
        `It was stored by another version of Trimtab: its ${part} has no ${name}. ${remedy}`,
      ],
      result: null,
    });
  });

  test('with a field that nobody knows here is left too', async () => {
    const { refused, result } = await workOn({ plan: { ...plan, folds: 5 }, job: JOB });
    expect([refused, result]).toEqual([
      [expect.stringContaining('its plan has folds, which is not known here')],
      null,
    ]);
  });
});
