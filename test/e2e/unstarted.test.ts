import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSqliteStore } from '../../src/journal/index.ts';
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

test('a bot whose kill level can’t be read back does not start, and ends with all that it listens to', async () => {
  const server = await openTestServer();
  onTestFinished(() => server.close());
  const workshop = openWorkshop('unstarted');
  onTestFinished(() => workshop.close());
  const { baseUrl: base_url, wsUrl: ws_url, keyId: key_id, secret } = server;
  workshop.write('own.ts', PLUGIN);
  workshop.write('bot.yaml', remoteBot({ base_url, ws_url, key_id, secret }));
  const path = join(workshop.folder, 'bot.sqlite');
  const store = createSqliteStore(path);
  // Where earlier versions kept the level.
  await store.writeState('trimtab:kill', '{ "level": "L2"');
  await store.close();
  const bot = workshop.start(['run', 'bot.yaml'], { TRIMTAB_TEST_SECRET: secret });
  const [code] = (await once(bot.child, 'exit')) as [number | null];
  expect([code, bot.text()]).toEqual([1, expect.stringContaining('JSON')]);
});
