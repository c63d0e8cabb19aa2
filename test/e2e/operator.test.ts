import { once } from 'node:events';
import { readFileSync } from 'node:fs';
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

const READ = 'read-token-of-the-test';
const CONTROL = 'control-token-of-the-test';

let workshop: Workshop;
let service: Service;
let client: Client;
let bot: Started;
let address: string;
let closeClient: () => Promise<void>;

const environment = () => ({
  TRIMTAB_TEST_SECRET: service.secret,
  OPS_READ: READ,
  OPS_CTL: CONTROL,
});

beforeEach(async () => {
  workshop = openWorkshop('operator');
  service = await workshop.startPaper(60);
  ({ client, close: closeClient } = openClient(service));
  workshop.write('own.ts', everyBar);
  const operate = `operate:
  listen: 127.0.0.1:0
  read_token: { env: OPS_READ }
  control_token: { env: OPS_CTL }
`;
  workshop.write('bot.yaml', remoteBot(service, operate));
  await start();
}, 120_000);

afterEach(async () => {
  await closeClient();
  workshop.close();
});

async function start(): Promise<void> {
  bot = workshop.start(['run', 'bot.yaml', '--log-level', 'info'], environment());
  const line = /operator's page at (\S+)/;
  await expect.poll(() => line.exec(bot.text())?.[1], { timeout: 30_000 }).toBeDefined();
  address = line.exec(bot.text())![1]!;
  await expect.poll(async () => (await read('/readyz')).status, { timeout: 30_000 }).toBe(200);
}

