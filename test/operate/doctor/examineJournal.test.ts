import { copyFileSync, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { BotConfig } from '../../../src/config/index.ts';
import {
  createSqliteReader,
  createSqliteStore,
  type JournalStore,
} from '../../../src/journal/index.ts';
import { examineJournal, type Finding } from '../../../src/operate/doctor/index.ts';
import { writeBackupNote } from '../../../src/operate/journal/index.ts';
import { journalOn, openIntent } from '../../journal/journalRows.ts';

/** What is found of a journal without a backup, if none is made, with one intent that went so far. */
async function examine(
  kind: 'live' | 'paper_service',
  states: Parameters<typeof openIntent>[2] = ['emitted', 'guarded', 'sending', 'accepted'],
  { now = 0, prepare }: { now?: number; prepare?: (path: string) => string } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'bot.sqlite');
  const store = createSqliteStore(path);
  await openIntent(journalOn(store), 'key-of-one', states);
  await store.close();
  const journal = { path: prepare?.(path) ?? path };
  const parts = { file: 'bot.yaml', journal, link: { kind }, strategies: [] };
  const config = parts as unknown as BotConfig;
  return examineJournal({
    config,
    now,
    async read(use) {
      const reader = createSqliteReader(path);
      return use(reader).finally(() => reader.close());
    },
  });
}

test.each([
  ['live', 'bad'],
  ['paper_service', 'note'],
] as const)('a journal without a backup is %s: %s', async (kind, state) => {
  expect(await examine(kind)).toContainEqual(
    expect.objectContaining({ check: 'backup', state, text: 'none was made' }),
  );
});

test('an intent that only the operator can find out is bad, with the command that settles it', async () => {
  const found = await examine('live', ['emitted', 'guarded', 'sending', 'unknown', 'unresolved']);
  expect(found.find(({ check }) => check === 'unresolved')).toMatchObject({
    state: 'bad',
    text: expect.stringContaining('counts with its full exposure'),
    remedy: expect.stringContaining('trimtab settle bot.yaml key-of-one'),
  });
  const well = await examine('live');
  expect(well.find(({ check }) => check === 'unresolved')).toBeUndefined();
});

test('of several intents those that are not over are counted, and named where they have no answer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'bot.sqlite');
  const store = createSqliteStore(path);
  const sent = ['emitted', 'guarded', 'sending'] as const;
  const lives = {
    done: [...sent, 'accepted'],
    refused: ['emitted', 'denied'],
    waiting: ['emitted', 'guarded'],
    asked: [...sent],
    silent: [...sent, 'unknown'],
    lost: [...sent, 'unknown', 'unresolved'],
    gone: [...sent, 'unknown', 'absent'],
  } as const;
  for (const [key, states] of Object.entries(lives))
    await openIntent(journalOn(store), `key-${key}`, [...states]);
  await store.close();
  const config = { file: 'bot.yaml', journal: { path }, link: { kind: 'live' }, strategies: [] };
  const found = await examineJournal({
    config: config as unknown as BotConfig,
    now: 0,
    async read(use) {
      const reader = createSqliteReader(path);
      return use(reader).finally(() => reader.close());
    },
  });
  const of = (name: string) => found.filter(({ check }) => check === name);
  const steps = Object.values(lives).flat().length;
  expect(of('journal').map(({ text }) => text.split(/[:,] (?!\d)/)[0])).toEqual([
    `7 newest intents, ${steps} steps`,
  ]);
  expect(of('open intents').map(({ text }) => text)).toEqual(['4 are not over']);
  const remedies = (name: string) => of(name).map(({ remedy }) => /key-\w+/.exec(remedy!)![0]);
  expect(remedies('unknown').toSorted()).toEqual(['key-asked', 'key-silent']);
  expect(remedies('unresolved')).toEqual(['key-lost']);
});

test.each([
  [7, 'well', '7 days ago'],
  [7.01, 'bad', 'the last is 7 days old'],
] as const)('a backup of %d days ago is %s', async (days, state, text) => {
  const prepare = (path: string): string => {
    writeBackupNote(path, { time: 1_000, file: '/backups/a.sqlite' });
    return path;
  };
  const found = await examine('live', undefined, { now: 1_000 + days * 86_400_000, prepare });
  expect(found.find(({ check }) => check === 'backup')).toMatchObject({
    state,
    text: expect.stringContaining(text),
  });
});

test.each([
  [2 ** 31 - 1, 'well'],
  [2 ** 31, 'note'],
] as const)('a journal of %d bytes is %s', async (bytes, state) => {
  // A journal with a hole at its end, which takes no room.
  const prepare = (path: string): string => {
    copyFileSync(path, `${path}.large`);
    truncateSync(`${path}.large`, bytes);
    return `${path}.large`;
  };
  const found = await examine('live', undefined, { prepare });
  expect(found.find(({ check }) => check === 'journal size')).toMatchObject({ state });
});

describe('what a start would refuse by the journal is bad', () => {
  const strategies = [{ name: 'trend', use: './new.ts', symbols: ['BTC'], wallet: 'main' }];
  async function examineWritten(write: (store: JournalStore) => void): Promise<Finding[]> {
    const folder = mkdtempSync(join(tmpdir(), 'trimtab-doctor-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'bot.sqlite');
    const store = createSqliteStore(path);
    write(store);
    await store.close();
    const link = { kind: 'live', baseUrl: 'https://service.example' };
    const config = { file: 'bot.yaml', directory: folder, journal: { path }, link, strategies };
    return examineJournal({
      config: config as unknown as BotConfig,
      now: 0,
      async read(use) {
        const reader = createSqliteReader(path);
        return use(reader).finally(() => reader.close());
      },
    });
  }
  const latch = (value: string) => ({ value, reason: 'test', time: 1 });

  test('the journal of other wallets', async () => {
    const found = await examineWritten((store) => {
      void store.setMeta('account', 'service.example/other');
    });
    expect(found).toContainEqual({
      check: 'account',
      state: 'bad',
      text: expect.stringContaining(
        'is that of service.example/other, and this bot trades on service.example/main',
      ),
      remedy: expect.stringContaining('Go on with its wallets'),
    });
  });

  test('a promoted version that the configuration does not have', async () => {
    const found = await examineWritten((store) => {
      void store.setLatch('stage trend', latch('canary ./gone.ts'));
    });
    expect(found).toContainEqual({
      check: 'stage',
      state: 'bad',
      text: expect.stringContaining('trend is at the stage canary with ./gone.ts'),
      remedy: expect.stringMatching(
        /^Name \.\/gone\.ts again.*trimtab promote bot\.yaml trend --back/,
      ),
    });
  });

  test('while what a renamed strategy would leave behind is a note, and the rest is well', async () => {
    const found = await examineWritten((store) => {
      void store.setMeta('account', 'service.example/main');
      void store.setMeta('strategies', '["old"]');
      void store.setLatch('pause old', latch('on'));
      void store.setLatch('stage trend', latch('canary ./new.ts'));
    });
    expect(found.filter(({ check }) => check === 'account' || check === 'stage')).toEqual([]);
    expect(found).toContainEqual(
      expect.objectContaining({
        check: 'renamed',
        state: 'note',
        text: expect.stringContaining('of old the journal has a pause'),
      }),
    );
  });
});
