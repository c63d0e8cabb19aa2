import {
  defaultDialect,
  LAYERS,
  type Dialect,
  type Layer,
  type LayerStatus,
} from '../../contract/index.ts';
import { HOUR_MS } from '../../contract/durations.ts';
import { silentLog, type Log } from '../../env/index.ts';
import type { Recorder } from '../state/Change.ts';
import type { SavedService } from '../state/SavedService.ts';
import { advanceVenue } from './advanceVenue.ts';
import { createBudgets } from './createBudgets.ts';
import { createCandleCache } from './createCandleCache.ts';
import { createConnections } from './createConnections.ts';
import { createGate, type GateParts } from './createGate.ts';
import { createHttpDoor } from './createHttpDoor.ts';
import { createIdempotencyStore } from './createIdempotencyStore.ts';
import { createKeyring } from './createKeyring.ts';
import { createRepeat } from './createRepeat.ts';
import { createShellHandlers } from './createShellHandlers.ts';
import { createStreamHub } from './createStreamHub.ts';
import { createTransit, NO_LATENCY, type Latency } from './createTransit.ts';
import { createVenueWriteMeter } from './createVenueWriteMeter.ts';
import { NO_KEYS, type Engine } from './Engine.ts';
import type { PaperCore } from './PaperCore.ts';
import { openSession } from './openSession.ts';
import { readJson } from './readJson.ts';
import { ServiceError } from './ServiceError.ts';
import { requireLayer } from './requireLayer.ts';
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

/** request → credentials → gate (scope, wallet, keys, budget, shape) → handler → answer; events → frames. */
export function createPaperCore(options: PaperCoreOptions): PaperCore {
  const { engine, wallNow, dialect = defaultDialect, log = silentLog } = options;
  const { record = () => {}, saved } = options;
  const keyring = createKeyring(record);
  const connections = createConnections();
  const transit = createTransit(options.latency ?? NO_LATENCY, engine, options.seed ?? 0);
  const hub = createStreamHub((interest) => engine.setMarketInterest(interest), transit.toClient);
  const cache = createCandleCache();
  const writesOf = createVenueWriteMeter(saved?.engine.accounts ?? []);
  const layers = Object.fromEntries(LAYERS.map((name) => [name, 'ok'])) as LayerTable;
  const budgets = createBudgets({
    dialect: dialect.budget,
    limits: options.limits ?? 'on',
    now: options.budgetClock === 'replay' ? () => engine.now : wallNow,
  });
  let requests = 0;
  const starts = (saved?.starts ?? 0) + 1;
  // Reads are not recorded, so their numbers restart; the number of the start keeps them unique.
  const requestPrefix = starts === 1 ? 'req' : `req${starts}`;
  const nextRequestId = (): string => `${requestPrefix}_${++requests}`;
  const handlers = createShellHandlers({ engine, dialect, budgets, connections, layers, cache });
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
  const passage = { engine, hub, transit };
  const sessionParts = {
    engine,
    keyring,
    connections,
    layers,
    gate,
    hub,
    hold: transit.toVenue,
    nextRequestId,
    log,
  };
  const door = createHttpDoor({ dialect, keyring, budgets, gate, nextRequestId, log });
  const publishMeta = (event: string, data: unknown): void =>
    hub.publish({ channel: '_meta', event, wallet: null, keys: NO_KEYS, data }, engine.now);
  const addConnection: PaperCore['addConnection'] = (label, balance, status = 'active') => {
    record({ connection: { label, balance, status } });
    const connection = connections.add(label, status);
    engine.addAccount(connection.id, balance);
    return connection;
  };

  if (saved === undefined) addConnection(MAIN_WALLET, options.balance ?? 10_000);
  for (const connection of saved?.connections ?? []) connections.restore(connection);
  for (const key of saved?.keys ?? []) keyring.add(key);
  for (const answer of saved?.answers ?? []) idempotency.restore(answer);
  const repeat = createRepeat({ engine, keyring, idempotency, gateParts, addConnection });
  let isRepeating = false;
  engine.listen((event) => {
    const writes = writesOf(event);
    // What is repeated was written in an earlier process; budgets start fresh.
    if (writes > 0 && !isRepeating) budgets.chargeVenueWrites(writes);
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
    nextRequestId,
    call: (key, request, wallTime) =>
      gate({
        endpoint: request.endpoint,
        pathParams: request.pathParams,
        query: request.query,
        readBody: () =>
          request.content ?? (request.body === '' ? undefined : readJson(request.body).value),
        key,
        wallet: request.wallet,
        idempotencyKey: request.idempotencyKey ?? null,
        exact: null,
        inProcess: true,
        isShaped: request.isShaped === true && request.content !== undefined,
        wallTime,
      }),
    remainingWeight: (key) => budgets.remaining(key),
    openSession: (grant, port, wallTime) => openSession(sessionParts, { grant, port, wallTime }),
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
    setApart: hub.setApart,
    advanceTo: (toTime, untilEvent = false) => advanceVenue(passage, toTime, untilEvent),
    holdHttp(method, target, run) {
      // Most services have no latency, and then no request is routed twice.
      const endpoint = transit.delaysRequests ? door.endpointOf(method, target) : undefined;
      if (endpoint === undefined) run();
      else transit.toVenue(endpoint, run);
    },
    candleSubscriptions: () => (transit.toClient === null ? hub.of('candles') : null),
    hasLatency: transit.delaysRequests || transit.toClient !== null,
    announceAdvanced: (toTime) => publishMeta('advanced', { to_time: toTime }),
    save: (wallTime) => ({
      starts,
      connections: [...connections.list()],
      keys: keyring.save(),
      answers: idempotency.save(wallTime),
      engine: engine.save(),
    }),
    repeat(change) {
      isRepeating = true;
      try {
        repeat(change);
      } finally {
        isRepeating = false;
      }
    },
  };
}

type LayerTable = Record<Layer, LayerStatus>;
