import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import type { Client } from '../../src/wire/index.ts';
import { openClient, sizeHeldOf } from './openClient.ts';
import { everyBar } from './plugins.ts';
import {
  openWorkshop,
  remoteBot,
  type Service,
  type Started,
  type Workshop,
} from './startProcess.ts';
import { inTurn } from '../inTurn.ts';

const it = inTurn(3);

let workshop: Workshop;
let service: Service;
let client: Client;
let closeClient: () => Promise<void>;
let bot: Started;

beforeEach(async () => {
  workshop = openWorkshop('doctor');
  service = await workshop.startPaper(120);
  ({ client, close: closeClient } = openClient(service));
  workshop.write('own.ts', everyBar);
  workshop.write('bot.yaml', remoteBot(service));
  start();
  await expect.poll(sizeHeld, { timeout: 30_000 }).toBeGreaterThan(0);
}, 120_000);

afterEach(async () => {
  await closeClient();
  workshop.close();
});

const environment = () => ({ TRIMTAB_TEST_SECRET: service.secret });
const sizeHeld = () => sizeHeldOf(client);

function start(): void {
  bot = workshop.start(['run', 'bot.yaml', '--log-level', 'info'], environment());
}

async function stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  bot.child.kill(signal);
  if (bot.child.exitCode === null && bot.child.signalCode === null) await once(bot.child, 'exit');
}

async function command(...args: string[]): Promise<{ code: number | null; text: string }> {
  const started = workshop.start(args, environment());
  const [code] = (await once(started.child, 'close')) as [number | null];
  return { code, text: started.text() };
}

interface Row {
  check: string;
  state: string;
  text: string;
  remedy?: string;
}
async function examine(...args: string[]): Promise<{ code: number | null; rows: Row[] }> {
  const { code, text } = await command('doctor', '--json', ...args);
  return { code, rows: JSON.parse(text) as Row[] };
}
const stateOf = (rows: readonly Row[], check: string) =>
  rows.filter((row) => row.check === check).map(({ state }) => state);

it('the doctor finds a running bot well, and says what it lacks', async () => {
  const { code, rows } = await examine('bot.yaml');
  expect([code, rows.filter(({ state }) => state === 'bad')]).toEqual([0, []]);
  for (const check of ['configuration', 'plugins', 'folder', 'modes', 'process', 'journal'])
    expect([check, stateOf(rows, check)]).toEqual([check, ['well']]);
  for (const check of ['service', 'clock', 'wallets', 'scopes', 'positions'])
    expect([check, stateOf(rows, check)]).toEqual([check, ['well']]);
  for (const check of ['no stop', 'watchdog', 'backup'])
    expect([check, stateOf(rows, check)]).toEqual([check, ['note']]);
  for (const row of rows.filter(({ state }) => state !== 'well'))
    expect(row.remedy, row.check).toMatch(/\w/);

  expect((await command('journal', 'backup', 'bot.yaml', 'copy.sqlite')).code).toBe(0);
  const table = await command('doctor', 'bot.yaml');
  expect(table.text).toMatch(/ok +backup +today, .*copy\.sqlite/);
  expect(table.text).toMatch(/note +no stop +main: 0\.\d+ of 0\.\d+ BTC/);
  expect(table.text).not.toContain(service.secret);
}, 60_000);

it('the doctor finds what is wrong, and mends what it can', async () => {
  await stop('SIGKILL');
  const journal = join(workshop.folder, 'bot.sqlite');
  chmodSync(journal, 0o644);
  const before = await examine('bot.yaml');
  expect([before.code, stateOf(before.rows, 'modes')]).toEqual([1, ['bad']]);
  expect(stateOf(before.rows, 'process')).toEqual(['note']);
  const mended = await examine('bot.yaml', '--fix');
  expect([mended.code, stateOf(mended.rows, 'modes')]).toEqual([0, ['well']]);
  expect(statSync(journal).mode & 0o777).toBe(0o600);

  // A position whose strategy has left the configuration.
  const moved = remoteBot(service).replace('[BTC]', '[ETH]');
  workshop.write('bot.yaml', moved);
  const orphan = (await examine('bot.yaml')).rows.find(({ check }) => check === 'orphan');
  expect(orphan).toMatchObject({
    state: 'bad',
    text: expect.stringContaining('BTC, which no strategy owns'),
  });
  expect(orphan!.remedy).toContain('--flatten BTC');

  const watched = `watchdog:\n  key_id: ${service.key_id}\n  secret: { env: TRIMTAB_TEST_SECRET }\n`;
  workshop.write('bot.yaml', remoteBot(service, watched));
  expect(stateOf((await examine('bot.yaml')).rows, 'watchdog')).toEqual(['bad']);

  const elsewhere = remoteBot(service).replace('symbols: [BTC]', 'symbols: [BTC], wallet: savings');
  workshop.write('bot.yaml', elsewhere);
  expect(stateOf((await examine('bot.yaml')).rows, 'wallets')).toEqual(['bad']);

  const refused = workshop.start(['doctor', 'bot.yaml'], { TRIMTAB_TEST_SECRET: 'vs_wrong' });
  await once(refused.child, 'close');
  expect(refused.text()).toMatch(/BAD +key /);

  workshop.write('bot.yaml', remoteBot(service).replace('name: own', 'nam: own'));
  const faulty = await examine('bot.yaml');
  expect([faulty.code, faulty.rows[0]]).toMatchObject([
    1,
    { check: 'configuration', state: 'bad' },
  ]);
}, 120_000);

