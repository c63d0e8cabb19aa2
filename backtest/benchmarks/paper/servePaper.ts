import { SCOPES } from '../../../src/contract/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { createCredentials, loadMarketData, startPaperServer } from '../../../src/paper/index.ts';
import { benchSettings, WALLETS } from './settings.ts';

/** The paper service in its own process; its parent steps the replay and cleans up. */
const data = await loadMarketData(benchSettings);
if (!data.ok) throw new Error('The generated feed could not be made.');
const env = createLiveEnv();
const server = await startPaperServer({ settings: benchSettings, data: data.value }, env);
const { engine } = server.core;

const keys = Array.from({ length: WALLETS }, (_each, index) => {
  const { id } = server.core.addConnection(`bot ${index}`, 1e9);
  const credentials = createCredentials();
  const request = { label: id, scopes: SCOPES, connectionId: id };
  server.core.addKey(request, credentials, env.clock.wallNow());
  return { ...credentials, wallet: id };
});

function cancelAll(wallet: string): void {
  engine.handlers['orders.bulkCancel']?.({
    endpoint: 'orders.bulkCancel',
    pathParams: {},
    query: {},
    body: undefined,
    wallet,
    idempotencyKey: null,
    requireScope: () => {},
  });
}

async function obey(order: Record<string, unknown>): Promise<Record<string, unknown>> {
  if (order['do'] === 'advance') {
    await server.replay.advance(engine.now + Number(order['bars']) * 60_000);
  } else if (order['do'] === 'cancelAll') {
    for (const { wallet } of keys) cancelAll(wallet);
  }
  return { cpu: process.cpuUsage() };
}

process.on('message', (order: Record<string, unknown>) => {
  void obey(order).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit(0));
const port = Number(new URL(server.baseUrl).port);
process.send?.({ port, keys });
