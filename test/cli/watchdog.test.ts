/** What `trimtab watchdog` asks of its key before it watches. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Scope } from '../../src/contract/index.ts';
import { createSqliteStore } from '../../src/journal/index.ts';
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
