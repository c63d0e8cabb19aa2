import {
  defaultDialect,
  LAYERS,
  type Dialect,
  type EndpointId,
  type Layer,
  type LayerStatus,
} from '../../contract/index.ts';
import { silentLog, type Log } from '../../env/index.ts';
import type { Change, Recorder } from '../state/Change.ts';
import type { SavedService } from '../state/SavedService.ts';
import type { ShellHandler } from './Admission.ts';
import { checkSubscription } from './checkSubscription.ts';
import { createBudgets } from './createBudgets.ts';
import { createCandleCache } from './createCandleCache.ts';
import { createConnections } from './createConnections.ts';
import { createGate, repeatCall, type GateParts } from './createGate.ts';
import { createHttpDoor } from './createHttpDoor.ts';
import { createIdempotencyStore } from './createIdempotencyStore.ts';
import { createKeyring, type ApiKey } from './createKeyring.ts';
import { createMarketHandlers } from './createMarketHandlers.ts';
import { createStreamHub } from './createStreamHub.ts';
import { createTransit, NO_LATENCY, type Latency } from './createTransit.ts';
import { createVenueWriteMeter } from './createVenueWriteMeter.ts';
import { createUtilityHandlers } from './createUtilityHandlers.ts';
import { NO_KEYS, type Engine } from './Engine.ts';
import type { PaperCore } from './PaperCore.ts';
import { parseSseChannels } from './parseSseChannels.ts';
import { readJson } from './readJson.ts';
import { ServiceError } from './ServiceError.ts';
import { requireLayer } from './requireLayer.ts';
import { Session } from './Session.ts';
import { weighingFacts } from './weighingFacts.ts';

/** The wallet that every paper service has. */
export const MAIN_WALLET = 'main';

export interface PaperCoreOptions {
  engine: Engine;
  /** Wall time, epoch milliseconds, for budgets that count it. */
  wallNow: () => number;
  dialect?: Dialect;
  /** Cash of the main wallet, USDC. */
  balance?: number;
  limits?: 'on' | 'off';
  budgetClock?: 'wall' | 'replay';
  log?: Log;
  /** Latencies to and from clients; default: none. */
  latency?: Latency;
  /** Seed of random delays (0). */
  seed?: string | number;
  /** Receives every change before it happens; the engine records its own changes. */
  record?: Recorder;
  /** State of an earlier process; the engine was already restored from its part. */
  saved?: SavedService;
}

const HOUR_MS = 3_600_000;