async function read(path: string) {
  const answer = await fetch(new URL(path, address), {
    headers: { authorization: `Bearer ${READ}` },
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any field of an answer
  return { status: answer.status, body: (await answer.json()) as any };
}

let count = 0;
async function control(path: string, body: object, token = CONTROL) {
  const answer = await fetch(new URL(path, address), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ nonce: `nonce-${count++}-test`, reason: 'a test', ...body }),
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any field of an answer
  return { status: answer.status, body: (await answer.json()) as any };
}

async function command(...args: string[]): Promise<string> {
  const started = workshop.start(args);
  await once(started.child, 'close');
  return started.text();
}

const strategy = async () => (await read('/api/state')).body.blocks.strategies[0];
const level = async () => (await read('/api/state')).body.blocks.bot.kill_level;
const sizeHeld = () => sizeHeldOf(client);

it('an operator pauses a strategy, resumes it, kills and re-arms, and the journal says why', async () => {
  await expect.poll(sizeHeld, { timeout: 30_000 }).toBeGreaterThan(0);

  expect(await control('/api/strategies/own/pause', { reason: 'looks odd' })).toEqual({
    status: 200,
    body: { strategy: 'own', paused: true },
  });
  await expect
    .poll(() => command('status', 'bot.yaml'), { timeout: 10_000 })
    .toMatch(/remote is degraded[^]*strategy own is paused: looks odd/);
  const held = await sizeHeld();
  await expect
    .poll(async () => (await strategy()).denied['entry_gate'] ?? 0, { timeout: 30_000 })
    .toBeGreaterThan(1);
  expect((await strategy()).paused).toContain('looks odd');
  expect(await sizeHeld()).toBeLessThanOrEqual(held + 0.001 + 1e-9);
  // It outlives the process.
  bot.child.kill('SIGKILL');
  await once(bot.child, 'exit');
  await start();
  expect((await strategy()).paused).toContain('looks odd');
  const after = await sizeHeld();
  expect(await command('resume', 'bot.yaml', 'own')).toBe('own of remote may enter again.\n');
  await expect.poll(sizeHeld, { timeout: 30_000 }).toBeGreaterThan(after);
  expect((await strategy()).paused).toBeNull();

  expect((await control('/api/kill', { level: 'L3' })).status).toBe(422);
  expect((await control('/api/kill', { level: 'L3', name: 'other' })).status).toBe(422);
  expect(await level()).toBe('L0');
  const killed = await control('/api/kill', { level: 'L3', name: 'remote', reason: 'go flat' });
  expect(killed).toEqual({
    status: 200,
    body: expect.objectContaining({ level: 'L3', not_ended: [] }),
  });
  expect(await sizeHeld()).toBe(0);
  expect(await level()).toBe('L3');
  expect((await control('/api/rearm', {})).body).toMatchObject({ level: 'L0', gate: [] });
  await expect.poll(sizeHeld, { timeout: 30_000 }).toBeGreaterThan(0);

  const latches = await command('journal', 'latches', 'bot.yaml');
  for (const row of [/pause own +looks odd/, /kill L3 +go flat/, /rearm \(now\) +a test/])
    expect(latches).toMatch(row);
  expect(bot.text() + latches).not.toContain(CONTROL);
}, 180_000);

it('a command is carried out once, by those who may, in one shape', async () => {
  const nonce = 'the-same-nonce';
  expect((await control('/api/kill', { level: 'L1', nonce })).status).toBe(200);
  expect((await control('/api/rearm', {})).status).toBe(200);
  // The first command comes again, as from a proxy that repeats it.
  const again = await control('/api/kill', { level: 'L1', nonce });
  expect([again.status, again.body.error.code]).toEqual([409, 'nonce_used']);
  expect(await level()).toBe('L0');

  const refused: Array<[string, object, number]> = [
    ['/api/kill', { level: 'L0' }, 422],
    ['/api/kill', { level: 'L1', reason: '' }, 422],
    ['/api/kill', { level: 'L1', reason: 'two\nlines' }, 422],
    ['/api/kill', { level: 'L1', nonce: 'short' }, 422],
    ['/api/kill', { level: 'L1', more: true }, 422],
    ['/api/kill', {}, 422],
    ['/api/settle', { key: 'nothing', as: 'absent' }, 404],
    ['/api/settle', { key: 'nothing', as: 'absent', records: ['exe_1'] }, 422],
    ['/api/strategies/nobody/pause', {}, 404],
    ['/api/strategies/own/stop', {}, 404],
    ['/api/strategies/nobody/promote', {}, 404],
    ['/api/strategies/own/promote', { move: 'shadow' }, 422],
    ['/api/strategies/own/promote', { hand_over: 'BTC' }, 422],
    ['/api/strategies/own/promote', { move: 'back' }, 409],
    ['/api/strategies/own/promote', {}, 409],
  ];
  for (const [path, body, status] of refused)
    expect([path, body, (await control(path, body)).status]).toEqual([path, body, status]);
  expect((await control('/api/kill', { level: 'L1' }, READ)).status).toBe(401);
  expect(await level()).toBe('L0');

  // What is settled already, or was answered, is not settled again.
  const { body } = await read('/api/intents?state=accepted&limit=1');
  const [{ key }] = body.items;
  const settled = await control('/api/settle', { key, as: 'absent' });
  expect([settled.status, settled.body.error.code]).toEqual([409, 'refused']);
  const intent = (await read(`/api/intents/${key.slice(0, 12)}`)).body;
  expect(intent).toMatchObject({ key, state: 'accepted', strategy: 'own' });
  expect(intent.explanation).toContain('In short');
}, 120_000);

it('a day is reported from the journal with the P&L of the service, and a status is watched', async () => {
  await expect.poll(sizeHeld, { timeout: 30_000 }).toBeGreaterThan(0);
  const watched = workshop.start(['status', 'bot.yaml', '--watch']);
  await expect.poll(watched.text, { timeout: 30_000 }).toContain('remote is well');
  expect((await control('/api/kill', { level: 'L1' })).status).toBe(200);
  await expect.poll(watched.text, { timeout: 30_000 }).toContain('kill level L1');
  await expect
    .poll(async () => (await strategy()).denied['entry_gate'] ?? 0, { timeout: 30_000 })
    .toBeGreaterThan(0);
  const { time } = (await read('/api/state')).body as { time: number };
  const marketDay = new Date(time).toISOString().slice(0, 10);
  bot.child.kill('SIGTERM');
  await once(bot.child, 'exit');
  await expect.poll(watched.text, { timeout: 30_000 }).toContain('it was stopped cleanly');
  // Each change is a line of its own.
  expect(watched.text().match(/UTC {2}remote is/g)!.length).toBeLessThan(8);
  watched.child.kill('SIGINT');
  const [code] = (await once(watched.child, 'exit')) as [number | null];
  expect(code).toBe(2);

  const started = workshop.start(
    ['report', 'bot.yaml', '--day', '--json', 'day.json'],
    environment(),
  );
  await once(started.child, 'close');
  const day = JSON.parse(readFileSync(join(workshop.folder, 'day.json'), 'utf8'));
  // The same from the export, intent by intent.
  const lines = (await command('journal', 'export', 'bot.yaml')).split('\n').filter(Boolean);
  const states = lines.map((line) => (JSON.parse(line) as { state: string }).state);
  const counted = Object.fromEntries(
    [...new Set(states)].map((state) => [state, states.filter((one) => one === state).length]),
  );
  expect(day.intents).toEqual(counted);
  expect(day.strategies).toMatchObject([
    { strategy: 'own', refused: { entry_gate: counted['denied'] } },
  ]);
  expect(day.strategies[0].kinds).toEqual({ place_order: counted['accepted'] });
  expect(day.latches.map(({ name }: { name: string }) => name)).toContain('kill');
  expect(day.pnl[0]).toMatchObject({ wallet: 'main' });

  const text = workshop.start(['report', 'bot.yaml', '--day'], environment());
  await once(text.child, 'close');
  expect(text.text()).toMatch(/^own .*place_order \d+ +entry_gate \d+$/m);
  // The service counts days of the replay.
  const market = workshop.start(['report', 'bot.yaml', '--day', marketDay], environment());
  await once(market.child, 'close');
  expect(market.text()).toMatch(/^main +BTC +[-\d]/m);
  // From a terminal without the bot's secrets the journal's part stands alone.
  const alone = await command('report', 'bot.yaml', '--day');
  expect(alone).toMatch(/^own .*place_order \d+ +entry_gate \d+$/m);
  expect(alone).toContain('P&L is left out: the environment variable TRIMTAB_TEST_SECRET');
  const other = await command('report', 'bot.yaml', '--day', '2026-13-01');
  expect(other).toContain('a day is such as 2026-11-23');
  expect(await command('report', 'bot.yaml', '--html', 'x.html')).toContain('has no --html');
}, 120_000);
