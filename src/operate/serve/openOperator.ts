import { chmodSync, existsSync, mkdirSync, unlinkSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import type { BotConfig, ListenAddress } from '../../config/index.ts';
import { reasonOf, type Env } from '../../env/index.ts';
import type { JournalReader } from '../../journal/index.ts';
import { tradedWallets, type Bot, type BotPlan } from '../../runtime/index.ts';
import { controlFilesOfBot } from '../control/index.ts';
import { openJournalReader } from '../journal/index.ts';
import { loadMetrics, openMetricsPage, type PrometheusMetrics } from '../metrics/index.ts';
import { openAlerts, type OpenedAlerts } from '../notify/index.ts';
import { createBotState, type BotState } from '../state/index.ts';
import { sendFault, type RouteFault } from './answer.ts';
import { controlRoutes } from './controlRoutes.ts';
import { createAdmission, type Admission } from './createAdmission.ts';
import { readBody } from './readBody.ts';
import { pageRoutes } from './pageRoutes.ts';
import { notFound, readRoutes } from './readRoutes.ts';
import { matchPath, type Route } from './Route.ts';
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
  /** Whether the bot polls for commands. */
  takesCommands: boolean;
  /** Where the bot's parts count; default: none do. */
  metrics?: PrometheusMetrics | undefined;
  /** The service's clock minus this machine's, milliseconds; absent in one process. */
  clockOffsetMs?: () => number;
}

/** What a running bot has for its operator: a server, alerts, or both. */
export interface Operator {
  /** The server's address for a browser, or the socket's path; null without a server. */
  readonly address: string | null;
  /** How the bot ends: in order, or by this failure; for its alerts. */
  ending(failure: string | undefined): void;
  /** Sends the alerts that wait, and closes the server. */
  close(): Promise<void>;
}

/** Milliseconds for a request's head and body: a slow sender must not hold a connection. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 15_000;
const MOST_CONNECTIONS = 64;

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
  const alerts: OpenedAlerts | undefined = openAlerts({ bot, state, config, env });
  return {
    address: server?.address ?? null,
    ending: (failure) => alerts?.ending(failure),
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
  const journal = createReaders(config);
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
      walletCount: tradedWallets(plan.strategies).length,
    }),
    ...controlRoutes({ bot, config, env, files, read: journal.read }),
  ];
  const server = createServer(
    { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS, maxHeaderSize: 16 * 1_024 },
    (request, response) => void answer(request, response, { routes, admission, env }),
  );
  server.maxConnections = MOST_CONNECTIONS;
  server.keepAliveTimeout = 5_000;
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
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await journal.close();
    },
  };
}

interface Serving {
  routes: readonly Route[];
  admission: Admission;
  env: Env;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { routes, admission, env }: Serving,
): Promise<void> {
  const refuse = (fault: RouteFault, headers: Readonly<Record<string, string>> = {}): void => {
    if (response.headersSent) return void response.destroy();
    // What is left of a body is not read.
    if (!request.complete) response.shouldKeepAlive = false;
    const challenge = fault.status === 401 ? { 'www-authenticate': 'Bearer' } : {};
    sendFault(response, fault, { ...challenge, ...headers });
  };
  try {
    const refused = admission.refuse(request);
    if (refused !== undefined) return refuse(refused);
    const url = URL.parse(request.url ?? '/', 'http://operator');
    if (url === null || url.host !== 'operator') return refuse(notFound(NO_ROUTE));
    const found = routes.flatMap((route) => {
      const params = matchPath(route.path, url.pathname);
      return params === undefined ? [] : [{ route, params }];
    });
    if (found.length === 0) return refuse(notFound(NO_ROUTE));
    const isHead = request.method === 'HEAD';
    const method = isHead ? 'GET' : request.method;
    const match = found.find(({ route }) => route.method === method);
    const access = (match ?? found[0]!).route.access;
    const denied = admission.refuseRoute(request, access);
    if (denied !== undefined) return refuse(denied);
    if (match === undefined) {
      const allow = found.map(({ route }) => route.method).join(', ');
      const message = `This route takes ${allow}.`;
      return refuse({ status: 405, code: 'method_not_allowed', message }, { allow });
    }
    const read = method === 'POST' ? await readBody(request) : { body: undefined };
    if ('fault' in read) return refuse(read.fault);
    const { params, route } = match;
    const call = { request, response, query: url.searchParams, params, body: read.body };
    const fault = await route.handle(call);
    if (fault !== undefined) refuse(fault);
  } catch (error) {
    // A reader that goes away in the middle of its request is no failure.
    if (request.destroyed && !request.complete) return;
    env.log.error(`The operator's server failed: ${reasonOf(error)}`);
    refuse({ status: 500, code: 'internal', message: 'The server failed; see the log.' });
  }
}

const NO_ROUTE = 'There is no such route.';

/** One reader of the journal, opened with the first request for it; a request that fails opens another. */
function createReaders({ journal }: BotConfig) {
  const { path, url, account } = journal;
  const place = { place: url?.reveal() ?? path, ...(account === undefined ? {} : { account }) };
  let opened: Promise<JournalReader> | undefined;
  const close = async (): Promise<void> => {
    const reader = opened;
    opened = undefined;
    await (await reader?.catch(() => undefined))?.close();
  };
  return {
    async read<T>(use: (reader: JournalReader) => Promise<T>): Promise<T> {
      opened ??= openJournalReader(place);
      try {
        return await use(await opened);
      } catch (error) {
        await close();
        throw error;
      }
    },
    close,
  };
}

async function listen(server: Server, at: ListenAddress): Promise<void> {
  if ('socket' in at) await clearSocket(at.socket);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    const done = (): void => {
      server.off('error', reject);
      resolve();
    };
    if ('socket' in at) server.listen(at.socket, done);
    else server.listen(at.port, at.host, done);
  });
  // Only its owner may connect.
  if ('socket' in at) chmodSync(at.socket, 0o600);
}

/** A socket that a killed process left is removed; one that answers belongs to another process. */
async function clearSocket(path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path)) return;
  const isServed = await new Promise<boolean>((resolve) => {
    const probe = connect(path, () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
  if (!isServed) unlinkSync(path);
}

function addressOf(server: Server, at: ListenAddress): string {
  if ('socket' in at) return at.socket;
  const { port } = server.address() as AddressInfo;
  return `http://${at.host.includes(':') ? `[${at.host}]` : at.host}:${port}/`;
}
