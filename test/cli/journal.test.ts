import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { runMain } from './runMain.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import {
  createJournal,
  createSqliteStore,
  idempotencyKeyOf,
  type JournalStore,
  type Step,
} from '../../src/journal/index.ts';
import { createPostgresStore } from '../../src/journal/postgres/index.ts';
import { readBackupNote } from '../../src/operate/journal/backupNote.ts';
import { clocksAt } from '../journal/journalRows.ts';
import { findTestDatabase } from '../journal/findTestDatabase.ts';

const directory = mkdtempSync(join(tmpdir(), 'trimtab-cli-journal-'));
afterAll(() => rmSync(directory, { recursive: true }));
const path = join(directory, 'bot.sqlite');

const run = (...argv: string[]) => runMain('journal', ...argv);

const T0 = Date.UTC(2026, 0, 31, 3, 0, 0);
const YEAR = 365 * 86_400_000;
const bar = { symbol: 'BTC', interval: '5m', time: T0 - 300_000, close: 61_000 };

/** One decision: its key, and its steps with their times. */
async function decide(
  store: JournalStore,
  name: string,
  given: { intent: object; trigger: object; steps: ReadonlyArray<Step & { afterMs: number }> },
): Promise<string> {
  const decisionKey = `main/trend/${name}#0`;
  const key = idempotencyKeyOf(decisionKey, 0);
  const row = { key, decisionKey, generation: 0, instance: 'trend', wallet: 'main' };
  const intent = JSON.stringify({ intent: given.intent, trigger: given.trigger });
  const kind = (given.intent as { kind: string }).kind;
  const clocks = clocksAt(T0);
  // A replay: market time differs from wall time.
  const market = { now: () => clocks.market.now() - YEAR };
  const journal = createJournal(store, { ...clocks, market });
  const [first, ...rest] = given.steps;
  await journal.open({ ...row, kind, intent }, [first!]);
  for (const { afterMs, ...step } of rest) {
    clocks.queue.advanceTo(T0 + afterMs);
    await journal.record(key, [step]);
  }
  return key;
}

const emitted = { state: 'emitted' as const, afterMs: 0 };
const LAUNCH = {
  kind: 'launch',
  request: { algo: 'pacemaker', symbol: 'BTC', side: 'buy', total_size: 0.5 },
};

async function fill(store: JournalStore) {
  const launched = await decide(store, 'bar:BTC:5m:1', {
    intent: LAUNCH,
    trigger: { bar, indicators: { fast: 61_020.5, slow: 61_001.250000000007 } },
    steps: [
      { ...emitted, data: { cause: 'bar:BTC:5m:1', ordinal: 0, marketTime: T0 } },
      {
        state: 'guarded',
        afterMs: 0,
        data: { lane: 'entry', weight: 20, passedGuards: ['has_scopes', 'entry_gate'] },
      },
      { state: 'deferred', afterMs: 1, data: { reason: '20 for entry, 620 of 900 used' } },
      {
        state: 'sending',
        afterMs: 1_501,
        data: { attempt: 1, endpoint: 'executions.launch', body: '{"algo":"pacemaker"}' },
      },
      {
        state: 'accepted',
        afterMs: 1_585,
        data: {
          record: {
            execution_id: 'exe_1',
            status: 'running',
            filled_size: 0.1,
            average_price: 61_003,
          },
        },
      },
    ],
  });
  const denied = await decide(store, 'bar:BTC:5m:2', {
    intent: { kind: 'place_order', request: { symbol: 'BTC', side: 'buy', size: 9 } },
    trigger: { bar },
    steps: [
      emitted,
      {
        state: 'denied',
        afterMs: 1,
        data: {
          guard: 'max_order_notional',
          reason: '549,000 is above 10,000',
          limit: 10_000,
          value: 549_000,
          passedGuards: ['owns_symbols', 'data_age'],
        },
      },
    ],
  });
  const lost = await decide(store, 'timer:3', {
    intent: { kind: 'close_position', symbol: 'BTC' },
    trigger: { timer: { time: T0 } },
    steps: [
      emitted,
      { state: 'guarded', afterMs: 0 },
      {
        state: 'sending',
        afterMs: 1,
        data: { attempt: 1, endpoint: 'positions.close', body: '{}' },
      },
      { state: 'unknown', afterMs: 30_001, data: { reason: 'timeout after 30 s' } },
    ],
  });
  await store.setLatch('kill', { value: 'L2', reason: 'daily loss', time: T0 });
  await store.setLatch('kill', { value: 'L0', reason: 'rearmed by anna', time: T0 + 1 });
  return { launched, denied, lost };
}

