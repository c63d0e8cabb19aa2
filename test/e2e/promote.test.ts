import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect } from 'vitest';
import type { WholeView } from '../../src/operate/state/index.ts';
import { openTestServer, type TestServer } from '../paper/server/openTestServer.ts';
import { openReceiver, type Receiver } from '../operate/notify/receivers.ts';
import { openWitness, type Witness } from './openWitness.ts';
import { openWorkshop, remoteBot, type Started, type Workshop } from './startProcess.ts';
import { inTurn } from '../inTurn.ts';

const it = inTurn(3);

/** Its size names the version. */
const SIZED = `import { defineStrategy, placeOrder } from 'trimtab';
import { map } from 'rxjs';
import { z } from 'zod';
export default defineStrategy({
  name: 'sized', contract: 1, description: 'Buys and sells in turn.', scopes: ['trade'],
  params: z.object({ size: z.number() }),
  setup: (ctx) => ctx.candles(ctx.symbol, '1m').pipe(
    map(({ time }) => placeOrder.market({
      symbol: ctx.symbol, side: (time / 60_000) % 2 === 0 ? 'buy' : 'sell', size: ctx.params.size,
    })),
  ),
});
`;
const FORMER = 0.001;
const NEXT = 0.002;
const CONTROL = 'control-token-of-the-test';
const LIMIT = { timeout: 30_000 };

let workshop: Workshop;
let server: TestServer;
let witness: Witness;
let receiver: Receiver;

beforeEach(async () => {
  workshop = openWorkshop('promote');
  server = await openTestServer({ tier: 'elite', paused: false, speed: 300, balance: 1e7 });
  witness = await openWitness(server.baseUrl);
  witness.know(server.keyId, server.secret);
  receiver = await openReceiver();
  workshop.write('own.ts', SIZED);
  workshop.write('next.ts', SIZED);
}, 120_000);

afterEach(async () => {
  workshop.close();
  witness.close();
  await receiver.close();
  await server.close();
});

function writeBot({ shadow }: { shadow: boolean }): void {
  const { base_url, ws_url } = witness;
  const service = { base_url, ws_url, key_id: server.keyId, secret: server.secret };
  const more = `guards: { max_intents_per_minute: 100000, max_entries_per_hour: 100000, max_decision_age_seconds: 100000, max_data_age_seconds: 100000, max_order_size: { BTC: 1 } }
operate:
  listen: 127.0.0.1:0
  control_token: { env: OPS_CTL }
  notify:
    - { kind: webhook, url: { env: HOOK }, template: plain, min: report, digest_seconds: 1 }
`;
  const own = `symbols: [BTC], params: { size: ${FORMER} }`;
  const next = shadow ? `, shadow: { use: ./next.ts, params: { size: ${NEXT} } }` : '';
  workshop.write('bot.yaml', remoteBot(service, more).replace('symbols: [BTC]', `${own}${next}`));
}

interface Running {
  bot: Started;
  page: URL;
}

async function start(): Promise<Running> {
  const bot = workshop.start(['run', 'bot.yaml'], {
    TRIMTAB_TEST_SECRET: server.secret,
    OPS_CTL: CONTROL,
    HOOK: receiver.url,
  });
  const line = /operator's page at (\S+)/;
  await expect.poll(() => line.exec(bot.text())?.[1], LIMIT).toBeDefined();
  return { bot, page: new URL(line.exec(bot.text())![1]!) };
}

async function kill({ bot }: Running): Promise<void> {
  bot.child.kill('SIGKILL');
  await once(bot.child, 'exit');
}

async function command(...args: string[]): Promise<string> {
  const started = workshop.start(args);
  await once(started.child, 'close');
  return started.text();
}

async function stateOf({ page }: Running): Promise<WholeView['blocks']['strategies'][number]> {
  const answer = await fetch(new URL('/api/state', page));
  return ((await answer.json()) as WholeView).blocks.strategies[0]!;
}

const orders = () =>
  witness.requests.filter(({ method, path }) => method === 'POST' && path === '/v1/order');
const sizesSince = (from: number): number[] => [
  ...new Set(
    orders()
      .slice(from)
      .map(({ body }) => Number((JSON.parse(body) as { size: string | number }).size)),
  ),
];
/** Orders that were sent more than once under the same key are answered with the same record. */
async function expectOnce(): Promise<void> {
  const { body } = (await server.ask('/v1/orders/history?limit=500')) as { body: unknown };
  const items = (body as { items?: Array<{ client_order_id: string }> }).items ?? [];
  const ids = items.map(({ client_order_id: id }) => id);
  expect(new Set(ids).size, 'nothing is placed twice').toBe(ids.length);
}

