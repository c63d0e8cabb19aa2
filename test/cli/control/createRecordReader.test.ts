import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createRecordReader } from '../../../src/cli/control/createRecordReader.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { startHttp } from '../../wire/startServer.ts';

test('what several records were read over is closed at the end, all of it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-reads-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { url, sockets } = await startHttp((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"order_id":"o1"}');
  });
  vi.stubEnv('TRIMTAB_TEST_SECRET', 'vs_of_this_test');
  onTestFinished(() => void vi.unstubAllEnvs());
  const path = join(folder, 'bot.yaml');
  writeFileSync(
    path,
    `name: remote
link: { kind: paper_service, base_url: "${url}", key_id: vk_a, secret: { env: TRIMTAB_TEST_SECRET } }
strategies: [{ name: one, use: ./own.ts, symbols: [BTC] }]
journal: ./bot.sqlite
`,
  );
  const reader = createRecordReader({ path, journal: undefined, env: createLiveEnv() });
  for (const id of ['o1', 'o2', 'o3']) {
    const request = { wallet: 'main', endpoint: 'orders.get', pathParams: { id }, query: {} };
    const exchange = await reader.read({ ...request, body: '' } as never);
    expect(exchange.kind).toBe('answered');
  }
  expect(sockets.size).toBeGreaterThan(0);
  await reader.close();
  // By itself an idle one would stay for seconds, and the command with it.
  await expect.poll(() => sockets.size, { timeout: 2_000 }).toBe(0);
});
