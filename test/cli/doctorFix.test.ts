/** What the doctor mends is well from then on, for the exit code too; what it cannot mend is not. */
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSqliteStore } from '../../src/journal/index.ts';
import { root } from '../sourceFiles.ts';
import { runMain } from './runMain.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-mend-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A bot whose journal others may read. */
async function write(plugin: string): Promise<{ config: string; journal: string }> {
  const [config, journal] = [join(folder, 'bot.yaml'), join(folder, 'bot.sqlite')];
  const feed = '{ symbol: BTC, interval: 1m, generate: { seed: 1, bars: 100 } }';
  writeFileSync(
    config,
    `name: mended\nlink: { kind: paper }\npaper: { feeds: [${feed}] }\njournal: ./bot.sqlite\n` +
      `strategies: [{ name: own, use: ${plugin}, symbols: [BTC] }]\n`,
  );
  await createSqliteStore(journal).close();
  chmodSync(journal, 0o644);
  return { config, journal };
}

const PLUGIN = join(root, 'test/cli/plants/restsOne.ts');

test('modes that others may read end with 1 until they are mended', async () => {
  const { config, journal } = await write(PLUGIN);
  expect((await runMain('doctor', config)).out).toContain('others may read');
  expect(process.exitCode).toBe(1);
  for (const flags of [['--fix'], [], ['--fix']]) {
    const { code, out } = await runMain('doctor', config, ...flags);
    expect([out.includes('others may read'), code, process.exitCode ?? 0]).toEqual([false, 0, 0]);
    expect(statSync(journal).mode & 0o777).toBe(0o600);
  }
});

test('what cannot be mended ends with 1 all the same', async () => {
  const { config } = await write('./none.ts');
  for (const format of [[], ['--json']]) {
    const { out } = await runMain('doctor', config, '--fix', ...format);
    expect(out).toContain('none.ts');
    expect(process.exitCode).toBe(1);
  }
});
