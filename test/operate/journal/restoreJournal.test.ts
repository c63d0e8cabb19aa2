/** A backup in the place of a journal: what is refused leaves all as it was, and what is restored trades not at once. */
import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BotConfig } from '../../../src/config/index.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';
import {
  ACCOUNT,
  createSqliteStore,
  idempotencyKeyOf,
  JournalFault,
} from '../../../src/journal/index.ts';
import { accountOf } from '../../../src/operate/journal/accountOf.ts';
import { restoreJournal } from '../../../src/operate/journal/restoreJournal.ts';
import { latchPause, readLatch, writeLatch, type KillLevel } from '../../../src/runtime/index.ts';
import { journalOn, openIntent } from '../../journal/journalRows.ts';

const TIME = 1_780_000_000_000;
const STATES = ['emitted', 'guarded', 'sending', 'accepted'] as const;

const { fsyncSync, linkSync, openSync, renameSync } = fs;
/** Looks at the file system after each change of a name. */
function atFileSystem(look: () => void): void {
  fs.renameSync = (one, other) => {
    renameSync(one, other);
    look();
  };
  fs.linkSync = (one, other) => {
    linkSync(one, other);
    look();
  };
  syncBuiltinESMExports();
}
/** The file system refuses to rename some files. */
function refuseRenames(isRefused: (from: string) => boolean): void {
  fs.renameSync = (from, to) => {
    if (isRefused(String(from))) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
    renameSync(from, to);
  };
  syncBuiltinESMExports();
}
afterEach(() => {
  Object.assign(fs, { fsyncSync, linkSync, openSync, renameSync });
  syncBuiltinESMExports();
});

let folder: string;
let path: string;
let from: string;
let config: BotConfig;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-restore-'));
  path = join(folder, 'var/bot.sqlite');
  from = join(folder, 'backup.sqlite');
  const link = { kind: 'paper_service', baseUrl: 'http://127.0.0.1:1', keyId: 'vk_a' };
  const strategies = [{ name: 'trend', wallet: 'main', symbols: ['BTC'] }];
  config = { name: 'bot', journal: { path }, link, strategies } as unknown as BotConfig;
});
afterEach(() => rmSync(folder, { recursive: true }));

const keyOf = (name: string): string => idempotencyKeyOf(`decision ${name}`, 0);

/** A journal with an intent of each name. */
async function write(
  file: string,
  names: readonly string[],
  more: { level?: KillLevel; account?: string; time?: number } = {},
) {
  mkdirSync(dirname(file), { recursive: true });
  const store = createSqliteStore(file);
  const { account = accountOf(config), level, time } = more;
  await store.setMeta(ACCOUNT, account);
  const journal = journalOn(store, time);
  for (const name of names) {
    const row = { ...rowOfName(name), key: keyOf(name) };
    await journal.open(
      row,
      STATES.map((state) => ({ state, data: {} })),
    );
  }
  if (level !== undefined) await writeLatch(store, { level, reason: 'before', time: 1 });
  await store.close();
}
const rowOfName = (name: string) => ({
  key: '',
  decisionKey: `decision ${name}`,
  generation: 0,
  instance: 'trend',
  wallet: 'main',
  kind: 'launch',
  intent: JSON.stringify({ intent: { kind: 'launch' }, trigger: { timer: { time: 1 } } }),
});

const restore = (last: { reported?: KillLevel; waiting?: KillLevel } = {}) =>
  restoreJournal({ config, env: createVirtualEnv({ startTime: TIME }), from, pid: 7, last });
/** A lock stays beside its journal: it is held by a process, not by the file. */
const files = (): string[] =>
  readdirSync(join(folder, 'var'))
    .filter((name) => name !== 'bot.sqlite.lock')
    .toSorted();

/** What a journal holds: keys, and the level of the next start. */
async function read(file: string) {
  const store = createSqliteStore(file);
  const latch = readLatch(store, file);
  const held = ['old', 'new'].filter((name) => store.holds(keyOf(name)));
  await store.close();
  return { held, level: latch?.level ?? 'L0', reason: latch?.reason };
}

