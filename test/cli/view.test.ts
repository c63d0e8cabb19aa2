import {
  appendFileSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLiveEnv } from '../../src/env/index.ts';
import { createSqliteStore } from '../../src/journal/index.ts';
import { createPostgresStore } from '../../src/journal/postgres/index.ts';
import { findTestDatabase } from '../journal/findTestDatabase.ts';
import { journalOn, openIntent } from '../journal/journalRows.ts';
import { openTestDatabase } from '../journal/openTestDatabase.ts';
import { root } from '../sourceFiles.ts';
import { runMain } from './runMain.ts';

const { database, missing } = await findTestDatabase();
const folder = mkdtempSync(join(tmpdir(), 'trimtab-cli-view-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  for (const name of ['whole', 'torn']) {
    const store = createSqliteStore(at(`${name}.sqlite`));
    await openIntent(journalOn(store), 'a', ['emitted', 'guarded']);
    await store.close();
  }
  truncateSync(at('torn.sqlite'), 5_000);
  writeFileSync(at('empty.sqlite'), '');
});

describe('what view can not show is named for what it is, with a remedy', () => {
  test.each([
    [
      'a folder',
      '',
      ' is a folder.',
      "Name the recording or the journal in it, or the bot's YAML.",
    ],
    [
      'an empty journal',
      'empty.sqlite',
      'the file is empty, which a journal never is',
      'start again',
    ],
    ['a damaged journal', 'torn.sqlite', 'is damaged', 'start again'],
    ['a journal that is not there', 'none.sqlite', 'There is no journal at', 'Did you mean'],
    ['a recording that is not there', 'none.jsonl', 'there is no such file', ''],
  ])('%s', async (_name, name, what, remedy) => {
    const { code, out, err } = await runMain('view', at(name), '--json');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(what);
    expect(err).toContain(remedy);
  });

  test.each([
    ['a link to itself', 'loop.jsonl', 'the system refuses it (ELOOP)'],
    ['a name that no file can have', `${'x'.repeat(300)}.jsonl`, 'refuses it (ENAMETOOLONG)'],
    ['a link to nothing', 'broken.sqlite', `There is no journal at ${at('unmounted')}`],
    ['one of a recording', 'broken.jsonl', `It is a link to ${at('unmounted')}, where nothing is.`],
  ])('%s', async (_name, name, what) => {
    for (const [link, target] of [
      ['loop.jsonl', 'loop.jsonl'],
      ['broken.sqlite', 'unmounted'],
      ['broken.jsonl', 'unmounted'],
    ] as const) {
      rmSync(at(link), { force: true });
      symlinkSync(target, at(link));
    }
    const { code, err } = await runMain('view', at(name), '--json');
    expect(code).toBe(1);
    expect(err).toContain(what);
    expect(err).not.toMatch(/TRIMTAB_UNEXPECTED|Did you mean/);
  });

  test('a database that does not answer, without its password', async () => {
    const { code, err } = await runMain('view', 'postgres://u:hidden@127.0.0.1:1/x', '--json');
    expect(code).toBe(1);
    expect(err).toContain("can't be used");
    expect(err).not.toContain('hidden');
  });
});

test('a whole journal is shown', async () => {
  const { code, out } = await runMain('view', at('whole.sqlite'), '--json');
  expect(code).toBe(0);
  const { blocks } = JSON.parse(out) as { blocks: { bot: unknown; strategies: unknown } };
  expect(blocks.strategies).toMatchObject([{ name: 'ema', emitted: 1, stage: null }]);
  expect(blocks.bot).toMatchObject({ kind: null });
});

/** A bot whose journal is the whole one. */
function writeBot(): string {
  const file = at('ema.yaml');
  writeFileSync(
    file,
    `name: ema
link: { kind: paper }
paper: { feeds: [{ symbol: BTC, interval: 1m, generate: { seed: 1, bars: 600 } }] }
strategies: [{ name: ema, use: ${join(root, 'strategies/emaTrend.ts')}, symbols: [BTC] }]
journal: ${at('whole.sqlite')}
`,
  );
  return file;
}

test('of a bot’s configuration, its journal is shown as of its link', async () => {
  const file = writeBot();
  const { code, out } = await runMain('view', file, '--json');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ blocks: { bot: { name: 'ema', kind: 'paper' } } });
});

test('a journal that is named is shown in the place of the bot’s database', async () => {
  const file = at('remote.yaml');
  writeFileSync(
    file,
    `name: ema
link: { kind: paper_service, base_url: "http://127.0.0.1:1", key_id: vk_a, secret: { env: TRIMTAB_TEST_NONE } }
strategies: [{ name: ema, use: ./own.ts, symbols: [BTC] }]
journal: { url: "postgres://127.0.0.1:1/none", account: ema }
`,
  );
  const { code, out, err } = await runMain('view', file, '--journal', at('whole.sqlite'), '--json');
  expect([code, err]).toEqual([0, '']);
  expect(JSON.parse(out)).toMatchObject({ blocks: { bot: { name: 'ema' } } });
});