let keys: Awaited<ReturnType<typeof fill>>;
let store: JournalStore;
beforeAll(async () => {
  store = createSqliteStore(path);
  keys = await fill(store);
});
afterAll(() => store.close());

describe('trimtab journal, on a journal that a bot has open', () => {
  test('list shows the newest first, filtered, page by page', async () => {
    const all = await run('list', path);
    expect(all.code).toBe(0);
    const lines = all.out.trim().split('\n');
    expect(lines).toHaveLength(2 + 3);
    expect(lines[2]).toContain(keys.lost.slice(0, 8));
    expect(lines[0]).toMatch(/^opened \(UTC\) +market time +key /);
    expect(lines[4]).toMatch(/^2026-01-31 03:00:00\.000 +2025-01-31 03:00:00\.000 /);
    expect(lines[4]).toContain('buy 0.5 BTC (pacemaker)');

    for (const [states, found] of [
      ['denied', ['denied']],
      ['unknown', ['unknown']],
      ['denied, unknown', ['denied', 'unknown']],
      ['accepted,denied,unknown', ['accepted', 'denied', 'unknown']],
      ['emitted', []],
    ] as const) {
      const { out, err } = await run('list', path, '--state', states, '--instance', 'trend');
      const shown = [...out.matchAll(/\b(accepted|denied|unknown)\b/g)].map(([state]) => state);
      expect(shown.toSorted()).toEqual(found);
      // Whose intents there are helps who finds none.
      expect(err === '').toBe(found.length > 0);
    }
    const some = await run('list', path, '--state', 'denied,unknown', '--kind', 'place_order');
    expect(some.out).toContain(keys.denied.slice(0, 8));
    expect(some.out).not.toContain(keys.lost.slice(0, 8));
    expect((await run('list', path, '--since', '2026-02-01')).out).toBe('No intents.\n');
    for (const [flag, name] of [
      ['--instance', 'emma'],
      ['--wallet', 'mian'],
    ] as const) {
      const none = await run('list', path, flag, name);
      expect([none.code, none.out]).toEqual([0, 'No intents.\n']);
      expect(none.err).toMatch(/^The newest intents here are of \w+ on main\.$/m);
    }

    const first = await run('list', path, '--limit', '2');
    const cursor = /--cursor (\S+)/.exec(first.out)?.[1];
    const second = await run('list', path, '--limit', '2', '--cursor', cursor!);
    expect(second.out).toContain(keys.launched.slice(0, 8));
    expect(second.out).not.toContain('More:');
  });

  test('list --json has the intents as the export has them, and the next page', async () => {
    const exported = (await run('export', path)).out.trim().split('\n').toReversed();
    const rows = exported.map((line) => {
      const { steps: _steps, ...intent } = JSON.parse(line) as { steps: unknown; key: string };
      return intent;
    });
    const list = async (...flags: string[]) => {
      const { code, out } = await run('list', path, '--json', ...flags);
      expect(code).toBe(0);
      return JSON.parse(out) as { items: unknown[]; next: string | null };
    };
    expect(await list()).toEqual({ items: rows, next: null });
    const first = await list('--limit', '1');
    expect(first).toEqual({ items: rows.slice(0, 1), next: expect.any(String) as string });
    const rest = await list('--cursor', first.next!);
    expect(rest).toEqual({ items: rows.slice(1), next: null });
    expect(await list('--instance', 'gone')).toEqual({ items: [], next: null });
    const failed = await run('list', path, '--json', '--since', 'never');
    expect(JSON.parse(failed.err)).toMatchObject({ code: 'TRIMTAB_USAGE' });
  });

  test('show lists every step with its time and data', async () => {
    const { out, code } = await run('show', path, keys.launched);
    expect(code).toBe(0);
    const states = [...out.matchAll(/^2026-01-31 \S+ +2025-01-31 \S+ +(?:\d+ ms +)?(\w+) /gm)].map(
      ([, word]) => word,
    );
    expect(states).toEqual(['emitted', 'guarded', 'deferred', 'sending', 'accepted']);
    expect(out).toMatch(/1500 ms +sending +attempt 1/);
    expect(out).toContain(`key       ${keys.launched}`);
  });

  test('explain shows cause, values, guards, wait, bytes, response and fills', async () => {
    const { out } = await run('explain', path, keys.launched.slice(0, 6));
    for (const words of [
      'bar:BTC:5m:1, market time 2026-01-31 03:00:00.000',
      'bar: symbol BTC, interval 5m, time 2026-01-31 02:55:00.000, close 61000',
      'indicators: fast 61020.5, slow 61001.25\n',
      'all 2 passed, lane entry, weight 20\n  has_scopes, entry_gate\n',
      'waited 1500 ms: 20 for entry, 620 of 900 used',
      'attempt 1 at 2026-01-31 03:00:01.501 (market time 2025-01-31 03:00:01.501): executions.launch',
      '{"algo":"pacemaker"}',
      'accepted after 84 ms (market time 2025-01-31 03:00:01.585)',
      'execution_id exe_1, status running',
      '0.1 at 61003 in the answer; exe_1 has the rest on the service',
      'The service accepted it.',
    ]) {
      expect(out).toContain(words);
    }
  });

  test('explain shows which guard denied, and what is still unknown', async () => {
    const denied = await run('explain', path, keys.denied);
    expect(denied.out).toContain(
      [
        '2 passed before',
        'owns_symbols, data_age',
        'denied by max_order_notional: 549,000 is above 10,000 (value 549000, limit 10000)',
      ].join('\n  '),
    );
    expect(denied.out).toContain('nothing was sent');
    expect(denied.out).toContain('Answer\n  none: it was never sent\n');
    const lost = await run('explain', path, keys.lost);
    expect(lost.out).toContain('unknown after 30.0 s: timeout after 30 s');
    expect(lost.out).toContain('It may have been executed');
    // Its guards are recorded in the format of earlier versions.
    expect(lost.out).toContain('Guards\n  all passed\n\n');
  });

  test('an unknown or ambiguous key is reported', async () => {
    const { err } = await run('show', path, 'zz');
    expect(err).toContain("No intent's key starts with zz.");
    expect(err).toContain(`\`trimtab journal list ${path}\` shows them`);
    const empty = await run('explain', path, '');
    expect(empty).toMatchObject({ code: 1, err: expect.stringContaining('KEY is empty.') });
    expect(empty.err).toContain('trimtab journal list');
  });

  test('an ambiguous prefix is answered with all matches', async () => {
    const crowded = join(directory, 'crowded.sqlite');
    const own = createSqliteStore(crowded);
    const all: string[] = [];
    // One more than there are first digits: two keys begin alike.
    for (let at = 0; at <= 16; at++) {
      const given = { intent: LAUNCH, trigger: {}, steps: [emitted] };
      all.push(await decide(own, `timer:${at}`, given));
    }
    const starts = all.map((key) => key[0]!);
    const start = starts.find((digit, at) => starts.indexOf(digit) !== at)!;
    const { code, err } = await run('show', crowded, start);
    await own.close();
    expect(code).toBe(1);
    expect(err).toContain(`Several keys start with ${start}; give more of it:`);
    const listed = all.filter((key) => key.startsWith(start)).slice(0, 2);
    expect(listed.filter((key) => err.includes(key)).length).toBeGreaterThan(0);
  });

  test('latches shows who set which latch, and what is in force', async () => {
    const { out } = await run('latches', path);
    expect(out).toContain('L2        daily loss');
    expect(out).toContain('L0 (now)  rearmed by anna');
  });

  test('verify counts, and the replayed state equals the stored one', async () => {
    const { out, code } = await run('verify', path);
    expect(code).toBe(0);
    expect(out).toContain('intents   3 (1 open), and 0 compacted');
    expect(out).toContain('(the same)');
    expect(out).toContain('No problem found.');
  });

  test('export writes every step, as JSON lines and as CSV', async () => {
    const { out } = await run('export', path);
    const lives = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lives.map(({ key, state }) => [key, state])).toEqual([
      [keys.launched, 'accepted'],
      [keys.denied, 'denied'],
      [keys.lost, 'unknown'],
    ]);
    expect(lives[0]).toMatchObject({
      intent: LAUNCH,
      trigger: { bar },
      opened_time: T0,
      market_time: T0 - YEAR,
    });
    expect(lives[0]!['steps']).toHaveLength(5);
    const csv = (await run('export', path, '--format', 'csv')).out.trim().split('\n');
    expect(csv).toHaveLength(1 + 5 + 2 + 4);
    expect(csv[4]).toContain(',3,sending,');
    expect(csv[4]).toContain('"{""attempt"":1,');
  });

  test('takes a bot’s configuration, and needs neither its secrets nor its other sections', async () => {
    const yaml = join(directory, 'bot.yaml');
    writeFileSync(
      yaml,
      'name: x\nlink: { kind: live, secret: { env: NOT_SET } }\njournal: bot.sqlite\n',
    );
    expect((await run('verify', yaml)).code).toBe(0);
    writeFileSync(yaml, 'name: x\njournal: { paht: bot.sqlite }\n');
    const { code, err } = await run('verify', yaml);
    expect(code).toBe(1);
    expect(err).toContain('Did you mean path?');
    writeFileSync(yaml, 'name: x\njournal: memory\n');
    expect((await run('list', yaml)).err).toContain('nothing to read');
  });

  test.each([
    [['list', join(directory, 'none.sqlite')], 1, 'There is no journal at'],
    [['list', join(import.meta.filename, 'below.sqlite')], 1, 'There is no journal at'],
    [['list', path, '--state', 'sent'], 2, 'States are emitted'],
    [['list', path, '--kind', 'place-order'], 2, 'Allowed choices are launch, place_order, '],
    [['list', path, '--since', 'yesterday'], 2, '30m, 2h, 7d'],
    [['list', path, '--limit', '0'], 2, 'from 1 to 1000'],
    [['list'], 2, "missing required argument 'journal'"],
    [['lsit', path], 2, 'Did you mean list?'],
  ])('%j exits with %i and the reason', async (argv, exitCode, words) => {
    const { code, err } = await run(...argv);
    expect(code).toBe(exitCode);
    expect(err).toContain(words);
  });
});

