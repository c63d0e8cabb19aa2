/** A bot to which a wallet is added goes on in its journal; one that lacks a wallet of its journal does not start. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createJournalCommand } from '../../../src/cli/journal.ts';
import { Secret, type BotConfig } from '../../../src/config/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { ACCOUNT, describeDatabase, JournalFault } from '../../../src/journal/index.ts';
import { accountOf } from '../../../src/operate/journal/accountOf.ts';
import { openJournalReader } from '../../../src/operate/journal/openJournalReader.ts';
import { openJournalStore } from '../../../src/operate/journal/openJournalStore.ts';
import { readLatch, writeLatch } from '../../../src/runtime/index.ts';
import { findTestDatabase } from '../../journal/findTestDatabase.ts';
import { journalOn, openIntent } from '../../journal/journalRows.ts';

const { database, missing } = await findTestDatabase();
const said: string[] = [];
const live = createLiveEnv();
const env = { ...live, log: { ...live.log, warn: (text: string) => void said.push(text) } };
let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'trimtab-wallets-'))));
afterEach(() => rmSync(folder, { recursive: true }));

let hosts = 0;
type Options = { account?: string; host?: string };
type Of = (wallets: readonly string[], options?: Options) => BotConfig;

/** Configurations of a bot with some wallets: one journal, one service. */
function configs(store: 'file' | 'database'): Of {
  const service = `api${hosts++}.example`;
  const url = database?.url ?? '';
  const place =
    store === 'file'
      ? { path: join(folder, 'bot.sqlite') }
      : { path: describeDatabase(url), url: new Secret(url) };
  return (wallets, { account, host = service } = {}) =>
    ({
      name: 'bot',
      journal: { ...place, durability: 'process', ...(account === undefined ? {} : { account }) },
      link: { kind: 'live', baseUrl: `https://${host}`, keyId: 'vk_a' },
      strategies: wallets.map((wallet) => ({ name: `on-${wallet}`, wallet, symbols: ['BTC'] })),
    }) as unknown as BotConfig;
}

const start = (config: BotConfig, grows = true) =>
  openJournalStore({ config, env, startsOver: false, grows, onLost: () => {} });

