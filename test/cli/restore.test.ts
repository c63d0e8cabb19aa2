/** What `journal restore` says agrees with what is in force afterwards, in `trimtab status` too. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSqliteStore } from '../../src/journal/index.ts';
import {
  controlFilesOf,
  writeWhole,
  type ControlFiles,
  type Pulse,
} from '../../src/operate/control/controlFiles.ts';
import { readLatch } from '../../src/runtime/index.ts';
import { runMain } from './runMain.ts';

const LINK =
  '{ kind: paper_service, base_url: "http://127.0.0.1:1", ws_url: "ws://127.0.0.1:1", key_id: vk_a, secret: { env: TRIMTAB_TEST_SECRET } }';

let folder: string;
let journal: string;
let config: string;
let backup: string;
let files: ControlFiles;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-cli-restore-'));
  journal = join(folder, 'bot.sqlite');
  config = join(folder, 'bot.yaml');
  backup = join(folder, 'copy.sqlite');
  files = controlFilesOf(journal);
  const strategies = '[{ name: trend, use: ./own.ts, symbols: [BTC] }]';
  writeFileSync(
    config,
    `name: remote\nlink: ${LINK}\nstrategies: ${strategies}\njournal: ./bot.sqlite\n`,
  );
  await createSqliteStore(journal).close();
  expect((await runMain('journal', 'backup', config, backup)).code).toBe(0);
});
afterEach(() => rmSync(folder, { recursive: true }));

const leavePulse = (level: Pulse['level']): void =>
  writeWhole(files.pulse, { pid: 1, time: 5, level, obeyed: 5, reasons: [], ended: 'in_order' });

const restore = (...more: string[]) => runMain('journal', 'restore', config, backup, ...more);

async function levelIn(file: string): Promise<string | undefined> {
  const store = createSqliteStore(file);
  const latch = readLatch(store, file);
  await store.close();
  return latch?.level;
}

test('status shows the level at which the restored bot starts', async () => {
  leavePulse('L0');
  expect((await restore()).out).toContain('remote starts at L1.');
  const said = JSON.parse((await runMain('status', config, '--json')).out) as unknown;
  expect(said).toMatchObject({ state: 'down', level: 'L1' });
  expect((await runMain('rearm', config)).out).toContain('was at L1, and starts at L0');
});

test('the level of the last pulse stands where the journal can’t be read, and the loss is named', async () => {
  leavePulse('L3');
  writeFileSync(journal, 'name: bot\n'.repeat(500));
  const { code, out } = await restore();
  expect([code, out]).toEqual([0, expect.stringContaining('remote starts at L3.')]);
  expect(out).toContain('can’t be read whole');
  expect(await levelIn(journal)).toBe('L3');
});

test('the level of a command that waits for the start is named', async () => {
  leavePulse('L0');
  writeWhole(files.command, { level: 'L2', reason: 'silent', time: 9 });
  const { out } = await restore();
  expect(out).toContain('remote starts at L2.');
  expect(out).not.toContain('can’t be read');
});

test('the command that goes on names the journal that was restored', async () => {
  const place = join(folder, 'elsewhere.sqlite');
  const { out } = await restore('--journal', place);
  expect(out).toContain(`trimtab rearm ${config} --journal ${place}`);
});
