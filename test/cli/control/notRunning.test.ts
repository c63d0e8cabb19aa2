/** What a command does where the journal of its bot is not to be read. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { requireJournal } from '../../../src/cli/control/notRunning.ts';
import type { BotConfig } from '../../../src/config/index.ts';
import { createSqliteStore } from '../../../src/journal/index.ts';

test('only a bot whose journal is not there is refused as one that does not run', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-not-running-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const ask = (path: string): Promise<void> =>
    requireJournal({
      name: 'remote',
      journal: { path: join(folder, path), account: 'bot' },
      strategies: [],
    } as unknown as BotConfig);
  const refused = { code: 'TRIMTAB_BOT_NOT_RUNNING' };
  await expect(ask('none.sqlite')).rejects.toMatchObject(refused);
  await expect(ask('no-folder/none.sqlite')).rejects.toMatchObject(refused);
  await createSqliteStore(join(folder, 'one.sqlite'), 'process').close();
  await expect(ask('one.sqlite')).resolves.toBeUndefined();
  // What else is wrong is said by the command that opens it: with the file that is in the way, or is damaged.
  await expect(ask('one.sqlite/bot.sqlite')).resolves.toBeUndefined();
  writeFileSync(
    join(folder, 'text.sqlite'),
    'no journal, but a text that is long enough to be one',
  );
  await expect(ask('text.sqlite')).resolves.toBeUndefined();
});
