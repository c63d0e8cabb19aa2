import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { BotConfig } from '../../../src/config/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { createSqliteReader, createSqliteStore } from '../../../src/journal/index.ts';
import { openJournalStore } from '../../../src/operate/journal/openJournalStore.ts';
import { setJournalAside } from '../../../src/operate/journal/setJournalAside.ts';
import { setShadowAside } from '../../../src/operate/shadow/shadowFiles.ts';

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-aside-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** What a crash leaves of a journal with one intent, which is in its log alone. */
async function crash(path: string, key: string): Promise<void> {
  const writer = `${path}.running`;
  const store = createSqliteStore(writer, 'process');
  const intent = {
    key,
    decisionKey: `main/turns/${key}#0`,
    generation: 0,
    instance: 'turns',
    wallet: 'main',
    kind: 'place_order',
    intent: '{}',
  };
  const step = { key, wallTime: 7, marketTime: 7, data: '{}', state: 'emitted' as const };
  await store.append({ intent, entries: [step] });
  for (const ending of ['', '-wal']) copyFileSync(`${writer}${ending}`, `${path}${ending}`);
  await store.close();
  rmSync(writer);
}

async function keysOf(path: string): Promise<string[]> {
  const reader = createSqliteReader(path);
  const { items } = await reader.find({ limit: 10 });
  await reader.close();
  return items.map(({ key }) => key);
}

test('what a shadow wrote last before a crash is in what is set aside', async () => {
  const folder = openFolder();
  const files = { journal: join(folder, 'own.sqlite'), figures: join(folder, 'own.json') };
  await crash(files.journal, 'first');
  writeFileSync(files.figures, '{}');
  setShadowAside(files);
  expect(await keysOf(`${files.journal}.previous`)).toEqual(['first']);
  expect(existsSync(`${files.figures}.previous`)).toBe(true);
  for (const ending of ['', '-wal', '-shm'])
    expect(existsSync(`${files.journal}${ending}`)).toBe(false);
  // In place of the one before, whose log it does not get.
  await crash(files.journal, 'second');
  setShadowAside(files);
  expect(await keysOf(`${files.journal}.previous`)).toEqual(['second']);
});

test('a move that was interrupted is completed by the next', async () => {
  const journal = join(openFolder(), 'own.sqlite');
  await crash(journal, 'first');
  renameSync(journal, `${journal}.previous`);
  setJournalAside(journal);
  expect(await keysOf(`${journal}.previous`)).toEqual(['first']);
  setJournalAside(journal);
  expect(await keysOf(`${journal}.previous`)).toEqual(['first']);
});

test('a journal of before without a log leaves none for the next', async () => {
  const journal = join(openFolder(), 'own.sqlite');
  await crash(journal, 'first');
  setJournalAside(journal);
  await createSqliteStore(journal, 'process').close();
  rmSync(`${journal}-wal`, { force: true });
  setJournalAside(journal);
  expect(existsSync(`${journal}.previous-wal`)).toBe(false);
  expect(await keysOf(`${journal}.previous`)).toEqual([]);
});

test('a rehearsal that starts over while its journal is read keeps all of the one before', async () => {
  const journal = join(openFolder(), 'own.sqlite');
  await crash(journal, 'first');
  const reader = createSqliteReader(journal);
  onTestFinished(() => reader.close());
  // A read that has begun keeps the log from being written back.
  const lives = reader.lives()[Symbol.asyncIterator]();
  await lives.next();
  const config = {
    name: 'bot',
    link: { kind: 'paper' },
    journal: { path: journal, durability: 'process' },
    strategies: [{ name: 'turns', wallet: 'main', symbols: ['BTC'] }],
  } as unknown as BotConfig;
  const env = createLiveEnv();
  const store = await openJournalStore({ config, env, startsOver: true, onLost: () => {} });
  await store.close();
  expect(await keysOf(`${journal}.previous`)).toEqual(['first']);
});
