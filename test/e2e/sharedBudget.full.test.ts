import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createDialect } from '../../src/contract/index.ts';
import { createPostgresReader } from '../../src/journal/postgres/index.ts';
import { useTestDatabase } from '../journal/useTestDatabase.ts';
import { openTestServer, type TestServer } from '../paper/server/openTestServer.ts';
import { openWorkshop, type Started } from './startProcess.ts';

const database = useTestDatabase();

/** Demands ten times the budget, so that all of it is used. */
const greedy = `import { defineStrategy, placeOrder } from 'trimtab';
import { mergeMap, range, map } from 'rxjs';
import { z } from 'zod';
export default defineStrategy({
  name: 'greedy', contract: 1, description: 'As many orders as it may.', scopes: ['trade'],
  params: z.object({}),
  setup: (ctx) => ctx.every('1m').pipe(
    mergeMap(() => range(0, 60)),
    map((n) => placeOrder.market(
      { symbol: ctx.symbol, side: n % 2 === 0 ? 'buy' : 'sell', size: 0.001 },
      { not_after: ctx.now() + 60_000 },
    )),
  ),
});
`;

const LIMIT = 300;
const WINDOW_MS = 10_000;

const configOf = (name: string, server: TestServer): string => `name: ${name}
link:
  kind: paper_service
  base_url: ${server.baseUrl}
  ws_url: ${server.wsUrl}
  key_id: ${server.keyId}
  secret: { env: TRIMTAB_TEST_SECRET }
strategies:
  - { name: greedy-${name}, use: ./greedy.ts, symbols: [BTC], wallet: main }
journal: { url: "${database().url}", account: ${name} }
dialect: { budget: { windowMs: ${WINDOW_MS} } }
`;

/** A bot's intents in its journal. */
async function lifeOf(account: string) {
  const reader = await createPostgresReader({ url: database().url, account });
  const states: string[] = [];
  const reasons: string[] = [];
  for await (const { intent, entries } of reader.lives()) {
    states.push(intent.state);
    for (const { state, data } of entries) {
      if (state === 'deferred') reasons.push((JSON.parse(data) as { reason: string }).reason);
    }
  }
  await reader.close();
  const accepted = states.filter((state) => state === 'accepted').length;
  return { accepted, reasons };
}

test.each([
  ['a symbol that the service does not list', ['BTC]', 'NOPE]'], 'lists no instrument NOPE'],
  [
    'a recording that can’t be written',
    ['dialect:', 'record: ./no/such/seen.jsonl\ndialect:'],
    'record:',
  ],
] as const)('a bot that cannot start because of %s exits', async (_what, [was, is], words) => {
  const server = await openTestServer();
  onTestFinished(() => server.close());
  const workshop = openWorkshop('unstarted');
  onTestFinished(() => workshop.close());
  workshop.write('greedy.ts', greedy);
  workshop.write('bot.yaml', configOf('unstarted', server).replace(was, is));
  const bot = workshop.start(['run', 'bot.yaml'], { TRIMTAB_TEST_SECRET: server.secret });
  const [code] = (await once(bot.child, 'exit')) as [number | null];
  expect([code, bot.text()]).toEqual([1, expect.stringContaining(words)]);
});

test('LIM-1: bots whose journals are in one database share the budget of their key, also across a crash', async () => {
  const dialect = createDialect({ budget: { windowMs: WINDOW_MS, standard: LIMIT } });
  const server = await openTestServer({ paused: false, speed: 60 }, { dialect });
  onTestFinished(() => server.close());
  const workshop = openWorkshop('shared');
  onTestFinished(() => workshop.close());
  workshop.write('greedy.ts', greedy);
  const start = (name: string): Started => {
    workshop.write(`${name}.yaml`, configOf(name, server));
    return workshop.start(['run', `${name}.yaml`, '--log-level', 'debug'], {
      TRIMTAB_TEST_SECRET: server.secret,
    });
  };
  const bots = [start('one'), start('two')] as const;
  const count = (bot: Started): number => bot.text().match(/place_order accepted/g)?.length ?? 0;
  const working = { timeout: 60_000, interval: 250 };
  await expect.poll(() => Math.min(...bots.map(count)), working).toBeGreaterThan(80);

  // The service's minute continues while the bot is away, and so must its successor's.
  const [first, second] = bots;
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const again = start('one');
  await expect.poll(() => count(again), working).toBeGreaterThan(40);
  for (const bot of [again, second]) {
    bot.child.kill('SIGTERM');
    await once(bot.child, 'exit');
  }
  for (const name of ['one', 'two']) {
    const { accepted, reasons } = await lifeOf(name);
    expect(accepted).toBeGreaterThan(80);
    expect(reasons).not.toContain('rate_limited');
    expect(reasons).not.toContain('retry_after');
    expect(reasons.some((reason) => reason.endsWith('of 270 used by 2 processes'))).toBe(true);
  }
}, 150_000);