it('a shadow sends nothing, and reads nothing that the bot would not read', async () => {
  const paths: string[][] = [];
  for (const shadow of [false, true]) {
    rmSync(join(workshop.folder, 'bot.sqlite'), { force: true });
    witness.requests.length = 0;
    writeBot({ shadow });
    const running = await start();
    await expect.poll(() => orders().length, LIMIT).toBeGreaterThan(20);
    if (shadow)
      await expect
        .poll(async () => (await stateOf(running)).shadow?.intents ?? 0, LIMIT)
        .toBeGreaterThan(10);
    expect(sizesSince(0)).toEqual([FORMER]);
    paths.push(
      witness.requests
        .filter(({ path }) => path !== '/v1/order')
        .map(({ method, path }) => `${method} ${path}`)
        .toSorted(),
    );
    running.bot.child.kill('SIGTERM');
    await once(running.bot.child, 'exit');
  }
  expect(paths[1]).toEqual(paths[0]);
}, 120_000);

it('a promotion is seen by everyone who watches, and goes by the operator’s route too', async () => {
  writeBot({ shadow: true });
  const running = await start();
  await expect.poll(() => orders().length, LIMIT).toBeGreaterThan(4);
  const promote = async (body: object) => {
    const answer = await fetch(new URL('/api/strategies/own/promote', running.page), {
      method: 'POST',
      headers: { authorization: `Bearer ${CONTROL}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        reason: 'a test',
        nonce: `nonce-${Math.random()}`.replace('.', '-'),
        ...body,
      }),
    });
    return { status: answer.status, body: (await answer.json()) as unknown };
  };
  expect(await promote({ move: 'live' })).toMatchObject({ status: 409 });
  expect(await promote({ hand_over: ['BTC'] })).toEqual({
    status: 200,
    body: { strategy: 'own', stage: 'canary' },
  });
  const from = orders().length + 2;
  await expect.poll(() => orders().length, LIMIT).toBeGreaterThan(from + 4);
  expect(sizesSince(from)).toEqual([NEXT]);

  expect(await stateOf(running)).toMatchObject({ stage: 'canary' });
  const metrics = await (await fetch(new URL('/metrics', running.page))).text();
  expect(metrics).toMatch(/^trimtab_strategy_stage{.*strategy="own".*} 1$/m);
  await expect
    .poll(() => command('status', 'bot.yaml'), LIMIT)
    .toContain('strategy own is at the stage canary: its new version trades');
  const sent = () => receiver.got.flatMap(({ body }) => body['alerts'] as Array<{ key: string }>);
  await expect.poll(() => sent().map(({ key }) => key), LIMIT).toContain('stage/own/shadow/canary');
  const latches = await command('journal', 'latches', 'bot.yaml');
  expect(latches).toMatch(/stage own +canary .*a test/);
}, 120_000);

it('a bot killed during a promotion starts in the one stage or the other, as its journal says', async () => {
  writeBot({ shadow: true });
  const asked = join(workshop.folder, 'bot.sqlite.strategy.json');
  const answered = join(workshop.folder, 'bot.sqlite.strategy-done.json');
  let stage: string = 'shadow';
  const seen = new Set<string>();
  let running = await start();
  for (const waitMs of [0, 200, 'answered', 350, 'answered', 500] as const) {
    await expect.poll(() => orders().length, LIMIT).toBeGreaterThan(4);
    for (const file of [asked, answered]) rmSync(file, { force: true });
    const back = stage === 'shadow' ? [] : ['--back'];
    const asking = workshop.start([
      'promote',
      'bot.yaml',
      'own',
      '--reason',
      'a test',
      '--hand-over',
      'BTC',
      ...back,
    ]);
    const isDue = () => existsSync(waitMs === 'answered' ? answered : asked);
    await expect.poll(isDue, { ...LIMIT, interval: 5 }).toBe(true);
    if (waitMs !== 'answered') await sleep(waitMs);
    await kill(running);
    asking.child.kill('SIGKILL');

    const latches = await command('journal', 'latches', 'bot.yaml');
    const next = /stage own +(\w+) .*\(now\)/.exec(latches)?.[1] ?? 'shadow';
    const other = stage === 'shadow' ? 'canary' : 'shadow';
    expect([stage, other]).toContain(next);
    if (waitMs === 'answered') expect(next, readFileSync(answered, 'utf8')).toBe(other);
    stage = next;
    seen.add(stage);
    running = await start();
    const from = orders().length;
    await expect.poll(() => orders().length, LIMIT).toBeGreaterThan(from + 6);
    expect(await stateOf(running)).toMatchObject({ stage });
    // What the former process sent without an answer comes first, under its key and of its version.
    expect(sizesSince(from + 3)).toEqual([stage === 'shadow' ? FORMER : NEXT]);
    await expectOnce();
  }
  expect(seen.has('canary')).toBe(true);
}, 240_000);
