import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { BotConfig } from '../../../src/config/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { createSqliteReader, createSqliteStore } from '../../../src/journal/index.ts';
import { settleInJournal } from '../../../src/operate/journal/settleInJournal.ts';
import { journalOn, openIntent } from '../../journal/journalRows.ts';

test('an outcome that is settled without a bot is of the intent’s last market time, and frees the journal', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-settled-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'bot.sqlite');
  const store = createSqliteStore(path);
  await openIntent(journalOn(store, 1_000), 'a', ['emitted', 'guarded', 'sending']);
  await journalOn(store, 9_000).record('a', [{ state: 'unknown' }]);
  await store.close();
  const lifeOf = async () => {
    const reader = createSqliteReader(path);
    const life = await reader.life('a');
    await reader.close();
    return life!;
  };
  const config = {
    name: 'bot',
    link: { kind: 'paper' },
    journal: { path, durability: 'power', keep_days: 90 },
    strategies: [],
  } as unknown as BotConfig;
  const refused = await settleInJournal({
    config,
    env: createLiveEnv(),
    life: await lifeOf(),
    settlement: { as: 'absent', records: [], reason: 'not in its list', by: 'ann at host' },
    read: () => expect.unreachable(),
  });
  expect(refused).toBeUndefined();
  expect((await lifeOf()).entries.map(({ state, marketTime }) => [state, marketTime])).toEqual([
    ['emitted', 1_000],
    ['guarded', 1_000],
    ['sending', 1_000],
    ['unknown', 9_000],
    ['absent', 9_000],
  ]);
  await createSqliteStore(path).close();
});
