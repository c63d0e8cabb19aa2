import { defaultDialect } from '../../src/contract/index.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import { openService } from '../../src/operate/run/index.ts';
import type { Client } from '../../src/wire/index.ts';
import type { Service } from './startProcess.ts';

/** A signed client of a service in another process, beside the bot's; `close` ends its connections. */
export function openClient(service: Service): { client: Client; close(): Promise<void> } {
  const { client, link } = openService(
    {
      baseUrl: service.base_url,
      wsUrl: service.ws_url,
      keyId: service.key_id,
      secret: service.secret,
    },
    { dialect: defaultDialect, env: createLiveEnv(), market: 'frames' },
  );
  return { client, close: () => link.close() };
}

/** Base units of all open positions together, whatever their side. */
export async function sizeHeldOf(client: Client): Promise<number> {
  const { items } = await client.positions.list();
  return items.reduce((sum, { size }) => sum + size, 0);
}
