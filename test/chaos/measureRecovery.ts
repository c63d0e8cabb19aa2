import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLiveEnv } from '../../src/env/index.ts';
import { defaultDialect } from '../../src/contract/index.ts';
import { createSqliteStore } from '../../src/journal/index.ts';
import { openService } from '../../src/operate/run/index.ts';
import type { ChaosLine } from './bot/ChaosOrders.ts';
import { fillJournal } from './oldIntents.ts';
import { SYMBOL } from './script.ts';
import { startBot } from './startBot.ts';
import type { ChaosService } from './startService.ts';

/** Milliseconds from the start of the process. */
export interface Recovery {
  /** The program is loaded; from here on it is the runtime's time. */
  loaded: number;
  /** The journal is recovered; the strategies start. */
  recovered: number;
  /** The first exit of the strategy is accepted by the service. */
  exited: number;
  /** Its processor time: the part that grows on a loaded machine. */
  cpu: number;
}

/**
 * Starts a bot on a journal of a number of intents with four steps each, a few of them unanswered, and a
 * position that its strategy wants to close at once.
 */
export async function measureRecovery(
  service: ChaosService,
  journal: { count: number; unanswered: number },
): Promise<Recovery> {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-recovery-'));
  const path = join(folder, 'bot.sqlite');
  const account = await service.openAccount(`recovery ${journal.count} ${journal.unanswered}`);
  const { baseUrl, wsUrl } = service;
  const { keyId, secret, wallet } = account;
  const filling = { ...journal, daysAgo: 1, instance: 'script', wallet };
  await fillJournal(createSqliteStore(path, 'process'), filling);
  const { client, link } = openService(
    { baseUrl, wsUrl, keyId, secret },
    { dialect: defaultDialect, env: createLiveEnv(), market: 'frames' },
  );
  try {
    const order = { symbol: SYMBOL, side: 'buy', size: 0.01, order_type: 'market' } as const;
    await client.orders.place({ body: order, wallet });
    let cpu = 0;
    const times: Partial<Record<ChaosLine['kind'], number>> = {};
    const exited = Promise.withResolvers<void>();
    const bot = startBot(
      {
        baseUrl,
        wsUrl,
        keyId,
        secret,
        wallet,
        path,
        durability: 'power',
        armed: null,
        paceMs: 0,
        script: 'close',
      },
      (line) => {
        if ('sinceStartMs' in line) times[line.kind] = line.sinceStartMs;
        if (line.kind !== 'step') return;
        cpu = line.cpuMs;
        exited.resolve();
      },
    );
    const ended = await Promise.race([bot.ending, exited.promise]);
    bot.child.kill('SIGKILL');
    await bot.ending;
    if (times.step === undefined) throw new Error(`It never exited: ${JSON.stringify(ended)}`);
    return { loaded: times.loaded!, recovered: times.recovered!, exited: times.step, cpu };
  } finally {
    await Promise.all([link.close(), account.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}
