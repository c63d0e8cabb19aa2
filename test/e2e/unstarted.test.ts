import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSqliteStore, type JournalStore } from '../../src/journal/index.ts';
import { openTestServer } from '../paper/server/openTestServer.ts';
import { openWorkshop, remoteBot } from './startProcess.ts';

const PLUGIN = `import { defineStrategy } from 'trimtab';
import { NEVER } from 'rxjs';
import { z } from 'zod';
export default defineStrategy({
  name: 'own', contract: 1, description: 'Waits.', scopes: ['read'],
  params: z.object({}), setup: () => NEVER,
});
`;

/** Of a service and its bot, which is not started yet. */
async function setUp(more = '') {
  const server = await openTestServer();
  onTestFinished(() => server.close());
  const workshop = openWorkshop('unstarted');
  onTestFinished(() => workshop.close());
  const { baseUrl: base_url, wsUrl: ws_url, keyId: key_id, secret } = server;
  workshop.write('own.ts', PLUGIN);
  workshop.write('bot.yaml', remoteBot({ base_url, ws_url, key_id, secret }, more));
  return { workshop, ws_url, env: { TRIMTAB_TEST_SECRET: secret } };
}

/** A bot and its service, with a journal that has content before the start. */
async function runOn(write: (store: JournalStore) => void | Promise<void>, more = '') {
  const { workshop, env } = await setUp(more);
  const path = join(workshop.folder, 'bot.sqlite');
  const store = createSqliteStore(path);
  await write(store);
  await store.close();
  const bot = workshop.start(['run', 'bot.yaml'], env);
  const [code] = (await once(bot.child, 'close')) as [number | null];
  return { path, code, text: bot.text() };
}

test('a bot with an unreadable kill level does not start, and names where it is stored', async () => {
  // Where earlier versions kept the level.
  const { path, code, text } = await runOn((store) =>
    store.writeState('trimtab:kill', '{ "level": "L2"'),
  );
  const place = `the state trimtab:kill of ${path}`;
  const reported = `trimtab: The kill level can't be read back: ${place} holds "{ \\"level\\": \\"L2\\"", which`;
  expect([code, text]).toEqual([1, expect.stringContaining(reported)]);
});

test('a bot whose start fails releases all its listeners', async () => {
  const row = { key: 'one', decisionKey: 'one', generation: 0, instance: 'own', wallet: 'main' };
  const step = { key: 'one', state: 'accepted', wallTime: 1, marketTime: 1, data: '{}' } as const;
  const guards = 'guards: { max_entries_per_hour: 5 }\n';
  const { code, text } = await runOn(
    // What the count of the last hour's entries can't read.
    (store) => store.append({ intent: { ...row, kind: 'launch', intent: '{' }, entries: [step] }),
    guards,
  );
  expect([code, text]).toEqual([1, expect.stringContaining('JSON')]);
});

test(
  'a bot whose stream is refused for its address says so once, with the setting, and in its status',
  { timeout: 150_000 },
  async () => {
    const { workshop, ws_url, env } = await setUp();
    const wrong = `link.ws_url=${new URL('/', ws_url).href}`;
    const bot = workshop.start(['run', 'bot.yaml', '--set', wrong], env);
    const said = `Is link.ws_url right? Left out, it is ${ws_url}`;
    await expect.poll(bot.text, { timeout: 60_000 }).toContain(said);
    await expect
      .poll(
        async () => {
          const status = workshop.start(['status', 'bot.yaml']);
          await once(status.child, 'close');
          return status.text();
        },
        { timeout: 60_000, interval: 1_000 },
      )
      .toContain(said);
    expect(bot.text().split(said)).toHaveLength(2);
    bot.child.kill('SIGTERM');
    await once(bot.child, 'close');
  },
);
