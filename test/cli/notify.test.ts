import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openReceiver, type Receiver } from '../operate/notify/receivers.ts';
import { runMain } from './runMain.ts';

let folder: string;
let good: Receiver;
let refusing: Receiver;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-cli-notify-'));
  good = await openReceiver();
  refusing = await openReceiver((response) => response.writeHead(404).end());
  vi.stubEnv('TRIMTAB_TEST_GOOD', good.url);
  vi.stubEnv('TRIMTAB_TEST_REFUSING', refusing.url);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
  await good.close();
  await refusing.close();
});

function writeConfig(...names: string[]): string {
  const path = join(folder, 'bot.yaml');
  const paper = '{ feeds: [{ symbol: BTC, interval: 1m, generate: {} }] }';
  const channels = names.map((name) => `{ kind: webhook, url: { env: ${name} } }`);
  writeFileSync(
    path,
    `name: watched\nlink: { kind: paper }\npaper: ${paper}\nstrategies: [{ name: one, use: ./one.ts, symbols: [BTC] }]\noperate: { notify: [${channels.join(', ')}] }\n`,
  );
  return path;
}

test('a test message goes to each channel, once', async () => {
  const { code, out, err } = await runMain('notify', writeConfig('TRIMTAB_TEST_GOOD'));
  expect([code, out, err]).toEqual([0, 'webhook notify[0]: delivered\n', '']);
  expect(good.got).toHaveLength(1);
  expect(good.texts()[0]).toContain('[watched] PAGE: a test of this channel');
});

test('a channel that refuses is named, without its address, and the others get theirs', async () => {
  const path = writeConfig('TRIMTAB_TEST_REFUSING', 'TRIMTAB_TEST_GOOD');
  const { code, out, err } = await runMain('notify', path);
  expect(code).toBe(1);
  expect(out).toBe('webhook notify[0]: HTTP 404\nwebhook notify[1]: delivered\n');
  expect(err).toContain('TRIMTAB_NOTIFY_FAILED');
  expect(err).toContain('Not delivered: webhook notify[0].');
  expect(out + err).not.toContain('secret');
});

test('without channels it says so', async () => {
  const { code, err } = await runMain('notify', writeConfig());
  expect(code).toBe(1);
  expect(err).toContain('operate.notify is missing or empty');
});

test('a channel that would be tried again did not take the test, and is named', async () => {
  const busy = await openReceiver((response) => response.writeHead(503).end());
  vi.stubEnv('TRIMTAB_TEST_BUSY', busy.url);
  const { code, out, err } = await runMain('notify', writeConfig('TRIMTAB_TEST_BUSY'));
  await busy.close();
  expect([code, out]).toEqual([1, 'webhook notify[0]: HTTP 503\n']);
  expect(err).toContain('Not delivered: webhook notify[0].');
});
