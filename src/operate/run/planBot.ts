import type { BotConfig } from '../../config/index.ts';
import type { Dialect, InstrumentRecord, Interval, Scope } from '../../contract/index.ts';
import type { BotPlan, PlannedStrategy } from '../../runtime/BotPlan.ts';
import type { Client } from '../../wire/index.ts';

export interface PlanOptions {
  config: BotConfig;
  dialect: Dialect;
  strategies: readonly PlannedStrategy[];
  client: Client;
  budgetClock: 'wall' | 'market';
  /** Sends at once; 1 on a replay at maximum speed. */
  concurrency?: number | undefined;
  scopes: readonly Scope[] | null;
  markInterval(symbol: string): Interval;
}

const DEFAULT_CONCURRENCY = 8;
/** Weight kept for exits at least (reliability: *Budget*). */
const RESERVE_FLOOR = 40;

/**
 * A configuration and what the service says of itself: instruments, and the key's rate budget.
 *
 * @throws the client's errors where the service does not answer
 */
export async function planBot(options: PlanOptions): Promise<BotPlan> {
  const { config, dialect, strategies, client } = options;
  const instruments = await readInstruments(client, dialect.limits.pageMax);
  const { budget: granted } = await client.utility.rateLimits();
  return {
    dialect,
    seed: config.seed,
    strategies,
    guards: config.guards,
    budget: {
      limit: config.budget.weight_per_minute ?? granted,
      share: config.budget.share,
      reserveShare: config.budget.reserve_share,
      reserveFloor: RESERVE_FLOOR,
      clock: options.budgetClock,
    },
    concurrency: options.concurrency ?? DEFAULT_CONCURRENCY,
    instruments,
    scopes: options.scopes,
    markInterval: options.markInterval,
  };
}

async function readInstruments(client: Client, limit: number): Promise<InstrumentRecord[]> {
  const all: InstrumentRecord[] = [];
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? { limit } : { limit, cursor };
    const page = await client.market.instruments({ query });
    all.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}
