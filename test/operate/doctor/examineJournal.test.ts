import { copyFileSync, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { BotConfig } from '../../../src/config/index.ts';
import { createSqliteReader, createSqliteStore } from '../../../src/journal/index.ts';
import { examineJournal } from '../../../src/operate/doctor/index.ts';
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
  const config = { file: 'bot.yaml', journal, link: { kind } } as unknown as BotConfig;
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