test.each([
  ["UPDATE intents SET state = 'accepted' WHERE state = 'unknown'", 'but its row says accepted'],
  ["UPDATE entries SET data = '{}' WHERE state = 'guarded'", 'is not what was written'],
  ["DELETE FROM entries WHERE state = 'sending'", 'is not a valid transition of'],
  ["UPDATE intents SET decision_key = 'other' WHERE state = 'denied'", 'is not what was written'],
])('verify finds: %s', async (sql, words) => {
  const file = join(directory, `spoilt-${words.length}-${sql.length}.sqlite`);
  const spoilt = createSqliteStore(file);
  await fill(spoilt);
  await spoilt.close();
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
  const { code, out, err } = await run('verify', file);
  expect(code).toBe(1);
  expect(out).toContain(words);
  expect(err).toContain('The journal has');
});

test('verify counts problems beyond those that it lists', async () => {
  const file = join(directory, 'spoilt-often.sqlite');
  const spoilt = createSqliteStore(file);
  for (let n = 0; n < 60; n++) {
    await decide(spoilt, `timer:${n}`, {
      intent: { kind: 'close_position', symbol: 'BTC' },
      trigger: {},
      steps: [emitted, { state: 'denied', afterMs: 1 }],
    });
  }
  await spoilt.close();
  const db = new DatabaseSync(file);
  db.exec("UPDATE intents SET state = 'accepted'");
  db.close();
  const { code, out, err } = await run('verify', file);
  expect(code).toBe(1);
  expect(out).toContain('Problems: 60, the first 50 of them\n');
  expect(out.match(/but its row says accepted/g)).toHaveLength(50);
  expect(err).toContain('The journal has 60 problems.');
  db.open();
  db.exec("UPDATE entries SET data = '[]' WHERE state = 'denied'");
  db.close();
  const damaged = await run('verify', file);
  expect(damaged.out).toMatch(/^Problems: at least \d+/m);
  expect(damaged.err).toMatch(/has at least \d+ problems\./);
});

