import { describe, expect, onTestFinished, test } from 'vitest';
import { defaultDialect } from '../../../src/contract/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { openService } from '../../../src/operate/run/openService.ts';
import { openSharedBudget } from '../../../src/operate/run/openSharedBudget.ts';
import { planServiceRun } from '../../../src/operate/run/planServiceRun.ts';
import type { ServiceResources } from '../../../src/operate/run/ServiceResources.ts';
import { findTestDatabase } from '../../journal/findTestDatabase.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { loadRemote } from './loadRemote.ts';

const { database, missing } = await findTestDatabase();
const env = createLiveEnv();
/** The journal's heartbeat of five seconds comes at once. */
const after: typeof env.timers.after = (ms, run) => env.timers.after(ms === 5_000 ? 20 : ms, run);
const beating = { ...env, timers: { ...env.timers, after } };

/** A planned bot whose journal is in the database. */
async function plan(onLost: (error: unknown) => void = () => {}) {
  const server = await openTestServer();
  onTestFinished(() => server.close());
  const more = 'journal: { url: { env: DB } }\n';
  const { loaded, strategies } = await loadRemote(server, more, { DB: database!.url });
  const { client, link } = openService(server, { dialect: defaultDialect, env, market: 'frames' });
  onTestFinished(() => link.close());
  const open: ServiceResources = { link, listening: [] };
  const { config } = loaded;
  const planned = await planServiceRun({
    config,
    env: beating,
    dialect: defaultDialect,
    client,
    strategies,
    stopped: new Promise(() => {}),
    open,
    onLost,
  });
  if (!planned.ok) throw new Error(planned.failure.message);
  onTestFinished(() => planned.value.journal.close());
  return { config, ...planned.value };
}

describe.skipIf(database === undefined)(`a bot on a database${missing}`, () => {
  test('is told that another process has taken its journal, though it writes nothing', async () => {
    const lost: unknown[] = [];
    await plan((error) => void lost.push(error));
    expect(lost).toEqual([]);
    await database!.run('UPDATE trimtab.accounts SET token = token + 1');
    await expect.poll(() => lost).toMatchObject([{ code: 'lease_lost' }]);
  });

  test('shares its budget with one of the same name and pid, as in another container', async () => {
    const { config, plan: planned } = await plan();
    const parts = { config, plan: planned, env, pid: 1, exitWeight: () => 0 };
    const members: number[] = [];
    for (let count = 0; count < 2; count++) {
      const opened = await openSharedBudget(parts);
      if (!opened.ok) throw new Error(opened.failure.message);
      onTestFinished(() => opened.value?.close());
      members.push(opened.value!.members);
    }
    expect(members).toEqual([1, 2]);
  });
});
