import { hostname } from 'node:os';
import { resolve } from 'node:path';
import {
  createQueueEngine,
  createThreadEngine,
  formatShard,
  openSweepKey,
  planId,
  publicText,
  signSweep,
  type Shard,
  type SweepEngine,
  type SweepBench,
} from '../../../backtest/index.ts';
import type { BotConfig } from '../../config/index.ts';
import { reasonOf, type Env } from '../../env/index.ts';
import { describeDatabase, isPostgresUrl } from '../../journal/index.ts';
import { CommandFailure } from '../failures/CommandFailure.ts';
import { shareContent, type ContentFlags } from './shareContent.ts';

/** The command line's options of who computes a sweep. */
export interface EngineFlags extends ContentFlags {
  threads: number;
  shard?: Shard;
  key: string;
}

/** Threads of this process, or workers through a PostgreSQL, which are informed how to start. */
export async function openSweepEngine(
  bench: SweepBench,
  options: {
    flags: EngineFlags;
    config: BotConfig;
    env: Env;
    isStopped(): boolean;
  },
): Promise<SweepEngine> {
  const { flags, config, env, isStopped } = options;
  const { plan } = bench;
  const { threads, shard } = flags;
  if (flags.engine === undefined) {
    const part = shard === undefined ? '' : `shard ${formatShard(shard)} `;
    const name = `${part}${hostname()}:${process.pid}`;
    return createThreadEngine(bench, { threads, clock: env.clock, name });
  }
  const url = requirePostgres(flags.engine);
  const key = await openSweepKey(resolve(flags.key)).catch((error: unknown) => {
    throw new CommandFailure('TRIMTAB_SWEEP_KEY', reasonOf(error), 1, { cause: error });
  });
  const shared = await shareContent(plan, config, flags);
  const signed = signSweep({ plan, content: shared.content }, key);
  const { openQueue } = await import('../../../backtest/sweep/postgres/index.ts');
  try {
    const id = planId(plan);
    const queue = await openQueue({ url, env, isStopped, waitsFor: id });
    const engine = await createQueueEngine({ queue, env, id, signed });
    const worker = `trimtab worker --engine ${describeDatabase(url)} --trust ${publicText(key)}`;
    process.stderr.write(`On each machine that helps: ${worker}\n`);
    const close = async (): Promise<void> => {
      try {
        await engine.close();
      } finally {
        await shared.close();
      }
    };
    return { ...engine, close };
  } catch (error) {
    await shared.close();
    throw error;
  }
}

/** @throws CommandFailure for any other address */
export function requirePostgres(url: string): string {
  if (isPostgresUrl(url)) return url;
  // It may hold a password.
  const given = url.replace(/\/\/[^/]*@/, '//…@');
  const message = `--engine ${given} is no address of a PostgreSQL, such as postgres://user@host/db.`;
  throw new CommandFailure('TRIMTAB_USAGE', message);
}
