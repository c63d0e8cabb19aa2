import { once } from 'node:events';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { openTestServer, type TestServer } from '../paper/server/openTestServer.ts';
import { openWitness, type Witness, type Witnessed } from './openWitness.ts';
import { openWorkshop, type Started, type Workshop } from './startProcess.ts';
import { inTurn } from '../inTurn.ts';

const it = inTurn(3);

/** Eight orders at each bar, each of which ends at once; ten bars pass in a second. */
const BUSY = `import { defineStrategy, placeOrder } from 'trimtab';
import { from, mergeMap } from 'rxjs';
import { z } from 'zod';
export default defineStrategy({
  name: 'busy', contract: 1, description: 'Many orders.', scopes: ['trade'],
  params: z.object({}),
  setup: (ctx) => ctx.candles(ctx.symbol, '1m').pipe(
    mergeMap((bar) => from(Array.from({ length: 8 }, () => placeOrder.limit({
      symbol: ctx.symbol, side: 'buy', size: 0.001, time_in_force: 'ioc',
      price: Math.round(bar.close * 0.98),
    })))),
  ),
});
`;

interface Key {
  key_id: string;
  secret: string;
}

let workshop: Workshop;
let server: TestServer;
let witness: Witness;
let bot: Started;
let first: Key;

const isOrder = ({ method, path }: Witnessed): boolean => method === 'POST' && path === '/v1/order';
const orders = (): Witnessed[] => witness.requests.filter(isOrder);
const keysInOrder = (list: readonly Witnessed[]): string[] =>
  list.map(({ keyId }) => keyId).filter((keyId, at, all) => keyId !== all[at - 1]);

async function makeKey(scopes = ['read', 'trade', 'algo']): Promise<Key> {
  const { body } = await server.control('POST', '/paper/keys', {
    label: 'more',
    scopes,
    tier: 'elite',
  });
  const key = body as Key;
  witness.know(key.key_id, key.secret);
  return key;
}

