import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { BotConfig } from '../../../src/config/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { ACCOUNT, createSqliteReader, createSqliteStore } from '../../../src/journal/index.ts';
import { examineBelonging } from '../../../src/operate/doctor/examineBelonging.ts';
import { examineWatchdog } from '../../../src/operate/doctor/examineWatchdog.ts';
import { connectService } from '../../../src/service/index.ts';
import { latchStage } from '../../../src/runtime/index.ts';
import { startPaper } from '../../wire/startPaper.ts';

test('the watchdog’s key has to reach every wallet of the bot, not the first alone', async () => {
  const { server, controls } = await startPaper();
  const scopes = ['read', 'trade', 'algo'] as const;
  const key = await controls.createKey({ label: 'watchdog', scopes });
  const examine = async (...wallets: string[]) => {
    const config = {
      directory: '/',
      link: { kind: 'paper_service', baseUrl: server.baseUrl, keyId: server.keyId },
      strategies: wallets.map((wallet) => ({ name: wallet, wallet, symbols: ['BTC'] })),
      watchdog: { key_id: key.key_id, secret: { env: 'SECRET' }, silence_seconds: 5 },
    } as unknown as BotConfig;
    const [finding] = await examineWatchdog({
      config,
      environment: { SECRET: key.secret },
      async withKey({ keyId, secret }, use) {
        const address = { ...server, keyId, secret: secret.reveal() };
        const service = connectService(address, { env: createLiveEnv() });
        return use(service.client).finally(() => service.http.close());
      },
    });
    return finding!;
  };
  expect(await examine('main', 'second')).toMatchObject({ state: 'well' });
  expect(await examine('main', 'elsewhere')).toMatchObject({
    state: 'bad',
    text: expect.stringContaining("can't read elsewhere") as unknown,
  });
});

test('a key that the bot has as well is bad, also where its secret can not be read', async () => {
  const config = {
    directory: '/',
    link: { kind: 'live', keyId: 'vk_same' },
    strategies: [],
    watchdog: { key_id: 'vk_same', secret: { env: 'NOT_HERE' }, silence_seconds: 5 },
  } as unknown as BotConfig;
  const withKey = () => Promise.reject(new Error('nobody is asked'));
  const found = await examineWatchdog({ config, environment: {}, withKey });
  expect(found).toMatchObject([{ state: 'bad', text: 'it has the key of the bot' }]);
});

/** A journal with what was written into it, beside this configuration. */
async function belonging(
  prepare: (store: ReturnType<typeof createSqliteStore>) => void | Promise<void>,
  { account, shadow }: { account?: string; shadow?: string } = {},
): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-belonging-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'bot.sqlite');
  const store = createSqliteStore(path);
  await prepare(store);
  await store.close();
  const config = {
    name: 'bot',
    file: 'bot.yaml',
    directory: '/bots',
    link: { kind: 'live', baseUrl: 'https://service.example' },
    journal: { path, ...(account !== undefined && { account }) },
    strategies: [
      {
        name: 'trend',
        use: '/bots/trend.ts',
        wallet: 'main',
        symbols: ['BTC'],
        shadow: shadow === undefined ? undefined : { use: shadow },
      },
    ],
  } as unknown as BotConfig;
  const reader = createSqliteReader(path);
  const found = await examineBelonging(reader, config).finally(() => reader.close());
  return found.map(({ check, state }) => `${check} ${state}`);
}

test('a journal of other wallets is bad, unless an operator has named its account', async () => {
  const of = (owner: string) => (store: ReturnType<typeof createSqliteStore>) =>
    store.setMeta(ACCOUNT, owner);
  expect(await belonging(of('service.example/main'))).toEqual([]);
  expect(await belonging(of('service.example/other'))).toEqual(['account bad']);
  expect(await belonging(of('service.example/other'), { account: 'mine' })).toEqual([]);
});

test('a stage counts as it is now, not as it was', async () => {
  const version = './trend2.ts';
  const stages =
    (...names: ('shadow' | 'canary' | 'live')[]) =>
    async (store: ReturnType<typeof createSqliteStore>): Promise<void> => {
      for (const [at, stage] of names.entries())
        await latchStage(store, 'trend', { stage, version, reason: 'a test', time: at + 1 });
    };
  expect(await belonging(stages('canary', 'live'))).toEqual(['stage bad']);
  expect(await belonging(stages('canary', 'live'), { shadow: '/bots/trend2.ts' })).toEqual([]);
  expect(await belonging(stages('canary', 'shadow'))).toEqual([]);
  expect(await belonging(stages('canary', 'shadow', 'canary'))).toEqual(['stage bad']);
});
