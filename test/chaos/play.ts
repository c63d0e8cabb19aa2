import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { controlFilesOf, type ControlFiles } from '../../src/operate/control/index.ts';
import type { Armed, ChaosOrders } from './bot/ChaosOrders.ts';
import type { Boundary } from './boundaries.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import {
  createSqliteReader,
  createSqliteStore,
  type Durability,
  type JournalStore,
} from '../../src/journal/index.ts';
import { createPostgresReader, createPostgresStore } from '../../src/journal/postgres/index.ts';
import { countOnService, type Count } from './countOnService.ts';
import { fillJournal, findForgotten, OLD } from './oldIntents.ts';
import { startBot, type ChaosBot, type Ending } from './startBot.ts';
import type { ChaosService } from './startService.ts';

/** The disturbance from outside, in each life of the bot. */
export interface Disturbance {
  /** Address for the bot instead of the service's. */
  address?: Pick<ChaosService, 'baseUrl' | 'wsUrl'>;
  /** Steps of the script done. */
  onStep?(done: number, bot: ChaosBot, orders: ChaosOrders): void;
  /** Faults of the round, once the script is done. */
  problems?(): string[] | Promise<string[]>;
  end?(): void;
}

export interface Play extends Count {
  /** Boundaries at which a process died. */
  kills: Array<Boundary | null>;
  /** Why the round did not end, or undefined. */
  failure?: string;
}

export interface PlayOptions {
  service: ChaosService;
  /** Label of its wallet. */
  label: string;
  /** Boundary at which each process dies; later ones run to the end. */
  armed: readonly Armed[];
  durability?: ChaosOrders['durability'];
  oldIntents?: number;
  /** Milliseconds between two steps of the script in the first life. */
  paceMs?: number;
  /** Keeps the journal in PostgreSQL instead of a file. */
  database?: { url: string; account: string };
  disturb?: (files: ControlFiles) => Disturbance;
}

const MOST_LIVES = 8;
const PACE_MS = 150;
const LIFE_LIMIT_MS = 300_000;

/** A bot, restarted whenever it dies, until its script is done; then the effects on the service are counted. */
export async function play(options: PlayOptions): Promise<Play> {
  const { service, label, armed, durability = 'power', oldIntents = 0, database } = options;
  const { paceMs = PACE_MS } = options;
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-chaos-'));
  const path = join(folder, 'bot.sqlite');
  const account = await service.openAccount(label);
  const disturbance = options.disturb?.(controlFilesOf(path)) ?? {};
  const openStore = async (withDurability: Durability): Promise<JournalStore> =>
    database === undefined
      ? createSqliteStore(path, withDurability)
      : createPostgresStore({ ...database, env: createLiveEnv(), durability: withDurability });
  if (oldIntents > 0) {
    const filling = { count: oldIntents, daysAgo: 100, instance: OLD, wallet: OLD };
    await fillJournal(await openStore('process'), filling);
  }
  const { baseUrl, wsUrl } = disturbance.address ?? service;
  const { keyId, secret, wallet } = account;
  const where = database === undefined ? { path } : { path, database };
  const orders = {
    baseUrl,
    wsUrl,
    keyId,
    secret,
    wallet,
    ...where,
    durability,
    paceMs,
    script: 'all' as const,
  };
  const kills: Play['kills'] = [];
  try {
    for (let life = 0; life < MOST_LIVES; life++) {
      const ending = await live({
        ...orders,
        armed: armed[life] ?? null,
        paceMs: life === 0 ? paceMs : PACE_MS,
      });
      if (ending.kind === 'killed') kills.push(ending.boundary);
      else if (ending.kind === 'failed') return failed(ending.reason);
      else if (ending.kind === 'done') {
        const count = await countOnService(account, () =>
          database === undefined ? createSqliteReader(path) : createPostgresReader(database),
        );
        count.differs.push(...((await disturbance.problems?.()) ?? []));
        if (oldIntents > 0) {
          const forgotten = await findForgotten(await openStore('power'), oldIntents);
          count.differs.push(...forgotten);
        }
        return { ...count, kills };
      }
    }
    return failed(`not done after ${MOST_LIVES} lives`);
  } finally {
    disturbance.end?.();
    await account.close();
    rmSync(folder, { recursive: true, force: true });
  }

  function failed(failure: string): Play {
    return { doubled: [], lost: [], differs: [], kills, failure };
  }

  async function live(reported: ChaosOrders): Promise<Ending> {
    const bot: ChaosBot = startBot(reported, (line) => {
      if (line.kind === 'step') disturbance.onStep?.(line.done, bot, reported);
    });
    const timer = setTimeout(() => bot.child.kill('SIGTERM'), LIFE_LIMIT_MS);
    try {
      return await bot.ending;
    } finally {
      clearTimeout(timer);
    }
  }
}
