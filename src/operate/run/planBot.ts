import type { BotConfig } from '../../config/index.ts';
import type { Dialect, InstrumentRecord, Interval, Scope } from '../../contract/index.ts';
import { nearest } from '../../contract/nearest.ts';
import type { BotPlan, PlannedStrategy } from '../../runtime/index.ts';
import { readEveryPage, type Client } from '../../wire/index.ts';
import type { Ask } from './createStartReads.ts';
import { failed, type RunResult } from './RunFailure.ts';

export interface PlanOptions {
  config: BotConfig;
  dialect: Dialect;
  strategies: readonly PlannedStrategy[];
  client: Client;
  /** How a read is sent; default: once. */
  ask?: Ask;
  budgetClock: 'wall' | 'market';
  resyncMs: number | null;
  /** Concurrent sends; 1 on a replay at maximum speed. */
  concurrency?: number | undefined;
  scopes: readonly Scope[] | null;
  markInterval(symbol: string): Interval;
}

const DEFAULT_CONCURRENCY = 8;
/** Of the instruments that a message names. */
const MOST_LISTED = 12;
/** Least weight reserved for exits (reliability: *Budget*). */
const RESERVE_FLOOR = 40;

/**
 * A configuration and the service's data: instruments, and the key's rate budget.
 *
 * @throws the client's errors if the service does not answer
 */
export async function planBot(options: PlanOptions): Promise<RunResult<BotPlan>> {
  const { config, dialect, strategies, client, ask = (read) => read() } = options;
  const instruments = await readEveryPage(dialect.limits.pageMax, (query) =>
    ask(() => client.market.instruments({ query })),
  );
  const unlisted = findUnlisted(strategies, instruments);
  if (unlisted !== undefined) return failed('TRIMTAB_SYMBOL_UNLISTED', unlisted);
  const { budget: granted, remaining } = await ask(() => client.utility.rateLimits());
  const value: BotPlan = {
    dialect,
    seed: config.seed,
    strategies,
    guards: config.guards,
    protection: config.protection,
    budget: {
      limit: config.budget.weight_per_minute ?? granted,
      share: config.budget.share,
      reserveShare: config.budget.reserve_share,
      reserveFloor: RESERVE_FLOOR,
      clock: options.budgetClock,
      remaining,
    },
    concurrency: options.concurrency ?? DEFAULT_CONCURRENCY,
    instruments,
    scopes: options.scopes,
    resyncMs: options.resyncMs,
    markInterval: options.markInterval,
  };
  return { ok: true, value };
}

function findUnlisted(
  strategies: readonly PlannedStrategy[],
  instruments: readonly InstrumentRecord[],
): string | undefined {
  const listed = instruments.map(({ symbol }) => symbol);
  for (const { name, symbols } of strategies) {
    const unlisted = symbols.find((symbol) => !listed.includes(symbol));
    if (unlisted === undefined) continue;
    const meant = nearest(unlisted, listed);
    const some = listed.slice(0, MOST_LISTED).join(', ');
    const rest = listed.length > MOST_LISTED ? ` and ${listed.length - MOST_LISTED} more` : '';
    const hint = meant === null ? `It lists ${some}${rest}.` : `Did you mean ${meant}?`;
    return `Strategy ${name}: the service lists no instrument ${unlisted}.\n  ${hint} Symbols are named in strategies[].symbols.`;
  }
  return undefined;
}
