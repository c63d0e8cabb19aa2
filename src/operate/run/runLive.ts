import type { LiveLinkConfig, LoadedConfig } from '../../config/index.ts';
import type { Dialect } from '../../contract/index.ts';
import { reasonOf, type Env } from '../../env/index.ts';
import type { PlannedStrategy } from '../../runtime/BotPlan.ts';
import { createBot } from '../../runtime/createBot.ts';
import type { Client } from '../../wire/index.ts';
import { followBot } from './followBot.ts';
import { loadDialect } from './loadDialect.ts';
import { loadStrategies } from './loadStrategies.ts';
import { openJournal } from './openJournal.ts';
import { openService } from './openService.ts';
import { planBot } from './planBot.ts';
import { failed, type RunResult } from './RunFailure.ts';

export interface RunLiveOptions {
  loaded: LoadedConfig;
  env: Env;
  /** Resolves when the user asks to stop. */
  stopped: Promise<void>;
}

/** Runs a configuration against a real service until it is asked to stop. */
export async function runLive(options: RunLiveOptions): Promise<RunResult<void>> {
  const { loaded, env, stopped } = options;
  const { config } = loaded;
  const { baseUrl, wsUrl, keyId, secret } = config.link as LiveLinkConfig;
  const strategies = await loadStrategies(loaded);
  if (!strategies.ok) return strategies;
  const spoken = await loadDialect(config);
  if (!spoken.ok) return spoken;
  const dialect = spoken.value;
  const address = { baseUrl, wsUrl, keyId, secret: secret.reveal() };
  const { link, client } = openService(address, { dialect, env, market: 'wall' });
  const journal = openJournal(config.journal, { startsOver: false });
  if (!journal.ok) {
    await link.close();
    return journal;
  }
  try {
    const known = await checkWallets(client, dialect, strategies.value);
    if (!known.ok) return known;
    const planned = await planBot({
      config,
      dialect,
      strategies: strategies.value,
      client,
      budgetClock: 'wall',
      scopes: null,
      markInterval: () => '1m',
    });
    if (!planned.ok) return planned;
    const plan = planned.value;
    const failure = Promise.withResolvers<unknown>();
    const bot = createBot({
      plan,
      link,
      env,
      store: journal.value,
      // Every wallet is named on the wire, so that no default of the key matters.
      defaultWallet: '',
      onFatal: failure.resolve,
    });
    followBot(bot, env.log);
    await bot.start();
    env.log.info('Running', { strategies: plan.strategies.length });
    const fatal = await Promise.race([stopped, failure.promise]);
    await bot.stop();
    return fatal === undefined ? { ok: true, value: undefined } : failed(reasonOf(fatal));
  } finally {
    await link.close();
  }
}

/** A wallet that the key does not have would fail at the first order; it fails here instead. */
async function checkWallets(
  client: Client,
  dialect: Dialect,
  strategies: readonly PlannedStrategy[],
): Promise<RunResult<void>> {
  const { items } = await client.connections.list({ query: { limit: dialect.limits.pageMax } });
  const ids = items.map(({ id }) => id);
  const unknown = strategies.find(({ wallet }) => !ids.includes(wallet));
  if (unknown === undefined) return { ok: true, value: undefined };
  const { name, wallet } = unknown;
  return failed(`${name}: the key has no wallet ${wallet}; it has ${ids.join(', ')}.`);
}
