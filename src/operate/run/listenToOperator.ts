import type { LoadedConfig, ServiceLinkConfig } from '../../config/index.ts';
import type { Env } from '../../env/index.ts';
import { tradedWallets, type BotPlan } from '../../runtime/index.ts';
import type { PrometheusMetrics } from '../metrics/index.ts';
import {
  controlFilesOfBot,
  pollCommands,
  pollSettlements,
  pollStrategyCommands,
} from '../control/index.ts';
import { recordViews } from '../travel/index.ts';
import { createProblems } from './createProblems.ts';
import { endOnRefusedKey } from './endOnRefusedKey.ts';
import { KeyRefused } from './endServiceRun.ts';
import { noteRefusedStream } from './noteRefusedStream.ts';
import { openKeyRotation } from './openKeyRotation.ts';
import type { ServiceConnection } from './openService.ts';
import type { OpenedBot } from './openServiceBot.ts';
import { openSharedBudget } from './openSharedBudget.ts';
import { readKeyStanding } from './readKeyStanding.ts';
import type { RunResult } from './RunFailure.ts';
import { serveOperator } from './serveOperator.ts';
import type { ServiceResources } from './ServiceResources.ts';

export interface ListenOptions extends OpenedBot {
  loaded: LoadedConfig;
  plan: BotPlan;
  env: Env;
  pid: number;
  connection: ServiceConnection;
  metrics: PrometheusMetrics | undefined;
  /** Receives everything that is opened here. */
  open: ServiceResources;
  onServed: ((address: string) => void) | undefined;
  onFatal(error: unknown): void;
}

/** Page, metrics and alerts; command files; new keys, and a key that the service refuses. */
export async function listenToOperator(options: ListenOptions): Promise<RunResult<void>> {
  const { loaded, plan, env, pid, connection, bot, shadows, open } = options;
  const { config } = loaded;
  const { client, clockOffsetMs, key } = connection;
  const link = config.link as ServiceLinkConfig;
  const service = new URL(link.baseUrl).host;
  const watched = { bot, config, plan, env, now: () => connection.link.market.now(), service };
  if (open.recording !== undefined) open.views = recordViews(watched, open.recording);
  let problems: readonly string[] = [];
  const problemOf = createProblems((found) => {
    problems = found;
    open.commands?.reportProblems(found);
  });
  const operator = await serveOperator({
    ...watched,
    onAlerts(channel, problem) {
      const text = problem === undefined ? undefined : `alerts do not reach ${channel}: ${problem}`;
      problemOf(channel)(text);
    },
    takesCommands: true,
    comparisons: shadows.comparisons,
    metrics: options.metrics,
    clockOffsetMs,
  });
  if (!operator.ok) return operator;
  if (operator.value !== undefined) {
    open.operator = operator.value;
    const { address } = operator.value;
    if (address !== null) options.onServed?.(address);
  }
  const files = controlFilesOfBot(config);
  const instances = config.strategies.map(({ name }) => name);
  if (files) {
    const wallets = tradedWallets(plan.strategies);
    const commands = pollCommands({ bot, env, files, pid, instances, wallets });
    open.commands = commands;
    commands.reportProblems(problems);
    open.listening.push(
      pollSettlements({ bot, env, files, onDone: commands.show }),
      pollStrategyCommands({ bot, env, files, instances, onDone: commands.show }),
    );
  }
  open.listening.push(
    openKeyRotation({
      bot,
      env,
      loaded,
      plan,
      key,
      files,
      hide: (hidden) => open.operator?.hide(hidden),
      onDone: () => open.commands?.show(),
      shared: open.shared,
      openShared: (keyId, limit) => openSharedBudget({ ...options.sharedBudget, keyId, limit }),
    }),
    endOnRefusedKey({
      bot,
      env,
      retrySeconds: link.authRetrySeconds,
      read: () => readKeyStanding(client),
      onState: problemOf('key'),
      onEnd: (message) => options.onFatal(new KeyRefused(message)),
    }),
    noteRefusedStream({ bot, env, link, onState: problemOf('stream') }),
  );
  return { ok: true, value: undefined };
}
