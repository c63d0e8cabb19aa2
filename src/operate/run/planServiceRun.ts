import type { BotConfig, ServiceLinkConfig } from '../../config/index.ts';
import type { Dialect } from '../../contract/index.ts';
import type { Env } from '../../env/index.ts';
import type { JournalStore } from '../../journal/index.ts';
import type { BotPlan, PlannedStrategy } from '../../runtime/index.ts';
import type { Client } from '../../wire/index.ts';
import { createStartReads } from './createStartReads.ts';
import { openJournal } from './openJournal.ts';
import { planBot } from './planBot.ts';
import { reachAccount } from './reachAccount.ts';
import { readMarkIntervals } from './readMarkIntervals.ts';
import { refusedStates } from './refusedStates.ts';
import { failed, type RunResult } from './RunFailure.ts';
import type { ServiceResources } from './ServiceResources.ts';
import { settleStages } from './settleStages.ts';

export interface PlanOptions {
  config: BotConfig;
  env: Env;
  dialect: Dialect;
  client: Client;
  strategies: readonly PlannedStrategy[];
  /** Resolves when the user requests a stop. */
  stopped: Promise<void>;
  /** Receives the journal. */
  open: ServiceResources;
  /** The journal's file or database is gone. */
  onLost(error: unknown): void;
}

/** A silent loss shows within five minutes. */
const RESYNC_MS = 300_000;

/** Reaches the account, opens the journal, and plans the bot: nothing is sent that changes anything. */
export async function planServiceRun(
  options: PlanOptions,
): Promise<RunResult<{ plan: BotPlan; journal: JournalStore }>> {
  const { config, env, dialect, client, strategies, stopped, open, onLost } = options;
  const { baseUrl, keyId, startRetrySeconds, budgetClock } = config.link as ServiceLinkConfig;
  // Before the journal, which belongs to the account from its first opening: a mistaken address or
  // wallet must not bind it to another one.
  const reads = createStartReads({
    env,
    baseUrl,
    keyId,
    retrySeconds: startRetrySeconds,
    stopped,
  });
  const { ask } = reads;
  const known = await reachAccount({ client, dialect, reads, strategies });
  if (!known.ok) return known;
  const journal = await openJournal({ config, env, startsOver: false, grows: true, onLost });
  if (!journal.ok) return journal;
  open.journal = journal.value;
  const settled = await settleStages({ config, strategies, store: journal.value, env });
  if (!settled.ok) return settled;
  const refused = refusedStates(settled.value, journal.value);
  if (refused.length > 0) return failed('TRIMTAB_STATE_REFUSED', refused.join('\n'));
  const planned = await reads.toResult(async () => {
    const marks = await readMarkIntervals(client, ask, strategies);
    return planBot({
      config,
      dialect,
      strategies: settled.value,
      client,
      ask,
      budgetClock: budgetClock === 'replay' ? 'market' : 'wall',
      scopes: null,
      resyncMs: RESYNC_MS,
      markInterval: (symbol) => marks.get(symbol) ?? '1m',
    });
  });
  if (!planned.ok) return planned;
  return { ok: true, value: { plan: planned.value, journal: journal.value } };
}