test('pages that are damaged are named by every command that meets them, and not taken for a lost output', async () => {
  const file = join(directory, 'pages.sqlite');
  const store = createSqliteStore(file);
  let key = '';
  for (let n = 0; n < 60; n++)
    key = await decide(store, `timer:${n}`, { intent: LAUNCH, trigger: {}, steps: [emitted] });
  await store.close();
  const db = new DatabaseSync(file);
  const first = db
    .prepare("SELECT rootpage FROM sqlite_schema WHERE name IN ('intents', 'entries', 'latches')")
    .all();
  db.close();
  const bytes = readFileSync(file);
  for (const { rootpage } of first)
    bytes.fill(0x5a, (Number(rootpage) - 1) * 4_096, Number(rootpage) * 4_096);
  writeFileSync(file, bytes);
  const verified = await run('verify', file);
  expect(verified).toMatchObject({ code: 1 });
  expect(verified.out).toMatch(/^Problems: at least \d+/m);
  expect(verified.err).toContain('TRIMTAB_JOURNAL_PROBLEMS');
  for (const argv of [['list'], ['explain', key], ['show', key], ['latches'], ['export']]) {
    const [name, ...others] = argv as [string, ...string[]];
    const { code, err } = await run(name, file, ...others);
    expect({ name, code, err }).toMatchObject({
      code: 1,
      err: expect.stringMatching(/pages\.sqlite is damaged: [^]*TRIMTAB_JOURNAL_DAMAGED/),
    });
  }
});

