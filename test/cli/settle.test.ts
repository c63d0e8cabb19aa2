import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import { ACCOUNT, createSqliteStore, type JournalStore } from '../../src/journal/index.ts';
import { createPostgresStore } from '../../src/journal/postgres/index.ts';
import { useTestDatabase } from '../journal/useTestDatabase.ts';
import { keepOld } from '../runtime/keepOld.ts';

let folder: string;
const database = useTestDatabase();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-cli-settle-'));
  vi.stubEnv('TRIMTAB_TEST_SECRET', 'vs_a');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

async function run(...argv: string[]) {
  let text = '';
  const write = (part: unknown): boolean => ((text += String(part)), true);
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation(write),
  );
  const code = await main(argv, { out: write, err: write });
  for (const spy of spies) spy.mockRestore();
  return { code, text };
}

function writeConfig(journal: string): string {
  const path = join(folder, 'bot.yaml');
  const link =
    '{ kind: paper_service, base_url: "http://127.0.0.1:1", ws_url: "ws://127.0.0.1:1", key_id: vk_a, secret: { env: TRIMTAB_TEST_SECRET } }';
  const strategies = '[{ name: told, use: ./own.ts, symbols: [BTC], wallet: main }]';
  writeFileSync(
    path,
    `name: remote\nlink: ${link}\nstrategies: ${strategies}\njournal: ${journal}\n`,
  );
  return path;
}

const settle = (config: string, key: string, ...rest: string[]) =>
  run('settle', config, key, ...rest, '--reason', 'no such basket in its list');
const absent = ['--as', 'absent'];
const lost = ['sending', 'unknown', 'unresolved'] as const;
let accounts = 0;

