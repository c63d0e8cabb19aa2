import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadConfig, type LoadedConfig } from '../../../src/config/index.ts';
import { loadStrategies } from '../../../src/operate/run/index.ts';
import type { PlannedStrategy } from '../../../src/runtime/index.ts';
import type { TestServer } from '../../paper/server/openTestServer.ts';
import { root } from '../../sourceFiles.ts';

/** The configuration of a bot on a paper service, in a folder of its own, and its one strategy. */
export async function loadRemote(
  server: TestServer,
  more: string,
  env: Record<string, string> = {},
): Promise<{ loaded: LoadedConfig; strategies: readonly PlannedStrategy[]; directory: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'trimtab-remote-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'bot.yaml');
  writeFileSync(
    file,
    `name: remote
link:
  kind: paper_service
  base_url: ${server.baseUrl}
  key_id: ${server.keyId}
  secret: { env: SECRET }
strategies:
  - { name: trend, use: ${join(root, 'strategies/emaTrend.ts')}, symbols: [BTC] }
${more}`,
  );
  const loaded = await loadConfig(file, { env: { SECRET: server.secret, ...env } });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const strategies = await loadStrategies(loaded);
  if (!strategies.ok) throw new Error(strategies.failure.message);
  return { loaded, strategies: strategies.value, directory };
}