describe('a backup', () => {
  test.each<[KillLevel | undefined, KillLevel]>([
    [undefined, 'L1'],
    ['L0', 'L1'],
    ['L1', 'L1'],
    ['L2', 'L2'],
    ['L4', 'L4'],
  ])('of a bot at %s starts at %s, and what stood there is set aside', async (level, starts) => {
    await write(from, ['old'], level === undefined ? {} : { level });
    for (const hasJournal of [false, true]) {
      if (hasJournal) {
        rmSync(path);
        await write(path, ['new']);
        // As of a process that was killed.
        for (const ending of ['-wal', '-shm']) writeFileSync(`${path}${ending}`, '');
      }
      const before = existsSync(from) && readFileSync(from);
      const restored = await restore();
      const aside = hasJournal ? `${path}.replaced-${TIME}` : null;
      expect(restored).toMatchObject({ ok: true, aside, found: { intents: 1, problems: [] } });
      expect(files().filter((name) => name.includes('.part'))).toEqual([]);
      expect(readFileSync(from)).toEqual(before);
      const found = await read(path);
      expect(found).toMatchObject({ held: ['old'], level: starts });
      // A level that was set already keeps its reason.
      const isKept = level !== undefined && level !== 'L0';
      expect(found.reason).toBe(isKept ? 'before' : `restored from ${from}`);
      if (aside !== null) expect((await read(aside)).held).toEqual(['new']);
    }
  });

  // Only an operator lowers a level: what was in force when the journal was replaced is not forgotten with it.
  test.each<[KillLevel, KillLevel, KillLevel, string]>([
    ['L0', 'L3', 'L3', 'before'],
    ['L1', 'L4', 'L4', 'before'],
    ['L2', 'L3', 'L3', 'before'],
    ['L3', 'L2', 'L3', 'before'],
    ['L0', 'L0', 'L1', 'restored'],
  ])(
    'of a bot at %s in the place of a journal at %s starts at %s',
    async (was, is, starts, why) => {
      await write(from, ['old'], { level: was });
      await write(path, ['new'], { level: is });
      expect(await restore()).toMatchObject({ ok: true, level: starts });
      const found = await read(path);
      expect(found).toMatchObject({ held: ['old'], level: starts });
      expect(found.reason).toMatch(new RegExp(`^${why}`));
    },
  );

  test('keeps pauses, throttles and stages of the journal that stood there, and those of its own', async () => {
    await write(from, ['old']);
    await write(path, ['new']);
    const pause = async (file: string, instance: string, value: 'on' | 'off') => {
      const store = createSqliteStore(file);
      await latchPause(store, { instance, value, reason: `of ${instance}`, time: 5 });
      await store.close();
    };
    await pause(from, 'range', 'on');
    await pause(path, 'trend', 'on');
    await pause(path, 'range', 'off');
    await pause(path, 'grid', 'off');
    const before = createSqliteStore(path);
    await before.setLatch('throttle carry', { value: 'on', reason: 'too many', time: 6 });
    await before.setLatch('stage trend', { value: 'live ./next.ts', reason: 'well', time: 7 });
    await before.close();
    expect(await restore()).toMatchObject({
      ok: true,
      latches: ['pause range', 'pause trend', 'stage trend', 'throttle carry'],
    });
    const store = createSqliteStore(path);
    const latches = store.latches().filter(({ name }) => name !== 'kill');
    await store.close();
    expect(latches.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'pause range', value: 'on', reason: 'of range', time: 5 },
      { name: 'pause trend', value: 'on', reason: 'of trend', time: 5 },
      { name: 'stage trend', value: 'live ./next.ts', reason: 'well', time: 7 },
      { name: 'throttle carry', value: 'on', reason: 'too many', time: 6 },
    ]);
  });

  // The day's loss, the clocks of what is uncovered, what was bought, armed and owned: a bot that reads the backup's
  // of yesterday begins its day anew, and what it bought since is nobody's.
  test('keeps what the bot had noted since: its day, uncovered time, stops, purchases and owners', async () => {
    await write(from, ['old']);
    await write(path, ['old', 'new']);
    const note = async (file: string, facts: Record<string, string>) => {
      const store = createSqliteStore(file);
      for (const [name, value] of Object.entries(facts)) await store.setMeta(name, value);
      await store.close();
    };
    const since = {
      'day:main': '{"day":20600,"equity":1000,"lost":120}',
      'uncovered:main': '[["BTC",1779999990000]]',
      'stops:main': '{"stops":[],"offered":[["BTC",9]]}',
      'spot:main': '{"bought":{"ETH/USD":2}}',
      'owner:main:BTC': 'trend',
    };
    await note(from, { 'day:main': '{"day":20599,"equity":1000}', 'spot:sub': '{}' });
    await note(path, { ...since, 'throttle re-armed after': keyOf('new') });
    expect(await restore()).toMatchObject({ ok: true });
    const store = createSqliteStore(path);
    const facts = Object.fromEntries(
      [...Object.keys(since), 'spot:sub'].map((name) => [name, store.meta(name)]),
    );
    const rearmed = store.meta('throttle re-armed after');
    await store.close();
    expect(facts).toEqual({ ...since, 'spot:sub': '{}' });
    // Its key is not in the backup, whose entries count all.
    expect(rearmed).toBeUndefined();
  });

  // A host without its disk: the bot began a new journal and knew nothing, until somebody brought the backup back.
  test.each<[string, readonly string[]]>([
    ['decided nothing', []],
    ['decided something', ['new']],
  ])(
    'keeps its day, purchases and owners in the place of a journal that was begun since and %s',
    async (_what, names) => {
      const ofBackup = {
        'day:main': '{"day":20600,"equity":1000,"lost":120}',
        'day:sub': '{"day":20600,"equity":500}',
        'day:hedge': '{"day":20599,"equity":300,"lost":30}',
        'owner:main:BTC': 'trend',
        'spot:main': '{"bought":{"ETH/USD":2}}',
        'uncovered:main': '[]',
      };
      const since = {
        'day:main': '{"day":20600,"equity":880}',
        'day:sub': '{"day":20600,"equity":500,"lost":60}',
        'day:hedge': '{"day":20600,"equity":270}',
        'owner:main:BTC': 'range',
        'owner:main:ETH': 'range',
        'spot:main': '{"bought":{}}',
        'uncovered:main': '[["BTC",1779999990000]]',
      };
      await write(from, ['old'], { time: 2_000 });
      await write(path, names, { time: 3_000 });
      for (const [file, facts] of [
        [from, ofBackup],
        [path, since],
      ] as const) {
        const store = createSqliteStore(file);
        for (const [name, value] of Object.entries(facts)) await store.setMeta(name, value);
        await store.close();
      }
      expect(await restore()).toMatchObject({ ok: true });
      const store = createSqliteStore(path);
      const facts = Object.fromEntries(Object.keys(since).map((name) => [name, store.meta(name)]));
      await store.close();
      expect(facts).toEqual({
        ...since,
        'day:main': ofBackup['day:main'],
        'day:sub': since['day:sub'],
        'owner:main:BTC': 'trend',
        'spot:main': ofBackup['spot:main'],
      });
    },
  );

  test('that was written later than the journal that stood there keeps its own notes, and no level falls', async () => {
    await write(from, ['old'], { time: 3_000 });
    await write(path, ['new'], { time: 2_000, level: 'L2' });
    for (const [file, lost] of [
      [from, 120],
      [path, 40],
    ] as const) {
      const store = createSqliteStore(file);
      await store.setMeta('day:main', `{"day":20600,"equity":1000,"lost":${lost}}`);
      await store.close();
    }
    expect(await restore()).toMatchObject({ ok: true, level: 'L2' });
    const store = createSqliteStore(path);
    expect(store.meta('day:main')).toContain('"lost":120');
    await store.close();
  });

  test('keeps the newer of both of what is ignored and of the version under which a strategy goes on', async () => {
    await write(from, ['old']);
    await write(path, ['new']);
    const set = async (file: string, name: string, value: string, time: number) => {
      const store = createSqliteStore(file);
      await store.setLatch(name, { value, reason: 'so', time });
      await store.close();
    };
    await set(from, 'position main ETH', 'ignored', 5);
    await set(path, 'position main BTC', 'ignored', 6);
    await set(path, 'position main ETH', 'adopted by trend', 6);
    await set(path, 'version trend', './next.ts', 7);
    await set(path, 'stage trend', 'shadow ./next.ts', 7);
    // What tells of the process before stays that of the backup.
    await set(path, 'api key', 'vk_b', 8);
    expect(await restore()).toMatchObject({ ok: true, latches: ['position main BTC ignored'] });
    const store = createSqliteStore(path);
    const latches = store.latches().filter(({ name }) => name !== 'kill');
    await store.close();
    expect(latches.map(({ name, value }) => `${name}: ${value}`).toSorted()).toEqual([
      'position main BTC: ignored',
      'position main ETH: adopted by trend',
      'stage trend: shadow ./next.ts',
      'version trend: ./next.ts',
    ]);
  });

  // Damage is the reason for most restores, and it rarely reaches the few rows of what is in force.
  test.each(['intents', 'entries'])(
    'keeps the level and the pauses of a journal whose %s are damaged',
    async (table) => {
      await write(from, ['old']);
      await write(path, ['new'], { level: 'L3' });
      const before = createSqliteStore(path);
      await latchPause(before, { instance: 'trend', value: 'on', reason: 'of trend', time: 5 });
      await before.setMeta('day:main', '{"day":20600,"equity":1000,"lost":120}');
      await before.close();
      const database = new DatabaseSync(path);
      database.exec(`UPDATE ${table} SET sum = sum + 1`);
      database.close();
      expect(() => createSqliteStore(path)).toThrow(JournalFault);
      expect(await restore()).toMatchObject({
        ok: true,
        level: 'L3',
        latches: ['pause trend'],
        unread: true,
      });
      const store = createSqliteStore(path);
      const day = store.meta('day:main');
      await store.close();
      expect([(await read(path)).level, day]).toEqual([
        'L3',
        '{"day":20600,"equity":1000,"lost":120}',
      ]);
    },
  );

  test('starts at the level that the bot had reported last where its journal can’t be read', async () => {
    await write(from, ['old']);
    await write(path, []);
    writeFileSync(path, 'name: bot\n'.repeat(500));
    expect(await restore({ reported: 'L3' })).toMatchObject({
      ok: true,
      level: 'L3',
      unread: true,
    });
    expect((await read(path)).level).toBe('L3');
    // A journal that can be read says it itself.
    for (const file of [path, `${path}.replaced-${TIME}`]) rmSync(file);
    await write(path, ['new'], { level: 'L2' });
    expect(await restore({ reported: 'L4' })).toMatchObject({ level: 'L2', unread: false });
  });

  test('keeps a level where an earlier version had written it', async () => {
    await write(from, ['old']);
    await write(path, ['new']);
    const before = createSqliteStore(path);
    await before.writeState('trimtab:kill', '{"level":"L3","reason":"before","time":1}');
    await before.close();
    expect(await restore()).toMatchObject({ ok: true, level: 'L3' });
  });

  test('starts at the level of a command that waits for the start', async () => {
    await write(from, ['old']);
    await write(path, ['new']);
    expect(await restore({ waiting: 'L2' })).toMatchObject({ ok: true, level: 'L2' });
  });

  test('takes no place of a journal to which an operator wrote meanwhile', async () => {
    await write(from, ['old']);
    await write(path, ['new']);
    let looks = 0;
    // The copy is latched by then, and takes its place next.
    const clock = {
      ...createVirtualEnv({ startTime: TIME }).clock,
      wallNow(): number {
        if (++looks === 2) {
          const store = createSqliteStore(path);
          void store.setLatch('kill', { value: 'L4', reason: 'now', time: 9 });
          void store.close();
        }
        return TIME;
      },
    };
    const refused = await restoreJournal({ config, env: { clock }, from, pid: 7 });
    expect(refused).toMatchObject({ ok: false, reason: expect.stringContaining('was written') });
    expect([files(), (await read(path)).level]).toEqual([['bot.sqlite'], 'L4']);
  });

  test('of another account is refused', async () => {
    await write(from, ['old'], { account: 'another/main' });
    await write(path, ['new']);
    const refused = await restore();
    expect(refused).toMatchObject({ ok: false, reason: expect.stringContaining('another/main') });
    expect([files(), (await read(path)).held]).toEqual([['bot.sqlite'], ['new']]);
  });

  test('that is damaged is refused', async () => {
    await write(from, ['old']);
    const database = new DatabaseSync(from);
    database.exec("UPDATE intents SET state = 'rejected'");
    database.close();
    await write(path, ['new']);
    const refused = await restore();
    expect(refused).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^the backup has .*1 problem:/),
    });
    expect([files(), (await read(path)).held]).toEqual([['bot.sqlite'], ['new']]);
  });

  test('that is none is a fault, and nothing is left of it', async () => {
    writeFileSync(from, 'name: bot\n'.repeat(500));
    await write(path, ['new']);
    await expect(restore()).rejects.toThrow(JournalFault);
    expect([files(), (await read(path)).held]).toEqual([['bot.sqlite'], ['new']]);
  });

  test('takes no place of a journal that is written', async () => {
    await write(from, ['old']);
    await write(path, []);
    const store = createSqliteStore(path);
    await openIntent(journalOn(store), 'mine', ['emitted']);
    await expect(restore()).rejects.toMatchObject({ code: 'in_use' });
    expect(store.holds('mine')).toBe(true);
    await store.close();
    expect(files()).toEqual(['bot.sqlite']);
  });

  test('that can’t be put in its place leaves the journal where it was', async () => {
    await write(from, ['old']);
    await write(path, ['new']);
    refuseRenames((file) => file.endsWith('.part'));
    expect(await restore()).toMatchObject({ ok: false, reason: expect.stringContaining('EIO') });
    expect([files(), (await read(path)).held]).toEqual([['bot.sqlite'], ['new']]);
  });

  // A process that dies between two renames leaves what is there: a start would make an empty journal where none is.
  test('leaves a journal at its path at each instant', async () => {
    await write(from, ['old']);
    await write(path, ['new']);
    const there: boolean[] = [];
    const note = (): void => void there.push(existsSync(path));
    atFileSystem(note);
    expect(await restore()).toMatchObject({ ok: true, aside: `${path}.replaced-${TIME}` });
    expect(there.length).toBeGreaterThan(1);
    expect(there).not.toContain(false);
    expect((await read(`${path}.replaced-${TIME}`)).held).toEqual(['new']);
    expect((await read(path)).held).toEqual(['old']);
  });

  test('is on the disk, and so is its name, before it is reported', async () => {
    await write(from, ['old']);
    await write(path, ['new']);
    const synced: string[] = [];
    const opened = new Map<number, string>();
    fs.openSync = (file, ...rest) => {
      const descriptor = openSync(file, ...rest);
      opened.set(descriptor, String(file));
      return descriptor;
    };
    fs.renameSync = (one, other) => {
      synced.push(`rename ${basename(String(other))}`);
      renameSync(one, other);
    };
    fs.fsyncSync = (descriptor) => {
      synced.push(`sync ${basename(opened.get(descriptor)!)}`);
      fsyncSync(descriptor);
    };
    syncBuiltinESMExports();
    expect(await restore()).toMatchObject({ ok: true });
    const placed = synced.indexOf('rename bot.sqlite');
    expect(synced.slice(0, placed)).toContain('sync bot.sqlite.7.part');
    expect(synced.slice(placed)).toContain('sync var');
  });

  test('says where the log is if it can’t be moved back', async () => {
    await write(from, ['old']);
    await write(path, []);
    writeFileSync(path, 'name: bot\n'.repeat(500));
    writeFileSync(`${path}-wal`, 'its log');
    const log = `${path}.replaced-${TIME}-wal`;
    refuseRenames((file) => file.endsWith('.part') || file === log);
    const refused = await restore();
    expect(refused).toMatchObject({ ok: false, reason: expect.stringContaining(`${log} now`) });
    expect(readFileSync(log, 'utf8')).toBe('its log');
    expect(readFileSync(path, 'utf8')).toContain('name: bot');
  });

  test('keeps a copy where the file system has no second names', async () => {
    await write(from, ['old']);
    await write(path, ['new']);
    fs.linkSync = () => {
      throw Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM' });
    };
    syncBuiltinESMExports();
    const aside = `${path}.replaced-${TIME}`;
    expect(await restore()).toMatchObject({ ok: true, aside });
    expect([(await read(aside)).held, (await read(path)).held]).toEqual([['new'], ['old']]);
  });

  test('replaces a journal that cannot be opened', async () => {
    await write(from, ['old']);
    await write(path, []);
    writeFileSync(path, 'name: bot\n'.repeat(500));
    for (const ending of ['-wal', '-shm']) writeFileSync(`${path}${ending}`, `its ${ending}`);
    const aside = `${path}.replaced-${TIME}`;
    expect(await restore()).toMatchObject({ ok: true, aside });
    expect(readFileSync(aside, 'utf8')).toContain('name: bot');
    // They belong to the journal beside which they stood.
    for (const ending of ['-wal', '-shm'])
      expect(readFileSync(`${aside}${ending}`, 'utf8')).toBe(`its ${ending}`);
    expect((await read(path)).held).toEqual(['old']);
  });
});

test.each([
  [{ path: 'memory' }, 'the journal is in memory'],
  [{ path: '', url: 'postgres://127.0.0.1/bot' }, 'the journal is in PostgreSQL'],
])('a journal of %j has no file to restore', async (journal, reason) => {
  await write(from, ['old']);
  config = { ...config, journal } as unknown as BotConfig;
  expect(await restore()).toMatchObject({ ok: false, reason });
});