/** request → credentials → gate (scope, wallet, keys, budget, shape) → handler → answer; events → frames. */
export function createPaperCore(options: PaperCoreOptions): PaperCore {
  const { engine, wallNow, dialect = defaultDialect, log = silentLog } = options;
  const { record = () => {}, saved } = options;
  const keyring = createKeyring(record);
  const connections = createConnections();
  const transit = createTransit(options.latency ?? NO_LATENCY, engine, options.seed ?? 0);
  const hub = createStreamHub((interest) => engine.setMarketInterest(interest), transit.toClient);
  const cache = createCandleCache();
  const writesOf = createVenueWriteMeter();
  const layers = Object.fromEntries(LAYERS.map((name) => [name, 'ok'])) as LayerTable;
  const budgets = createBudgets({
    dialect: dialect.budget,
    limits: options.limits ?? 'on',
    now: options.budgetClock === 'replay' ? () => engine.now : wallNow,
  });
  let requests = 0;
  const starts = (saved?.starts ?? 0) + 1;
  // Reads are not recorded, so their numbers start again; the number of the start keeps them apart.
  const requestPrefix = starts === 1 ? 'req' : `req${starts}`;
  const nextRequestId = (): string => `${requestPrefix}_${++requests}`;
  const handlers = createHandlers();
  const idempotency = createIdempotencyStore(
    dialect.limits.idempotencyHours * HOUR_MS,
    dialect.signing.idempotencyConflict,
  );
  const gateParts: GateParts = {
    dialect,
    connections,
    budgets,
    idempotency,
    handlerOf(endpoint) {
      requireLayer(layers, endpoint);
      return handlers[endpoint];
    },
    factsOf: (wallet) => weighingFacts(engine, cache, wallet),
    nextRequestId,
    record: options.record ?? null,
    log,
  };
  const gate = createGate(gateParts);
  const door = createHttpDoor({ dialect, keyring, budgets, gate, nextRequestId, log });
  const publishMeta = (event: string, data: unknown): void =>
    hub.publish({ channel: '_meta', event, wallet: null, keys: NO_KEYS, data }, engine.now);
  const addConnection: PaperCore['addConnection'] = (label, balance, status = 'active') => {
    record({ connection: { label, balance, status } });
    const connection = connections.add(label, status);
    engine.addAccount(connection.id, balance);
    return connection;
  };
  const repeat = (change: Change): void => {
    if ('time' in change) engine.advanceTo(change.time);
    else if ('call' in change) repeatCall(gateParts, change.call, callerOf(change.call.keyId));
    else if ('answer' in change) idempotency.restore(change.answer);
    else if ('key' in change) keyring.add(change.key);
    else if ('revoked' in change) keyring.revoke(change.revoked);
    else if ('interrupted' in change) engine.interruptExecutions();
    else {
      const { label, balance, status } = change.connection;
      addConnection(label, balance, status);
    }
  };
  const callerOf = (keyId: string | null): ApiKey | null => {
    const key = keyId === null ? null : keyring.find(keyId);
    if (key === undefined) throw new Error(`A recorded call came by ${keyId}, which is unknown.`);
    return key;
  };

  /** The engine's handlers come last: they take precedence for the families that it serves. */
  function createHandlers(): Partial<Record<EndpointId, ShellHandler>> {
    const { pageDefault } = dialect.limits;
    return {
      ...createUtilityHandlers({ dialect, budgets, connections, layers }),
      ...createMarketHandlers({ engine, cache, pageDefault }),
      'streams.websocket': () => ({ body: {} }),
      'streams.sse': ({ query, wallet }) => {
        for (const wish of parseSseChannels(String(query['channels']))) {
          checkSubscription(wish, wallet, { connections, market: engine.market });
        }
        return { body: {} };
      },
      ...engine.handlers,
    };
  }

  if (saved === undefined) addConnection(MAIN_WALLET, options.balance ?? 10_000);
  for (const connection of saved?.connections ?? []) connections.restore(connection);
  for (const key of saved?.keys ?? []) keyring.add(key);
  for (const answer of saved?.answers ?? []) idempotency.restore(answer);
  engine.listen((event) => {
    const writes = writesOf(event);
    if (writes > 0) budgets.chargeVenueWrites(writes);
    hub.publish(event, engine.now);
  });
  // A new listener receives everything; there are no subscribers yet.
  engine.setMarketInterest({ ticks: [], bars: [] });

  return {
    engine,
    keyring,
    connections,
    layers,
    handleHttp: door.handle,
    refuse: door.refuse,
    call: (key, request, wallTime) =>
      gate({
        endpoint: request.endpoint,
        pathParams: request.pathParams,
        query: request.query,
        readBody: () =>
          request.content ?? (request.body === '' ? undefined : readJson(request.body)),
        key,
        wallet: request.wallet,
        idempotencyKey: request.idempotencyKey ?? null,
        exact: null,
        inProcess: true,
        wallTime,
      }),
    remainingWeight: (key) => budgets.remaining(key),
    openSession(grant, port, wallTime) {
      const key = keyring.find(grant.keyId);
      if (key === undefined) return undefined;
      const { wallet } = grant;
      const session = new Session({
        key,
        wallet,
        port,
        engine,
        connections,
        gate,
        hub,
        hold: transit.toVenue,
        nextRequestId,
        log,
      });
      session.welcome({ connectivity: { ...layers }, server_time: wallTime });
      try {
        for (const wish of grant.subscriptions) session.subscribe(wish);
      } catch (error) {
        session.close();
        throw error;
      }
      return session;
    },
    addKey(request, credentials, wallTime) {
      const { label, scopes, connectionId = MAIN_WALLET, tier = 'standard' } = request;
      const connection = connections.find(connectionId);
      if (connection === undefined) throw new ServiceError('unknown_wallet');
      if (connection.status === 'unlinked') throw new ServiceError('wallet_not_linked');
      return keyring.add({
        label,
        scopes,
        connectionId,
        tier,
        createdTime: wallTime,
        ...credentials,
      });
    },
    addConnection,
    setLayer(layer, status, detail) {
      if (layers[layer] === status) return;
      layers[layer] = status;
      publishMeta(status === 'ok' ? 'recovered' : 'degraded', { layer, detail });
    },
    advanceTo(toTime, untilEvent = false) {
      const { handed } = hub;
      const { arrivals } = transit;
      const hasCome = (): boolean => hub.handed !== handed || transit.arrivals !== arrivals;
      const isDone = (): boolean => untilEvent && hasCome();
      const isWatched = untilEvent || transit.toClient !== null;
      for (;;) {
        const stop = Math.min(toTime, transit.nextTime());
        // A new transit may arrive before the engine's next instant.
        const isOver = (): boolean => isDone() || transit.nextTime() < stop;
        if (stop > engine.now) engine.advanceTo(stop, isWatched ? isOver : undefined);
        if (engine.now < stop && isDone()) break;
        if (engine.now < stop) continue;
        transit.advanceTo(engine.now);
        if (engine.now >= toTime || isDone()) break;
      }
      return hasCome();
    },
    holdHttp(method, target, run) {
      const endpoint = door.endpointOf(method, target);
      if (endpoint === undefined) run();
      else transit.toVenue(endpoint, run);
    },
    announceAdvanced: (toTime) => publishMeta('advanced', { to_time: toTime }),
    save: (wallTime) => ({
      starts,
      connections: [...connections.list()],
      keys: keyring.save(),
      answers: idempotency.save(wallTime),
      engine: engine.save(),
    }),
    repeat,
  };
}

type LayerTable = Record<Layer, LayerStatus>;
