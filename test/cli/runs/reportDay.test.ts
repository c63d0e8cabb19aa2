import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSqliteStore } from '../../../src/journal/index.ts';
import { runMain } from '../runMain.ts';

test('a day whose P&L can’t be asked for says why, whatever keeps it from being asked', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-cli-day-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await createSqliteStore(join(folder, 'bot.sqlite')).close();
  writeFileSync(join(folder, 'secret'), 'vs_of_the_test', { mode: 0o600 });
  writeFileSync(join(folder, 'broken.ts'), "throw new Error('a dialect that is broken');\n");
  const config = join(folder, 'bot.yaml');
  writeFileSync(
    config,
    `name: remote
link: { kind: paper_service, base_url: "http://127.0.0.1:1", key_id: vk_a, secret: { file: ./secret } }
dialect_module: ./broken.ts
strategies: [{ name: own, use: ./own.ts, symbols: [BTC] }]
journal: ./bot.sqlite
`,
  );
  const { code, out, err } = await runMain('report', config, '--day', '2026-01-31');
  expect([code, out]).toEqual([0, expect.stringContaining('No intents.')]);
  expect(err).toMatch(/^The service's P&L is left out: .*broken\.ts[^]*a dialect that is broken/);
});
