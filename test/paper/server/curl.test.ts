import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openTestServer } from './openTestServer.ts';

const run = promisify(execFile);
const script = new URL('./curl.sh', import.meta.url).pathname;
const missing = ['bash', 'curl', 'openssl'].filter(
  (program) => spawnSync(program, [program === 'openssl' ? 'version' : '--version']).error,
);

test.skipIf(missing.length > 0)(
  'AUTH-1: curl and openssl place an order and read it back (needs bash, curl, openssl)',
  async () => {
    const server = await openTestServer();
    try {
      const { stdout } = await run(script, [server.baseUrl, server.keyId, server.secret]);
      expect(JSON.parse(stdout)).toMatchObject({
        order_id: 'ord_1',
        symbol: 'BTC',
        price: 30_000,
        status: 'open',
      });
      const wrong = run(script, [server.baseUrl, server.keyId, `${server.secret}0`]);
      // 22: an answer of 400 and above.
      await expect(wrong).rejects.toMatchObject({ code: 22 });
    } finally {
      await server.close();
    }
  },
);