describe.each(['a file', 'PostgreSQL'])('with the journal of a stopped bot in %s', (place) => {
  let config: string;
  let openStore: () => Promise<JournalStore>;
  beforeEach(async () => {
    if (place === 'a file') {
      config = writeConfig('./bot.sqlite');
      openStore = async () => createSqliteStore(join(folder, 'bot.sqlite'));
    } else {
      const account = `remote-${accounts++}`;
      config = writeConfig(`{ url: "${database().url}", account: ${account} }`);
      openStore = () => createPostgresStore({ url: database().url, account, env: createLiveEnv() });
    }
  });
  async function fill<T>(use: (store: JournalStore) => Promise<T>): Promise<T> {
    const store = await openStore();
    const owner = place === 'a file' ? '127.0.0.1:1/main' : `remote-${accounts - 1}`;
    if (store.meta(ACCOUNT) === undefined) await store.setMeta(ACCOUNT, owner);
    const result = await use(store);
    await store.close();
    return result;
  }

  test('a basket is settled, finally, and explain shows by whom', async () => {
    const key = await fill((store) => keepOld(store, { name: 'd1', states: lost }));
    const before = await run('journal', 'explain', config, key);
    expect(before.text).toContain(`trimtab settle CONFIG ${key} --as accepted|absent`);

    const done = await settle(config, key.slice(0, 6), ...absent);
    expect(done).toEqual({ code: 0, text: `launch_basket ${key} is absent.\n` });
    const after = await run('journal', 'explain', config, key);
    expect(after.text).toMatch(/\S+ at \S+ settled it as absent \(no such basket in its list\)/);
    expect((await run('journal', 'verify', config)).code).toBe(0);

    const again = await settle(config, key, '--as', 'accepted');
    expect(again.code).toBe(1);
    expect(again.text).toContain(`${key} can't be settled: it is absent already`);
  });

  test('an unknown intent can be settled too, with the records of its legs', async () => {
    const key = await fill((store) =>
      keepOld(store, { name: 'd1', states: ['sending', 'unknown'] }),
    );
    const records = ['--record', 'exe_1', '--record', 'exe_2'];
    // Its service does not answer here, and is asked with the bot's own key.
    const unasked = await settle(config, key, '--as', 'accepted', ...records);
    expect(unasked.code).toBe(1);
    expect(unasked.text).toMatch(/can't be asked for execution exe_1 \(not_connected( \(\w+\))?\)/);
    expect(unasked.text).toContain('--unchecked');
    vi.stubEnv('TRIMTAB_TEST_SECRET', undefined);
    const keyless = await settle(config, key, '--as', 'accepted', ...records);
    expect(keyless.text).toContain('TRIMTAB_TEST_SECRET');
    records.push('--unchecked');
    expect((await settle(config, key, '--as', 'accepted', ...records)).code).toBe(0);
    await fill(async (store) => {
      expect(store.stateOf(key)).toBe('accepted');
      const { record } = JSON.parse(store.entries(key).at(-1)!.data);
      expect(record.legs).toEqual([{ execution_id: 'exe_1' }, { execution_id: 'exe_2' }]);
    });
  });

  test('an unknown or ambiguous key is named, and nothing is written', async () => {
    const keys = await fill(async (store) => {
      const made: string[] = [];
      // Seventeen keys of hexadecimal digits: two begin alike.
      for (let n = 0; n < 17; n++) {
        made.push(await keepOld(store, { name: `d${n}`, states: lost }));
      }
      return made;
    });
    expect((await settle(config, 'xyz', ...absent)).text).toContain(
      "No intent's key starts with xyz",
    );
    const twice = keys.map((key) => key[0]!).find((first, at, all) => all.indexOf(first) !== at)!;
    const several = await settle(config, twice, ...absent);
    expect(several.code).toBe(1);
    expect(several.text).toContain(`Several keys start with ${twice}`);
    await fill(async (store) => {
      expect(keys.map((key) => store.stateOf(key))).toEqual(keys.map(() => 'unresolved'));
    });
  });

  test('a journal written by a process on another host is left alone', async () => {
    const key = await fill((store) => keepOld(store, { name: 'd1', states: lost }));
    const bot = await openStore();
    const refused = await settle(config, key, ...absent);
    expect(refused.code).toBe(1);
    expect(refused.text).toContain(`pid ${process.pid}`);
    expect(refused.text).toContain('No bot listens here: run this on the host where it runs');
    expect(bot.stateOf(key)).toBe('unresolved');
    await bot.close();
  });

  test('a missing journal is not created', async () => {
    const refused = await settle(config, 'abc', ...absent);
    expect(refused.code).toBe(1);
    expect(refused.text).toContain('remote has no journal in');
    expect((await settle(config, 'abc', ...absent)).text).toBe(refused.text);
    expect(readdirSync(folder)).toEqual(['bot.yaml']);
  });
});

test.each([
  [['--as', 'rejected', '--reason', 'x'], 'Allowed choices are accepted, absent'],
  [['--as', 'absent'], '--reason'],
  [['--as', 'absent', '--reason', ' '], 'Say how you know'],
  [['--reason', 'x'], '--as'],
  [['--as', 'accepted', '--unchecked', '--reason', 'x'], '--unchecked is about records'],
  [['--as', 'absent', '--record', 'exe_9', '--reason', 'x'], 'has no record such as exe_9'],
])('wrong usage %j is reported', async (flags, words) => {
  const refused = await run('settle', writeConfig('./bot.sqlite'), 'abc', ...flags);
  expect(refused.code).toBe(2);
  expect(refused.text).toContain(words);
});

test('a key that the journal of --journal lacks is looked for in that one', async () => {
  const other = join(folder, 'other.sqlite');
  const account = '127.0.0.1:1/main';
  const { url } = database();
  const env = createLiveEnv();
  for (const store of [
    createSqliteStore(other),
    await createPostgresStore({ url, account, env }),
  ]) {
    await store.setMeta(ACCOUNT, account);
    await store.close();
  }
  const refused = await settle(writeConfig('./bot.sqlite'), 'abc', ...absent, '--journal', other);
  expect(refused.text).toContain(`\`trimtab journal list ${other}\` shows them`);
  const inDatabase = await settle(writeConfig('./bot.sqlite'), 'abc', ...absent, '--journal', url);
  expect(inDatabase.text).toContain('`trimtab journal list JOURNAL` shows them');
});

test('a journal in memory has nothing to settle', async () => {
  const refused = await settle(writeConfig('memory'), 'abc', ...absent);
  expect(refused.code).toBe(1);
  expect(refused.text).toContain('remote keeps its journal in memory');
});

test('records are asked for with the journal of --journal, whatever the configuration names', async () => {
  const config = writeConfig('{ url: { env: TRIMTAB_TEST_NO_DATABASE }, account: remote }');
  const journal = join(folder, 'other.sqlite');
  const store = createSqliteStore(journal);
  await store.setMeta(ACCOUNT, '127.0.0.1:1/main');
  const key = await keepOld(store, { name: 'd1', states: lost });
  await store.close();
  const asked = ['--as', 'accepted', '--record', 'exe_1', '--journal', journal];
  const { code, text } = await settle(config, key, ...asked);
  expect(code).toBe(1);
  expect(text).toContain('ECONNREFUSED');
  expect(text).not.toContain('TRIMTAB_TEST_NO_DATABASE');
});
