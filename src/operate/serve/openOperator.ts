import type { BotConfig, ListenAddress } from '../../config/index.ts';
import type { Env } from '../../env/index.ts';
import { tradedWallets, type Bot, type BotPlan } from '../../runtime/index.ts';
import type { Comparison } from '../shadow/index.ts';
import { controlFilesOfBot } from '../control/index.ts';
import { accountOf, openJournalReader, type JournalPlace } from '../journal/index.ts';
import { loadMetrics, openMetricsPage, type PrometheusMetrics } from '../metrics/index.ts';
import { openAlerts, type OpenedAlerts } from '../notify/index.ts';
import { createBotState, type BotState } from '../state/index.ts';
import { controlRoutes } from './controlRoutes.ts';
import { createReaders } from './createReaders.ts';
import { createAdmission } from './createAdmission.ts';
import { pageRoutes } from './pageRoutes.ts';
import { addressOf, closeServer, createRouteServer, listen } from './createRouteServer.ts';
import { readRoutes } from './readRoutes.ts';
import { createEventStreams } from './streamEvents.ts';

export interface OperatorOptions {
  bot: Bot;
  config: BotConfig;
  plan: BotPlan;
  env: Env;
  /** Market time, epoch milliseconds. */
  now(): number;
  /** Host and port of the service; null if it is in the same process. */
  service: string | null;
  /** Comparisons with the shadows of strategies; default: there are none. */
  comparisons?: () => readonly Comparison[];
  /** Whether the bot polls for commands. */
  takesCommands: boolean;
  /** Where the bot's parts count; default: none do. */
  metrics?: PrometheusMetrics | undefined;
  /** The service's clock minus this machine's, milliseconds; absent in one process. */
  clockOffsetMs?: () => number;
  /** Receives by the name of a channel why alerts don't reach it, and undefined once they do. */
  onAlerts?: (channel: string, problem: string | undefined) => void;
}

/** What a running bot has for its operator: a server, alerts, or both. */
export interface Operator {
  /** The server's address for a browser, or the socket's path; null without a server. */
  readonly address: string | null;
  /** A secret that was read after the start: no alert contains it. */
  hide(secret: string): void;
  /** How the bot ends: in order, or by this failure; for its alerts. */
  ending(failure: string | undefined): void;
  /** What its stop left open that should have ended, or may have been executed, a line each; for its alerts. */
  leaves(lines: readonly string[]): void;
  /** Sends the alerts that wait, and closes the server. */
  close(): Promise<void>;
}

/**
 * Opens the operator's server of a bot and its alerts, if its configuration has them: before the bot starts, since they
 * follow the bot from its first event.
 *
 * @throws Error with the system's code if the address can't be taken
 */
export async function openOperator(options: OperatorOptions): Promise<Operator | undefined> {
  const { bot, config, env } = options;
  const { operate } = config;
  if (operate === null || (operate.listen === null && operate.notify === null)) return undefined;
  const state = createBotState(options);
  const server =
    operate.listen === null ? undefined : await openServer(options, state, operate.listen);
  const alerts: OpenedAlerts | undefined = openAlerts({
    bot,
    state,
    config,
    env,
    onState: options.onAlerts,
  });
  return {
    address: server?.address ?? null,
    hide: (secret) => alerts?.hide(secret),
    ending: (failure) => alerts?.ending(failure),
    leaves: (lines) => alerts?.leaves(lines),
    async close() {
      await alerts?.close();
      await server?.close();
      state.close();
    },
  };
}

async function openServer(
  options: OperatorOptions,
  state: BotState,
  at: ListenAddress,
): Promise<{ address: string; close(): Promise<void> }> {
  const { bot, config, plan, env } = options;
  const operate = { ...config.operate!, listen: at };
  const metrics = options.metrics ?? (await loadMetrics(config))!;
  const metricsPage = openMetricsPage({ ...options, metrics, state });
  const admission = createAdmission(operate, () => env.clock.monotonicNow());
  const journal = createReaders(() => openJournalReader(placeOf(config)));
  const files = options.takesCommands ? controlFilesOfBot(config) : null;
  const control = operate.controlToken !== null && files !== null;
  const streams = createEventStreams(state, { env, now: options.now, control });
  const routes = [
    ...pageRoutes(),
    ...readRoutes({
      state,
      streams,
      control,
      admission,
      metrics: metricsPage,
      read: journal.read,
      name: config.name,
      env,
      walletCount: tradedWallets(plan.strategies).length,
    }),
    ...controlRoutes({ bot, config, env, files, read: journal.read }),
  ];
  const server = createRouteServer({ routes, admission, env });
  try {
    await listen(server, at);
  } catch (error) {
    metricsPage.close();
    state.close();
    throw error;
  }
  return {
    address: addressOf(server, at),
    async close() {
      streams.close();
      metricsPage.close();
      await closeServer(server);
      await journal.close();
    },
  };
}

function placeOf(config: BotConfig): JournalPlace {
  const { path, url } = config.journal;
  // A database may hold the journals of several bots.
  return { place: url?.reveal() ?? path, account: accountOf(config) };
}
