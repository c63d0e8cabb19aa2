import { hostname } from 'node:os';
import { resolve } from 'node:path';
import {
  createThreadEngine,
  formatShard,
  openSweepKey,
  planId,
  publicText,
  signSweep,
  type Shard,
  type SweepEngine,
  type SweepPlan,
} from '../../backtest/index.ts';
import type { Env } from '../env/index.ts';
import { describeDatabase, isPostgresUrl } from '../journal/index.ts';
import type { MarketData } from '../paper/index.ts';
import { CommandFailure } from './CommandFailure.ts';

/** The command line's options of who computes a sweep. */
export interface EngineFlags {
  threads: number;
  engine?: string;
  shard?: Shard;
  key: string;
}

/** Threads of this process, or workers through a PostgreSQL, which are told how to start. */
export async function openSweepEngine(
  plan: SweepPlan,
  options: { flags: EngineFlags; data: MarketData; env: Env; isStopped(): boolean },
): Promise<SweepEngine> {
  const { flags, data, env, isStopped } = options;
  const { threads, shard } = flags;
  if (flags.engine === undefined) {
    const part = shard === undefined ? '' : `shard ${formatShard(shard)} `;
    const name = `${part}${hostname()}:${process.pid}`;
    return createThreadEngine(plan, { data, threads, clock: env.clock, name });
  }
  const url = requirePostgres(flags.engine);
  const key = await openSweepKey(resolve(flags.key));
  const { createPostgresEngine } = await import('../../backtest/sweep/postgres/index.ts');
  const engine = await createPostgresEngine({
    url,
    env,
    isStopped,
    id: planId(plan),
    signed: signSweep({ plan, content: null }, key),
  });
  const worker = `trimtab worker --engine ${describeDatabase(url)} --trust ${publicText(key)}`;
  process.stderr.write(`On each machine that helps: ${worker}\n`);
  return engine;
}

/** @throws CommandFailure for any other address */
export function requirePostgres(url: string): string {
  if (isPostgresUrl(url)) return url;
  throw new CommandFailure(
    'TRIMTAB_USAGE',
    '--engine takes the address of a PostgreSQL: postgres://user@host/db.',
  );
}
