import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultDialect } from '../../src/contract/index.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import { openService } from '../../src/operate/run/index.ts';
import type { Client } from '../../src/wire/index.ts';
import {
  openWorkshop,
  remoteBot,
  type Service,
  type Started,
  type Workshop,
} from './startProcess.ts';

const longEntry = `import { defineStrategy, launch } from 'trimtab';
import { map, take, merge, NEVER } from 'rxjs';
import { z } from 'zod';
export default defineStrategy({
  name: 'long', contract: 1, description: 'One long entry.', scopes: ['algo'],
  params: z.object({}),
  setup: (ctx) => merge(NEVER, ctx.every('1m').pipe(
    take(1),
    map(() => launch.pacemaker({
      symbol: ctx.symbol, side: 'buy', total_size: 0.01, params: { duration_seconds: 86400 },
    })),
  )),
});
`;

let workshop: Workshop;
let service: Service;
let client: Client;
let bot: Started;
let closeClient: () => Promise<void>;

beforeEach(async () => {
  workshop = openWorkshop('control');
  service = await workshop.startPaper(300);
  const env = createLiveEnv();
  const address = {
    baseUrl: service.base_url,
    wsUrl: service.ws_url,
    keyId: service.key_id,
    secret: service.secret,
  };
  const opened = openService(address, { dialect: defaultDialect, env, market: 'frames' });
  client = opened.client;
  closeClient = () => opened.link.close();
  workshop.write('own.ts', longEntry);
  const watchdog = `watchdog:
  key_id: ${service.key_id}
  secret: { env: TRIMTAB_TEST_SECRET }
  silence_seconds: 5
`;
  workshop.write('bot.yaml', remoteBot(service, watchdog));
  bot = workshop.start(['run', 'bot.yaml', '--log-level', 'info'], secret());
  await expect.poll(statuses, { timeout: 30_000 }).toEqual(['running']);
}, 60_000);

afterEach(async () => {
  await closeClient();
  workshop.close();
});

const secret = () => ({ TRIMTAB_TEST_SECRET: service.secret });
const statuses = async (): Promise<string[]> =>
  (await client.executions.list()).items.map(({ status }) => status);
async function tell(...args: string[]): Promise<{ code: number | null; text: string }> {
  const told = workshop.start(args, secret());
  const [code] = (await once(told.child, 'close')) as [number | null];
  return { code, text: told.text() };
}

test('kill ends the entries of a running bot, and rearm lets it trade again', async () => {
  expect(await tell('kill', 'L2', 'bot.yaml', '--reason', 'a test')).toMatchObject({
    code: 0,
    text: 'remote is at L2.\n',
  });
  await expect.poll(statuses, { timeout: 15_000 }).toEqual(['stopped']);
  expect(await tell('rearm', 'bot.yaml')).toMatchObject({ code: 0, text: 'remote is at L0.\n' });

  bot.child.kill('SIGTERM');
  await once(bot.child, 'exit');
  const nobody = await tell('kill', 'L2', 'bot.yaml');
  expect(nobody.code).toBe(1);
  expect(nobody.text).toContain('remote does not run');
}, 60_000);

test('a watchdog ends the entries of a bot whose main loop hangs', async () => {
  const watchdog = workshop.start(['watchdog', 'bot.yaml'], secret());
  bot.child.kill('SIGSTOP');
  await expect.poll(statuses, { timeout: 30_000 }).toEqual(['stopped']);
  expect(watchdog.text()).toMatch(/silent for \d+ s: ended 1 of its entries/);

  // Back again, it finds the order and does not go on as if nothing had happened.
  bot.child.kill('SIGCONT');
  await expect.poll(() => bot.text(), { timeout: 15_000 }).toContain('Kill level L2');
  expect(watchdog.text() + bot.text()).not.toContain(service.secret);
}, 90_000);