test('a journal that is named beside the configuration is the one that is shown, or refused', async () => {
  const file = writeBot();
  const missing = await runMain('view', file, '--journal', at('typo.sqlite'), '--json');
  expect([missing.code, missing.out]).toEqual([1, '']);
  expect(missing.err).toContain(`There is no journal at ${at('typo.sqlite')}`);
  const found = await runMain('view', file, '--journal', at('whole.sqlite'), '--json');
  expect(found.code).toBe(0);
  const torn = await runMain('view', file, '--journal', at('torn.sqlite'), '--json');
  expect([torn.code, torn.err]).toEqual([1, expect.stringContaining('is damaged')]);
});

test('also where the bot has a recording, which it explains', async () => {
  const file = writeBot();
  appendFileSync(file, 'record: ./seen.jsonl\n');
  writeFileSync(at('seen.jsonl'), '');
  const { code, err } = await runMain('view', file, '--journal', at('typo.sqlite'), '--json');
  rmSync(at('seen.jsonl'));
  expect([code, err]).toEqual([1, expect.stringContaining('There is no journal at')]);
});

test('of a time outside the past the nearest in it is shown, and without one its end', async () => {
  const store = createSqliteStore(at('timed.sqlite'));
  await openIntent(journalOn(store, 60_000), 'a', ['emitted']);
  await openIntent(journalOn(store, 180_000), 'b', ['emitted']);
  await store.close();
  const view = async (...time: string[]): Promise<string> => {
    const { code, out } = await runMain('view', at('timed.sqlite'), '--json', ...time);
    expect(code).toBe(0);
    return out;
  };
  const emittedIn = (text: string): unknown =>
    (JSON.parse(text) as { blocks: { strategies: object[] } }).blocks.strategies;
  const whole = await view();
  expect(emittedIn(whole)).toMatchObject([{ emitted: 2 }]);
  expect(await view('--at', '2999-01-01')).toBe(whole);
  const first = await view('--at', '1970-01-01T00:01:00');
  expect(emittedIn(first)).toMatchObject([{ emitted: 1 }]);
  expect(await view('--at', '1970-01-01')).toBe(first);
  expect(emittedIn(await view('--at', '1970-01-01T00:02:59'))).toMatchObject([{ emitted: 1 }]);
});

test('a recording that was never begun leaves the journal', async () => {
  const file = writeBot();
  appendFileSync(file, 'record: ./never.jsonl\n');
  const { code, out } = await runMain('view', file, '--json');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ blocks: { bot: { name: 'ema', kind: 'paper' } } });
});

/** A bot of a service, whose secret is not at hand. */
function writeLive(journal: string): string {
  const file = at('live.yaml');
  writeFileSync(
    file,
    `name: live
link:
  kind: live
  base_url: https://bot.example
  key_id: vk_own
  secret: { env: TRIMTAB_TEST_SECRET_THAT_IS_NOT_SET }
guards:
  max_order_notional: 1
  max_gross_notional: 1
  daily_loss_limit: 1
  max_uncovered_seconds: off
strategies:
  - { name: ema, use: ${join(root, 'strategies/emaTrend.ts')}, symbols: [BTC], wallet: main }
journal: ${journal}
`,
  );
  return file;
}

test('a live bot’s past needs none of its secrets', async () => {
  const { code, out, err } = await runMain('view', writeLive(at('whole.sqlite')), '--json');
  expect([code, err]).toEqual([0, '']);
  expect(JSON.parse(out)).toMatchObject({ blocks: { bot: { name: 'live', kind: 'live' } } });
});

describe.skipIf(database === undefined)(`a journal in a database${missing}`, () => {
  test('is that of the bot’s account, and its address is shown without its password', async () => {
    const url = new URL(database!.url);
    url.username ||= 'root';
    url.password = 'hidden-word';
    const env = createLiveEnv();
    for (const account of ['one', 'two']) {
      const store = await createPostgresStore({ url: database!.url, account, env });
      await openIntent(journalOn(store), account, ['emitted']);
      if (account === 'two') await openIntent(journalOn(store), 'more', ['emitted']);
      await store.close();
    }
    const file = writeLive('{ url: { env: TRIMTAB_TEST_VIEW_URL }, account: two }');
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('TRIMTAB_TEST_VIEW_URL', url.href);
    const { code, out, err } = await runMain('view', file, '--json');
    expect([code, err]).toEqual([0, '']);
    const emitted = { blocks: { strategies: [{ emitted: 2 }] } };
    expect(JSON.parse(out)).toMatchObject(emitted);
    expect(out).not.toContain('hidden-word');
  });

  test('of one account is named by its address', async () => {
    const env = createLiveEnv();
    const other = await openTestDatabase();
    if ('reason' in other) throw new Error(other.reason);
    onTestFinished(() => other.drop());
    const store = await createPostgresStore({ url: other.url, account: 'one', env });
    await openIntent(journalOn(store), 'a', ['emitted']);
    await store.close();
    const url = new URL(other.url);
    url.username ||= 'root';
    url.password = 'hidden-word';
    const { code, out } = await runMain('view', url.href, '--json');
    expect(code).toBe(0);
    expect(out).not.toContain('hidden-word');
    const { name } = (JSON.parse(out) as { blocks: { bot: { name: string } } }).blocks.bot;
    expect(name).toBe(`postgres://${url.host}${url.pathname}`);
  });
});