async function refusal(config: BotConfig): Promise<JournalFault> {
  try {
    await (await start(config)).close();
  } catch (error) {
    if (error instanceof JournalFault) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

/** A bot that ran on these wallets: killed, with an intent that has no outcome. */
async function ran(config: BotConfig): Promise<void> {
  const store = await start(config);
  await writeLatch(store, { level: 'L3', reason: 'by hand', time: 1 });
  await openIntent(journalOn(store), 'unknown', ['emitted', 'guarded', 'sending']);
  await store.close();
}

const PLACES = ['file', ...(database === undefined ? [] : ['database'])] as Array<
  'file' | 'database'
>;

describe.each(PLACES)(`a journal in a %s${missing}`, (place) => {
  test('goes on when a wallet is added, with its kill level and what is unknown', async () => {
    const of = configs(place);
    await ran(of(['main']));
    const store = await start(of(['sub', 'main']));
    expect(readLatch(store, 'bot')).toMatchObject({ level: 'L3' });
    expect(store.openIntents().map(({ key }) => key)).toEqual(['unknown']);
    expect(store.meta(ACCOUNT)).toBe(accountOf(of(['main', 'sub'])));
    await store.close();
    // A wallet that came later belongs to the journal as well.
    expect((await refusal(of(['sub']))).code).toBe('foreign');
    const third = await start(of(['main', 'next', 'sub']));
    expect(third.holds('unknown')).toBe(true);
    await third.close();
  });

  test('the order of the strategies does not matter', async () => {
    const of = configs(place);
    await ran(of(['sub', 'main']));
    const store = await start(of(['main', 'sub']));
    expect(store.holds('unknown')).toBe(true);
    await store.close();
  });

  test('is in use for a bot with a wallet more while its bot runs', async () => {
    const of = configs(place);
    const running = await start(of(['main']));
    expect((await refusal(of(['main', 'sub']))).code).toBe('in_use');
    await running.close();
    const grown = await start(of(['main', 'sub']));
    expect(['in_use', 'foreign']).toContain((await refusal(of(['main']))).code);
    await grown.close();
  });

  test('does not go on without one of its wallets, and the refusal says what a new one forgets', async () => {
    const of = configs(place);
    await ran(of(['main', 'sub']));
    for (const wallets of [['main'], ['main', 'other']]) {
      const fault = await refusal(of(wallets));
      expect(fault.code).toBe('foreign');
      for (const words of [
        of([]).journal.path,
        `strategies[n].wallet names ${wallets.join(', ')}, and the journal has main, sub`,
        place === 'file' ? 'journal: FILE' : 'journal.account: NAME',
        'no kill level, pause, throttle, stage or state',
      ])
        expect(fault.message).toContain(words);
    }
    const store = await start(of(['main', 'sub']));
    expect(store.holds('unknown')).toBe(true);
    await store.close();
  });

  test('becomes that of another wallet by a start only, whose wallets the service has shown', async () => {
    const of = configs(place);
    await ran(of(['main']));
    const command = await start(of(['main', 'mian']), false);
    expect(readLatch(command, 'bot')).toMatchObject({ level: 'L3' });
    await command.close();
    const store = await start(of(['main', 'sub']));
    expect(store.holds('unknown')).toBe(true);
    await store.close();
  });

  test('is read under the former wallets, the present ones and those that come next', async () => {
    const of = configs(place);
    await ran(of(['main']));
    await (await start(of(['main', 'sub']))).close();
    const { path, url } = of([]).journal;
    for (const wallets of [['main'], ['main', 'sub'], ['main', 'sub', 'next']]) {
      const account = accountOf(of(wallets));
      const reader = await openJournalReader({ place: url?.reveal() ?? path, account });
      expect([...(await reader.held(['unknown']))]).toEqual(['unknown']);
      await reader.close();
    }
  });
});

test('a file of another service is refused with both addresses', async () => {
  const of = configs('file');
  await ran(of(['main'], { host: 'one.example' }));
  const { message } = await refusal(of(['main'], { host: 'two.example' }));
  expect(message).toContain("names two.example, and the journal's service is one.example");
});

describe.skipIf(database === undefined)(`a database${missing}`, () => {
  test('has journals for other wallets and for other services', async () => {
    const of = configs('database');
    await ran(of(['main']));
    for (const config of [of(['sub']), of(['main', 'sub'], { host: 'elsewhere.example' })]) {
      const store = await start(config);
      expect(store.holds('unknown')).toBe(false);
      expect(said.at(-1)).toMatch(/has no journal of .*: a new one begins, at L0/);
      await store.close();
    }
  });

  test('that has two journals of a bot’s wallets asks which one goes on', async () => {
    const of = configs('database');
    await ran(of(['main']));
    const both = accountOf(of(['main', 'sub']));
    await (await start(of(['main', 'sub'], { account: both }))).close();
    const { code, message } = await refusal(of(['main', 'sub']));
    expect(code).toBe('foreign');
    expect(message).toContain(`the journals of ${accountOf(of(['main']))} and ${both}`);
    for (const [, name] of message.matchAll(/trimtab journal (\w+)/g))
      expect(createJournalCommand().commands.map((one) => one.name())).toContain(name);
    const named = await start(of(['main', 'sub'], { account: both }));
    expect(named.holds('unknown')).toBe(false);
    await named.close();
  });

  test.each(['former', 'present'])(
    'has a journal that grew under its %s name, too',
    async (which) => {
      const of = configs('database');
      await ran(of(['main']));
      await (await start(of(['main', 'sub']))).close();
      await (await start(of(['next']))).close();
      const all = ['main', 'next', 'sub'];
      expect((await refusal(of(all))).message).toContain(accountOf(of(['main', 'sub'])));
      const account = accountOf(of(which === 'former' ? ['main'] : ['main', 'sub']));
      const store = await start(of(all, { account }));
      expect(store.holds('unknown')).toBe(true);
      expect(readLatch(store, 'bot')).toMatchObject({ level: 'L3' });
      await store.close();
      const reader = await openJournalReader({ place: database!.url, account });
      expect([...(await reader.held(['unknown']))]).toEqual(['unknown']);
      await reader.close();
    },
  );

  test('gives an account that is named its own journal, whatever the wallets are', async () => {
    const of = configs('database');
    await ran(of(['main']));
    const account = `desk-${hosts}`;
    for (const wallets of [['main', 'sub'], ['sub']]) {
      const store = await start(of(wallets, { account }));
      expect(store.meta(ACCOUNT)).toBe(account);
      expect(store.holds('unknown')).toBe(false);
      await store.close();
    }
  });

  test('lets one of two first starts with a wallet in common begin', async () => {
    for (let round = 0; round < 5; round++) {
      const of = configs('database');
      const starts = await Promise.allSettled([
        start(of(['main', 'sub'])),
        start(of(['main', 'other'])),
      ]);
      const begun = starts.filter((one) => one.status === 'fulfilled');
      expect(begun).toHaveLength(1);
      await begun[0]!.value.close();
    }
  });
});

test('the folders of a journal are made, and a file among them is named with the remedy', async () => {
  const of = (path: string): BotConfig => {
    const config = configs('file')(['main']);
    return { ...config, journal: { ...config.journal, path } };
  };
  const path = join(folder, 'a/b/bot.sqlite');
  await (await start(of(path))).close();
  expect(existsSync(path)).toBe(true);
  writeFileSync(join(folder, 'file'), '');
  const refused = start(of(join(folder, 'file/a/bot.sqlite')));
  await expect(refused).rejects.toThrow(
    `${path.replace(/a.b.bot/, 'file/a/bot')} can't be opened: ${join(folder, 'file')} is a file, and no folder.\n  Name another path.`,
  );
  await expect(refused).rejects.toMatchObject({ code: 'unopened' });
});

// Node's own recursive mkdir does not return from it.
test.skipIf(!existsSync('/proc/self'))(
  'a folder that the system denies is refused at once',
  async () => {
    const config = configs('file')(['main']);
    const denied = { ...config, journal: { ...config.journal, path: '/proc/x/bot.sqlite' } };
    await expect(start(denied)).rejects.toMatchObject({
      code: 'unopened',
      message: expect.stringContaining('/proc/x') as string,
    });
  },
);
