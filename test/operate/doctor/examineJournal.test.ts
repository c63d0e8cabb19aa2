import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { BotConfig } from '../../../src/config/index.ts';
import { createSqliteReader, createSqliteStore } from '../../../src/journal/index.ts';
import { examineJournal } from '../../../src/operate/doctor/index.ts';
import { journalOn, openIntent } from '../../journal/journalRows.ts';

/** What is found of a journal without a backup, with one intent that went so far. */
async function examine(
  kind: 'live' | 'paper_service',
  states: Parameters<typeof openIntent>[2] = ['emitted', 'guarded', 'sending', 'accepted'],
) {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'bot.sqlite');
  const store = createSqliteStore(path);
  await openIntent(journalOn(store), 'key-of-one', states);
  await store.close();
  const config = { file: 'bot.yaml', journal: { path }, link: { kind } } as unknown as BotConfig;
  return examineJournal({
    config,
    now: 0,
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