test('downgrade writes a new file in the former format, and refuses what that can not hold', async () => {
  const file = join(directory, 'small.sqlite');
  const store = createSqliteStore(file);
  await decide(store, 'bar:BTC:5m:1', { intent: LAUNCH, trigger: {}, steps: [emitted] });
  await store.close();
  const out = join(directory, 'small.former.sqlite');
  expect((await run('downgrade', file, out)).code).toBe(2);
  expect((await run('downgrade', file, out, '--to', '3')).code).toBe(2);
  const done = await run('downgrade', file, out, '--to', '1');
  expect(done).toMatchObject({ code: 0, out: `${out}: format 1, 1 intent, 1 step.\n` });
  expect((await run('list', out)).err).toContain('is of format 1');
  const noting = createSqliteStore(file);
  const noted = ['day:main', 'owner:main:BTC', 'owner:main:ETH', 'throttle re-armed after'];
  for (const name of ['account', ...noted]) await noting.setMeta(name, '{}');
  await noting.close();
  const lossy = await run('downgrade', file, `${out}.second`, '--to', '1');
  expect(lossy.out).toContain(
    'Format 1 has no place for what the bot has noted: day, owner, throttle re-armed after. The former version begins with none of it.',
  );
  const latched = createSqliteStore(file);
  await latched.setLatch('kill', { value: 'L2', reason: 'x', time: 1 });
  await latched.close();
  const refused = await run('downgrade', file, join(directory, 'other.sqlite'), '--to', '1');
  expect(refused.code).toBe(1);
  expect(refused.err).toContain('latches that are set (1: kill)');
});

