import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig, type BotConfig } from '../../../src/config/index.ts';
import { controlFilesOfBot } from '../../../src/operate/control/index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-places-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function load(name: string): Promise<BotConfig> {
  const env = { DATABASE: 'postgres://bot:hidden@db/trading?sslmode=verify-full', SECRET: 'vs_a' };
  const loaded = await loadConfig(join(folder, name), { env });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  return loaded.config;
}

/** A bot's configuration with this journal, as one that is read from a file. */
function write(name: string, journal: string): void {
  const link = `{ kind: paper_service, base_url: "http://127.0.0.1:1", ws_url: "ws://127.0.0.1:1", key_id: vk_a, secret: { env: SECRET } }`;
  const strategies = '[{ name: own, use: ./own.ts, symbols: [BTC], wallet: main }]';
  const text = `name: same\nlink: ${link}\nstrategies: ${strategies}\njournal: ${journal}\n`;
  writeFileSync(join(folder, name), text);
}

const IN_DATABASE = '{ url: { env: DATABASE } }';

test('with a journal in a database they are beside the configuration, without its address', async () => {
  write('a.yaml', IN_DATABASE);
  const path = join(folder, 'a.yaml');
  const files = {
    command: `${path}.order.json`,
    pulse: `${path}.pulse.json`,
    settlement: `${path}.settlement.json`,
    settled: `${path}.settled.json`,
    strategy: `${path}.strategy.json`,
    strategyDone: `${path}.strategy-done.json`,
    rotation: `${path}.rotation.json`,
    rotationDone: `${path}.rotation-done.json`,
  };
  expect(controlFilesOfBot(await load('a.yaml'))).toEqual(files);

  // A symbolic link names the same bot.
  symlinkSync(path, join(folder, 'link.yaml'));
  expect(controlFilesOfBot(await load('link.yaml'))).toEqual(files);
});

test('a configuration in a read-only folder can name another one for them', async () => {
  const control = join(folder, 'run');
  write('a.yaml', '{ url: { env: DATABASE }, control_directory: ./run }');
  const files = controlFilesOfBot(await load('a.yaml'));
  expect(files?.command).toMatch(/^(.+)\/a\.yaml\.[0-9a-f]{8}\.order\.json$/);
  expect(dirname(files!.command)).toBe(control);

  // A bot of another folder whose configuration has the same name is another bot.
  mkdirSync(join(folder, 'other'));
  write('other/a.yaml', '{ url: { env: DATABASE }, control_directory: ../run }');
  const other = controlFilesOfBot(await load('other/a.yaml'));
  expect(dirname(other!.command)).toBe(control);
  expect(other!.command).not.toBe(files!.command);
});

test('a journal in a file has them beside it, and no other place', async () => {
  write('a.yaml', '{ path: ./bot.sqlite, control_directory: ./run }');
  await expect(load('a.yaml')).rejects.toThrow('a control_directory, which needs a url');
});

test('two bots of one name and database in one folder have separate files', async () => {
  write('a.yaml', IN_DATABASE);
  write('b.yaml', IN_DATABASE);
  const [a, b] = [controlFilesOfBot(await load('a.yaml')), controlFilesOfBot(await load('b.yaml'))];
  expect(new Set([a?.command, a?.pulse, b?.command, b?.pulse]).size).toBe(4);
});

test('with a journal in a file they are beside it; in memory there are none', async () => {
  write('a.yaml', './var/bot.sqlite');
  expect(controlFilesOfBot(await load('a.yaml'))).toEqual({
    command: join(folder, 'var/bot.sqlite.order.json'),
    pulse: join(folder, 'var/bot.sqlite.pulse.json'),
    settlement: join(folder, 'var/bot.sqlite.settlement.json'),
    settled: join(folder, 'var/bot.sqlite.settled.json'),
    strategy: join(folder, 'var/bot.sqlite.strategy.json'),
    strategyDone: join(folder, 'var/bot.sqlite.strategy-done.json'),
    rotation: join(folder, 'var/bot.sqlite.rotation.json'),
    rotationDone: join(folder, 'var/bot.sqlite.rotation-done.json'),
  });
  write('a.yaml', 'memory');
  expect(controlFilesOfBot(await load('a.yaml'))).toBeNull();
});

test('a link to a journal’s file leads to the files of the same bot, also before there is a journal', async () => {
  write('a.yaml', './bot.sqlite');
  const files = controlFilesOfBot(await load('a.yaml'));
  symlinkSync('bot.sqlite', join(folder, 'link.sqlite'));
  write('b.yaml', './link.sqlite');
  expect(controlFilesOfBot(await load('b.yaml'))).toEqual(files);
  writeFileSync(join(folder, 'bot.sqlite'), '');
  expect(controlFilesOfBot(await load('b.yaml'))).toEqual(files);
});
