import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { BotConfig } from '../../src/config/index.ts';
import { createSqliteStore } from '../../src/journal/index.ts';
import { examineJournal } from '../../src/operate/doctor/examineJournal.ts';
import { openJournalReader } from '../../src/operate/journal/index.ts';
import { toFirstFormat } from '../journal/formerFormat.ts';

test('the doctor says which format is due, and afterwards where the former one is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-doctor-format-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'bot.sqlite');
  await createSqliteStore(path).close();
  const config = { file: 'bot.yaml', journal: { path }, link: { kind: 'paper' } } as BotConfig;
  const examine = async () => {
    const found = await examineJournal({
      config,
      now: 0,
      async read(use) {
        const reader = await openJournalReader({ place: path });
        try {
          return await use(reader);
        } finally {
          await reader.close();
        }
      },
    });
    return found.filter(({ check }) => check === 'journal format');
  };
  expect(await examine()).toEqual([]);
  toFirstFormat(path);
  const [due] = await examine();
  expect(due).toMatchObject({ state: 'note' });
  expect(due?.text).toContain('1; the next start backs it up');

  const store = createSqliteStore(path);
  const backup = store.upgraded!.backup;
  await store.close();
  const [done] = await examine();
  expect(done).toMatchObject({ state: 'well' });
  expect(done?.text).toContain(backup);
});
