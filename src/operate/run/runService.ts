import { resolve } from 'node:path';
import type { ServiceLinkConfig, LoadedConfig } from '../../config/index.ts';
import { reasonOf, type Env } from '../../env/index.ts';
import {
  createRunRecord,
  tradedWallets,
  type OwnerDecision,
  type TakeOver,
} from '../../runtime/index.ts';
import { checkpointJournal } from '../journal/checkpointJournal.ts';
import { keepJournalSmall } from '../journal/keepJournalSmall.ts';
import { loadMetrics, withMetrics } from '../metrics/index.ts';
import { traceIntents } from '../trace/index.ts';
import { adoptionRefusal } from './adoptionRefusal.ts';
import { endServiceRun, type BotCrashed, type ServiceRun } from './endServiceRun.ts';
import { followBot } from './followBot.ts';
import { listenToOperator } from './listenToOperator.ts';
import { loadDialect } from './loadDialect.ts';
import { loadStrategies } from './loadStrategies.ts';
import { openService } from './openService.ts';
import { openServiceBot } from './openServiceBot.ts';
import { planServiceRun } from './planServiceRun.ts';
import { failed, type RunResult } from './RunFailure.ts';
import { endResources, stopListening, type ServiceResources } from './ServiceResources.ts';
import { watchOwnErrors } from './watchOwnErrors.ts';
import { withEnding } from './withEnding.ts';

export interface RunServiceOptions {
  loaded: LoadedConfig;
  env: Env;
  /** Id of this process, for callers that send it commands. */
  pid: number;
  /** Resolves when the user requests a stop. */
  stopped: Promise<void>;
  /** Resolves with an exception that ends the bot, before {@link RunServiceOptions.stopped} does. */
  crashed: Promise<BotCrashed>;
  /**
   * It was asked to stop, or failed, and applies its stop policy now; if the stream was never up, it uses
   * the service's current data.
   */
  onStopping(wasUp: boolean): void;
  /** The operator's decisions at this start on positions without an owner. */
  decisions?: readonly OwnerDecision[];
  /** Working orders and executions found in its wallets, and their owners. */
  onTakenOver?(takeOver: TakeOver): void;
  /** The operator's server answers at this address. */
  onServed?(address: string): void;
  /** The bot polls for commands and recovers; the service and wallets on which it trades. */
  onRunning(on: { kind: 'live' | 'paper_service'; baseUrl: string; wallets: string[] }): void;
}

/** Runs a configuration against a separate service, real or paper, until it is asked to stop. */
export async function runService(options: RunServiceOptions): Promise<RunResult<ServiceRun>> {
  const { loaded, stopped } = options;
  const { config } = loaded;
  const metrics = await loadMetrics(config);
  const env = withMetrics(options.env, metrics);
  const { kind, baseUrl, wsUrl, keyId, secret } = config.link as ServiceLinkConfig;
  const strategies = await loadStrategies(loaded);
  if (!strategies.ok) return strategies;
  const mistaken = adoptionRefusal(options.decisions ?? [], strategies.value);
  if (mistaken !== undefined) return failed('TRIMTAB_ADOPT_REFUSED', mistaken);
  const spoken = await loadDialect(config);
  if (!spoken.ok) return spoken;
  const dialect = spoken.value;
  const address = { baseUrl, wsUrl, keyId, secret: secret.reveal() };
  const connection = openService(address, {
    dialect,
    env,
    // A replay's time comes from its frames; a real venue's is wall time.
    market: kind === 'live' ? 'wall' : 'frames',
  });
  const failure = Promise.withResolvers<unknown>();
  const onFatal = failure.resolve;
  const open: ServiceResources = { link: connection.link, listening: [] };
  return withEnding(
    (failed) => endResources(open, failed),
    async () => {
      const { client, key, link } = connection;
      const planned = await planServiceRun({
        config,
        env,
        dialect,
        client,
        strategies: strategies.value,
        stopped,
        open,
        onLost: onFatal,
      });
      if (!planned.ok) return planned;
      const { plan, journal } = planned.value;
      const { decisions, pid } = options;
      const around = { config, plan, env, pid, open, onFatal };
      const opened = await openServiceBot({ ...around, link, journal, key, decisions });
      if (!opened.ok) return opened;
      const { bot, shadows } = opened.value;
      bot.events$.subscribe((event) => {
        if (event.kind === 'taken_over') options.onTakenOver?.(event.takeOver);
      });
      const own = { config, hosts: () => bot.hosts, log: env.log };
      open.listening.push(watchOwnErrors(own), checkpointJournal({ store: journal, env }));
      const instances = config.strategies.map(({ name }) => name);
      const wallets = tradedWallets(plan.strategies);
      const record = createRunRecord(bot, { instances, wallets, keepAll: false });
      await traceIntents(bot, env);
      const address = new URL(baseUrl).host;
      followBot(bot, env.log, {
        config: { ...config, file: resolve(config.file) },
        address,
        known: { config, plan },
      });
      const { onServed } = options;
      const listened = await listenToOperator({
        ...around,
        ...opened.value,
        loaded,
        connection,
        metrics,
        onServed,
      });
      if (!listened.ok) return listened;
      const ending = Promise.race([options.crashed, failure.promise, stopped]);
      // A stream that never comes up must not prevent a stop.
      const isUp = await Promise.race([bot.start().then(() => true), ending.then(() => false)]);
      if (isUp) {
        const keepDays = config.journal.keep_days;
        open.listening.push(keepJournalSmall({ store: journal, env, keepDays }));
        options.onRunning({ kind, baseUrl, wallets });
      }
      const fatal = await ending;
      open.operator?.ending(fatal === undefined ? undefined : reasonOf(fatal));
      stopListening(open);
      open.commands?.closeCommands();
      open.views?.write();
      options.onStopping(isUp);
      // Beside the stop: a shadow that does not return must not delay the exits of the live version.
      const shadowsClosed = shadows.close();
      open.bot = undefined;
      const { commands } = open;
      const onLeft = (lines: readonly string[]): void => open.operator?.leaves(lines);
      const ended = await endServiceRun({ bot, config, plan, record, fatal, commands, onLeft });
      await shadowsClosed;
      return ended;
    },
  );
}