it('a second signal ends a stop at once, and says that it is not done', async () => {
  await stop('SIGKILL');
  bot = workshop.start(['run', 'bot.yaml', '--set', 'stop_policy=flatten'], environment());
  await expect.poll(bot.text, { timeout: 30_000 }).toContain('found open');
  bot.child.kill('SIGTERM');
  await expect.poll(bot.text, { timeout: 5_000, interval: 5 }).toContain('stopping');
  bot.child.kill('SIGINT');
  const [code] = (await once(bot.child, 'close')) as [number | null];
  expect(code).toBe(130);
  expect(bot.text()).toMatch(/Ended at once by a second signal\. .*may be open on the service/);
}, 120_000);

it('drill: backup, kill, restore, start: nothing is doubled, and it enters only after a rearm', async () => {
  expect((await command('journal', 'backup', 'bot.yaml', 'copy.sqlite')).code).toBe(0);
  const held = await sizeHeld();
  await expect.poll(sizeHeld, { timeout: 30_000 }).toBeGreaterThan(held + 0.002);
  // It runs: its journal is its own.
  const inUse = await command('journal', 'restore', 'bot.yaml', 'copy.sqlite');
  expect([inUse.code, inUse.text]).toEqual([1, expect.stringContaining('in use')]);
  await stop('SIGKILL');

  const other = remoteBot(service).replace('symbols: [BTC]', 'symbols: [BTC], wallet: other');
  workshop.write('other.yaml', other.replace('bot.sqlite', 'other.sqlite'));
  const foreign = await command('journal', 'restore', 'other.yaml', 'copy.sqlite');
  expect([foreign.code, foreign.text]).toEqual([1, expect.stringContaining('is the journal of')]);
  expect(existsSync(join(workshop.folder, 'other.sqlite'))).toBe(false);

  const place = ['--journal', join(workshop.folder, 'elsewhere.sqlite')];
  const elsewhere = await command('journal', 'restore', 'bot.yaml', 'copy.sqlite', ...place);
  expect([elsewhere.code, elsewhere.text]).toEqual([
    0,
    expect.stringMatching(/elsewhere\.sqlite: \d+ intents/),
  ]);
  expect(existsSync(place[1]!)).toBe(true);

  const restored = await command('journal', 'restore', 'bot.yaml', 'copy.sqlite');
  expect([restored.code, restored.text]).toEqual([0, expect.stringContaining('starts at L1')]);
  expect(readdirSync(workshop.folder).some((name) => name.includes('.replaced-'))).toBe(true);

  const sentBefore = (await client.orders.history()).items.length;
  start();
  await expect.poll(bot.text, { timeout: 30_000 }).toContain('Kill level L1');
  await expect.poll(bot.text, { timeout: 30_000 }).toContain('place_order denied');
  expect((await client.orders.history()).items.length).toBe(sentBefore);

  expect((await command('rearm', 'bot.yaml')).code).toBe(0);
  const after = await sizeHeld();
  await expect.poll(sizeHeld, { timeout: 30_000 }).toBeGreaterThan(after);
  const { items } = await client.orders.history();
  const keys = items.map(({ client_order_id: id }) => id);
  expect(new Set(keys).size).toBe(keys.length);
  // One order a bar: none was decided twice.
  const bars = items.map(({ created_time: time }) => Math.floor(time / 60_000));
  expect(new Set(bars).size).toBe(bars.length);
  expect((await command('journal', 'verify', 'bot.yaml')).code).toBe(0);
}, 180_000);
