/** What `trimtab watchdog` asks of its key before it watches. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Scope } from '../../src/contract/index.ts';
import { createSqliteStore } from '../../src/journal/index.ts';
import { controlFilesOf, writeWhole } from '../../src/operate/control/controlFiles.ts';
import { openTestServer } from '../paper/server/openTestServer.ts';
import { startPaper } from '../wire/startPaper.ts';
import { runMain } from './runMain.ts';

/** Starts the watchdog of a bot that trades in these wallets, with a key of these scopes. */
async function watch(scopes: readonly Scope[], wallets: readonly string[]) {
  const { server, controls } = await startPaper();
  const key = await controls.createKey({ label: 'watchdog', scopes: scopes });
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-cli-watchdog-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await createSqliteStore(join(folder, 'bot.sqlite')).close();
  writeFileSync(join(folder, 'secret'), key.secret, { mode: 0o600 });
  const strategies = wallets.map(
    (wallet, at) => `{ name: own${at}, use: ./own.ts, symbols: [BTC], wallet: ${wallet} }`,
  );
  const config = join(folder, 'bot.yaml');
  writeFileSync(
    config,
    `name: remote
link: { kind: paper_service, base_url: "${server.baseUrl}", key_id: vk_a, secret: { env: NONE } }
strategies: [${strategies.join(', ')}]
journal: ./bot.sqlite
watchdog: { key_id: ${key.key_id}, secret: { file: ./secret } }
`,
  );
  return runMain('watchdog', config);
}

test.each<[Scope[], string]>([
  [['read'], 'trade and algo'],
  [['read', 'trade'], 'algo'],
  [['read', 'algo'], 'trade'],
])(
  'a key with %j could end nothing, and is refused at the start (AUTH-4)',
  async (scopes, lacking) => {
    const { code, err } = await watch(scopes, ['main']);
    expect(code).toBe(1);
    expect(err).toContain(`The watchdog can't end what is open: its key lacks ${lacking}`);
    expect(err).toContain('the scopes read, trade and algo');
  },
);

test('each wallet of the bot is asked for, not the first alone', async () => {
  const { code, err } = await watch(['read', 'trade', 'algo'], ['main', 'elsewhere']);
  expect(code).toBe(1);
  expect(err).toContain("The watchdog can't read elsewhere");
});

/** A watchdog of a bot that wrote its last pulse just now. */
async function guard(baseUrl: string, keyId: string, secret: string, hasJournal = true) {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-cli-watchdog-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'bot.sqlite');
  if (hasJournal) await createSqliteStore(path).close();
  writeFileSync(join(folder, 'secret'), secret, { mode: 0o600 });
  const config = join(folder, 'bot.yaml');
  writeFileSync(
    config,
    `name: remote
link: { kind: paper_service, base_url: "${baseUrl}", key_id: vk_a, secret: { env: NONE } }
strategies: [{ name: own, use: ./own.ts, symbols: [BTC], wallet: main }]
journal: ./bot.sqlite
watchdog: { key_id: ${keyId}, secret: { file: ./secret }, silence_seconds: 5 }
`,
  );
  const files = controlFilesOf(path);
  writeWhole(files.pulse, { pid: 1, time: Date.now(), level: 'L0', obeyed: 0, reasons: [] });
  const createJournal = () => createSqliteStore(path).close();
  return { ended: runMain('watchdog', config), files, createJournal };
}
const slow = { timeout: 60_000 };

test(
  'a bot that is silent for as long as its section says is acted on, and what is left ends with 4',
  slow,
  async () => {
    const server = await openTestServer();
    onTestFinished(() => server.close());
    const { ended, files } = await guard(server.baseUrl, server.keyId, server.secret);
    // Later, so that the start finds its key right.
    await vi.waitFor(() => expect(existsSync(files.command)).toBe(true), {
      timeout: 25_000,
      interval: 200,
    });
    await server.control('POST', '/paper/faults', { kind: 'error_503', match: 'GET /v1' });
    // A look or two finds the lists unreadable.
    await new Promise((resolve) => void setTimeout(resolve, 7_000));
    process.emit('SIGINT');
    const { code, err } = await ended;
    expect(err).toContain('watching remote: L2 once it is silent for 5 s');
    expect([code, err]).toEqual([4, expect.stringContaining('TRIMTAB_BOT_UNENDED')]);
    expect(err).toMatch(
      /remote is silent, and the watchdog could not end or read:\n {2}main: \w+ can't be read/,
    );
  },
);

test('a service that is away at the start keeps no watchdog from its watch', slow, async () => {
  const { ended } = await guard('http://127.0.0.1:1', 'vk_b', 'vs_b');
  await new Promise((resolve) => void setTimeout(resolve, 2_000));
  process.emit('SIGINT');
  const { code, err } = await ended;
  expect([code, err]).toEqual([0, expect.stringContaining('watching remote: L2 once')]);
  expect(err).toContain("The watchdog's key can't be examined");
});

test(
  'beside the first start of a bot it waits for the journal, or for its stop',
  slow,
  async () => {
    const { ended, createJournal } = await guard('http://127.0.0.1:1', 'vk_b', 'vs_b', false);
    const later = (ms: number) => new Promise((resolve) => void setTimeout(resolve, ms));
    await later(1_500);
    await createJournal();
    await later(3_000);
    process.emit('SIGINT');
    const { code, err } = await ended;
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/remote has no journal in .* yet: waiting/),
    ]);
    expect(err.match(/waiting for its first start/g)).toHaveLength(1);
    expect(err).toContain('watching remote: L2 once');
    const unmade = await guard('http://127.0.0.1:1', 'vk_b', 'vs_b', false);
    await later(500);
    process.emit('SIGINT');
    const stopped = await unmade.ended;
    expect([stopped.code, stopped.err]).toEqual([0, expect.not.stringContaining('watching')]);
  },
);