test.each([
  ['list'],
  ['latches'],
  ['verify'],
  ['show', '5e2f'],
  ['explain', '5e2f'],
  ['export'],
  ['backup', 'copy.sqlite'],
  ['downgrade', 'other.sqlite', '--to', '1'],
])('%s of a folder is refused with what to name', async (command, ...rest) => {
  const [file, ...flags] = rest;
  const out = file?.endsWith('.sqlite') === true ? join(directory, file) : file;
  const said = await run(command, directory, ...(out === undefined ? [] : [out]), ...flags);
  expect(said).toMatchObject({ code: 1, out: '' });
  expect(said.err).toBe(
    `trimtab: ${directory} is a folder.\n  Name the journal's file in it.\n` +
      '(TRIMTAB_JOURNAL_FOREIGN: docs/errors.md#trimtab_journal_foreign)\n',
  );
});

test('what a terminal would obey is shown as its code', async () => {
  const file = join(directory, 'hostile.sqlite');
  const store = createSqliteStore(file);
  await store.setLatch('kill', { value: 'L2', reason: '\u001B[2J\u009B1A\u202Ehidden', time: 1 });
  await store.close();
  const { out } = await run('latches', file);
  expect(out).toContain('\\u{1b}[2J\\u{9b}1A\\u{202e}hidden');
});

const { database, missing } = await findTestDatabase();

test.skipIf(database === undefined)(
  `reads a journal in PostgreSQL too, by its account${missing}`,
  async () => {
    const { url } = database!;
    const env = createLiveEnv();
    const [one, two] = await Promise.all(
      ['one', 'two'].map((account) => createPostgresStore({ url, account, env })),
    );
    const own = await fill(one!);
    expect((await run('list', url)).err).toContain('--account');
    expect((await run('list', url, '--account', 'two')).out).toBe('No intents.\n');
    const { out } = await run('explain', url, own.launched.slice(0, 8), '--account', 'one');
    expect(out).toContain('indicators: fast 61020.5, slow 61001.25');
    const bot = join(directory, 'shared.yaml');
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('TRIMTAB_TEST_JOURNAL_URL', url);
    writeFileSync(
      bot,
      'name: x\njournal: { url: { env: TRIMTAB_TEST_JOURNAL_URL }, account: one }\n',
    );
    expect((await run('list', bot)).out).toBe((await run('list', url, '--account', 'one')).out);
    // Of two that are named, the command's.
    expect((await run('list', bot, '--account', 'two')).out).toBe('No intents.\n');
    const verified = await run('verify', url, '--account', 'one');
    expect(verified).toMatchObject({ code: 0 });
    expect(verified.out).toContain('intents   3 (1 open)');
    const exported = await run('export', url, '--account', 'one');
    expect(exported.out).toBe((await run('export', path)).out);
    await Promise.all([one!.close(), two!.close()]);
  },
);

test('a backup is noted beside its journal by its whole path, and one of a damaged journal is neither made nor noted', async () => {
  const journal = join(directory, 'noted.sqlite');
  const store = createSqliteStore(journal);
  await fill(store);
  await store.close();
  const out = join(directory, 'copy of noted.sqlite');
  const made = await run('backup', journal, relative(process.cwd(), out));
  expect([made.code, made.err]).toEqual([0, '']);
  expect(made.out).toContain('3 intents (1 open), verified.');
  const noted = readBackupNote(journal);
  expect(noted).toEqual({ time: expect.any(Number), file: out });
  const db = new DatabaseSync(journal);
  db.exec("UPDATE intents SET state = 'accepted' WHERE state = 'unknown'");
  db.close();
  const other = join(directory, 'copy of a damaged one.sqlite');
  const refused = await run('backup', journal, other);
  expect(refused.code).toBe(1);
  expect(refused.out).toContain('but its row says accepted');
  expect(refused.err).toContain('no backup was made');
  expect(existsSync(other)).toBe(false);
  expect(readBackupNote(journal)).toEqual(noted);
});