/** As a secret store writes a file: whole, in place of the one before. */
function put(name: string, text: string): void {
  const path = join(workshop.folder, name);
  writeFileSync(`${path}.new`, `${text}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

function putKey({ key_id, secret }: Key): void {
  put('key_id', key_id);
  put('secret', secret);
}

async function cli(...args: string[]): Promise<{ code: number | null; text: string }> {
  const reported = workshop.start(args);
  const [code] = (await once(reported.child, 'close')) as [number | null];
  return { code, text: reported.text() };
}

const revoke = ({ key_id }: Key) => server.control('DELETE', `/paper/keys/${key_id}`);
const countedBy = ({ key_id }: Key): number =>
  orders().filter(({ keyId, status }) => keyId === key_id && status !== undefined).length;

/** What must hold of every request that passed, whenever it passed. */
function checkRequests(): void {
  const wrong = witness.requests.filter(
    ({ keyId, signedBy }) => signedBy.length !== 1 || signedBy[0] !== keyId,
  );
  expect(wrong).toEqual([]);
  const refused = witness.requests.filter(
    ({ status }) => status === 401 || status === 403 || status === 409,
  );
  expect(refused).toEqual([]);
  expect(orders().filter(({ othersOpen }) => othersOpen > 0)).toEqual([]);
  expect(bot.text(), 'no stream was lost').not.toContain('socket lost');
  expect(keysInOrder(orders()).length, 'the keys of orders are in order').toBe(
    new Set(orders().map(({ keyId }) => keyId)).size,
  );
}

async function startBot(): Promise<void> {
  bot = workshop.start(['run', 'bot.yaml', '--log-level', 'info']);
  await expect.poll(() => orders().length, { timeout: 60_000 }).toBeGreaterThan(100);
}

beforeEach(async () => {
  workshop = openWorkshop('rotate');
  server = await openTestServer({ tier: 'elite', paused: false, speed: 600, balance: 1e8 });
  witness = await openWitness(server.baseUrl);
  first = { key_id: server.keyId, secret: server.secret };
  witness.know(first.key_id, first.secret);
  putKey(first);
  workshop.write('own.ts', BUSY);
  workshop.write(
    'bot.yaml',
    `name: remote
link:
  kind: paper_service
  base_url: ${witness.base_url}
  ws_url: ${witness.ws_url}
  key_id: { file: ./key_id }
  secret: { file: ./secret }
strategies:
  - { name: own, use: ./own.ts, symbols: [BTC] }
guards: { max_intents_per_minute: 100000, max_decision_age_seconds: 100000, max_data_age_seconds: 100000, max_order_size: { BTC: 1 } }
journal: ./bot.sqlite
`,
  );
}, 120_000);

afterEach(async () => {
  workshop.close();
  witness.close();
  await server.close();
});

it('the command replaces the key under load: none lost, none refused, each signed once', async () => {
  await startBot();
  const next = await makeKey();
  // In files that the bot does not watch: it must not be quicker than the command.
  put('next_id', next.key_id);
  put('next_secret', next.secret);
  const config = readFileSync(join(workshop.folder, 'bot.yaml'), 'utf8');
  workshop.write(
    'bot.yaml',
    config.replace('./key_id', './next_id').replace('./secret', './next_secret'),
  );
  const rotated = await cli('rotate', 'bot.yaml', '--reason', 'a test');
  expect(rotated).toEqual({ code: 0, text: expect.stringContaining(`signs with ${next.key_id}`) });
  await revoke(first);
  const before = countedBy(next);
  await expect.poll(() => countedBy(next), { timeout: 30_000 }).toBeGreaterThan(before + 200);
  checkRequests();
  expect(keysInOrder(orders())).toEqual([first.key_id, next.key_id]);
  const latches = await cli('journal', 'latches', 'bot.yaml');
  expect(latches.text).toMatch(new RegExp(`api key +.*${next.key_id}.*a test`));
  for (const { secret } of [first, next]) expect(bot.text() + latches.text).not.toContain(secret);
}, 120_000);

it('a changed file replaces the key by itself, also while answers are late', async () => {
  await startBot();
  const next = await makeKey();
  witness.delay(300);
  putKey(next);
  await expect.poll(() => bot.text(), { timeout: 30_000 }).toContain('Signs with the key');
  await revoke(first);
  witness.delay(0);
  const before = countedBy(next);
  await expect.poll(() => countedBy(next), { timeout: 30_000 }).toBeGreaterThan(before + 100);
  checkRequests();
  expect(keysInOrder(orders())).toEqual([first.key_id, next.key_id]);
  const unknown = await cli('journal', 'list', 'bot.yaml', '--state', 'unknown');
  expect(unknown.text).not.toContain('place_order');
}, 120_000);

it('a key that the service refuses, or that lacks a scope, leaves the old one in use', async () => {
  await startBot();
  const strange = { key_id: 'vk_strange', secret: 'vs_strange-strange-strange' };
  put('key_id', strange.key_id);
  put('secret', strange.secret);
  const refused = await cli('rotate', 'bot.yaml');
  expect(refused).toEqual({
    code: 1,
    text: expect.stringMatching(
      /stays on its key: vk_strange can't be used: unknown_key: [^.;]*; do key_id and secret belong together\?\n/s,
    ),
  });
  const readOnly = await makeKey(['read']);
  putKey(readOnly);
  const lacking = await cli('rotate', 'bot.yaml');
  expect(lacking).toEqual({ code: 1, text: expect.stringContaining('lacks the scope trade') });
  const before = countedBy(first);
  await expect.poll(() => countedBy(first), { timeout: 30_000 }).toBeGreaterThan(before + 100);
  expect(keysInOrder(orders())).toEqual([first.key_id]);
  expect(bot.text()).toContain('The key is not replaced');
  expect(bot.text() + refused.text).not.toContain(strange.secret);
}, 120_000);

it('a missing or half-written file is reported, and the bot goes on with the key in use', async () => {
  await startBot();
  const next = await makeKey();
  rmSync(join(workshop.folder, 'secret'));
  await expect.poll(() => bot.text(), { timeout: 30_000 }).toContain('does not exist');
  put('key_id', next.key_id);
  put('secret', next.secret.slice(0, 9));
  await expect.poll(() => bot.text(), { timeout: 30_000 }).toContain('invalid_signature');
  expect(keysInOrder(orders())).toEqual([first.key_id]);
  put('secret', next.secret);
  await expect.poll(() => bot.text(), { timeout: 30_000 }).toContain('Signs with the key');
  expect(bot.text()).not.toContain(next.secret.slice(0, 9));
}, 120_000);

it('while the service is away the old key stays, and the new one follows once it is back', async () => {
  await startBot();
  const next = await makeKey();
  witness.cut(true);
  await expect.poll(() => bot.text(), { timeout: 30_000 }).toContain('socket lost');
  putKey(next);
  const away = await cli('rotate', 'bot.yaml');
  expect(away).toEqual({ code: 1, text: expect.stringContaining('stays on its key') });
  witness.cut(false);
  await expect.poll(() => bot.text(), { timeout: 60_000 }).toContain('Signs with the key');
  const again = await cli('rotate', 'bot.yaml');
  const both = new RegExp(`signs with ${next.key_id}, since .*in place of ${first.key_id}`);
  expect(again).toEqual({ code: 0, text: expect.stringMatching(both) });
  await revoke(first);
  await expect.poll(() => countedBy(next), { timeout: 60_000 }).toBeGreaterThan(50);
  expect(keysInOrder(orders())).toEqual([first.key_id, next.key_id]);
  expect(witness.requests.filter(({ status }) => status === 401)).toEqual([]);
}, 120_000);

it('a bot killed during a rotation starts with the new key, and finds what the old one sent', async () => {
  await startBot();
  const next = await makeKey();
  witness.delay(1_500);
  putKey(next);
  const command = workshop.start(['rotate', 'bot.yaml']);
  const reads = (): number =>
    witness.requests.filter(({ keyId, path }) => keyId === next.key_id && path === '/v1/stream')
      .length;
  await expect.poll(reads, { timeout: 30_000, interval: 5 }).toBe(1);
  bot.child.kill('SIGKILL');
  await once(bot.child, 'exit');
  command.child.kill('SIGKILL');
  witness.delay(0);
  await revoke(first);
  const before = countedBy(next);
  bot = workshop.start(['run', 'bot.yaml', '--log-level', 'info']);
  await expect.poll(() => countedBy(next), { timeout: 60_000 }).toBeGreaterThan(before + 50);
  expect(keysInOrder(orders())).toEqual([first.key_id, next.key_id]);
  const accepted = orders().filter(({ status }) => status === 200 || status === 201);
  const keys = accepted.map(({ idempotencyKey }) => idempotencyKey);
  expect(new Set(keys).size, 'nothing is placed twice').toBe(keys.length);
}, 120_000);

it('a secret in a variable is reported with its remedy, which needs no restart', async () => {
  const text = readFileSync(join(workshop.folder, 'bot.yaml'), 'utf8');
  const named = text.replace('secret: { file: ./secret }', 'secret: { env: TRIMTAB_TEST_SECRET }');
  workshop.write(
    'bot.yaml',
    named.replace('key_id: { file: ./key_id }', `key_id: ${first.key_id}`),
  );
  bot = workshop.start(['run', 'bot.yaml'], { TRIMTAB_TEST_SECRET: first.secret });
  await expect.poll(() => orders().length, { timeout: 60_000 }).toBeGreaterThan(20);
  const same = await cli('rotate', 'bot.yaml');
  expect(same).toEqual({
    code: 1,
    text: expect.stringMatching(/environment variable TRIMTAB_TEST_SECRET, which can't change/),
  });
  const next = await makeKey();
  putKey(next);
  workshop.write('bot.yaml', text);
  expect((await cli('rotate', 'bot.yaml')).code).toBe(0);
}, 120_000);
