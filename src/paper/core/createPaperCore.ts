import {
  defaultDialect,
  LAYERS,
  type Dialect,
  type EndpointId,
  type Layer,
  type LayerStatus,
} from '../../contract/index.ts';
import { silentLog, type Log } from '../../env/index.ts';
import type { ShellHandler } from './Admission.ts';
import { checkSubscription } from './checkSubscription.ts';
import { createBudgets } from './createBudgets.ts';
import { createCandleCache } from './createCandleCache.ts';
import { createConnections } from './createConnections.ts';
import { createGate } from './createGate.ts';
import { createHttpDoor } from './createHttpDoor.ts';
import { createIdempotencyStore } from './createIdempotencyStore.ts';
import { createKeyring } from './createKeyring.ts';
import { createMarketHandlers } from './createMarketHandlers.ts';
import { createStreamHub } from './createStreamHub.ts';
import { createVenueWriteMeter } from './createVenueWriteMeter.ts';
import { createUtilityHandlers } from './createUtilityHandlers.ts';
import type { Engine } from './Engine.ts';
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
}

const HOUR_MS = 3_600_000;

/** request → credentials → gate (scope, wallet, keys, budget, shape) → handler → answer; events → frames. */
export function createPaperCore(options: PaperCoreOptions): PaperCore {
  const { engine, wallNow, dialect = defaultDialect, log = silentLog } = options;
  const keyring = createKeyring();
  const connections = createConnections();
  const hub = createStreamHub((interest) => engine.setMarketInterest(interest));
  const cache = createCandleCache();
  const writesOf = createVenueWriteMeter();
  const layers = Object.fromEntries(LAYERS.map((name) => [name, 'ok'])) as LayerTable;
  const budgets = createBudgets({
    dialect: dialect.budget,
    limits: options.limits ?? 'on',
    now: options.budgetClock === 'replay' ? () => engine.now : wallNow,
  });
  let requests = 0;
  const nextRequestId = (): string => `req_${++requests}`;
  const handlers = createHandlers();
  const gate = createGate({
    endpoints: dialect.endpoints,
    replayWeight: dialect.budget.replayWeight,
    connections,
    budgets,
    idempotency: createIdempotencyStore(dialect.limits.idempotencyHours * HOUR_MS),
    handlerOf(endpoint) {
      requireLayer(layers, endpoint);
      return handlers[endpoint];
    },
    factsOf: (wallet) => weighingFacts(engine, cache, wallet),
    nextRequestId,
    log,
  });
  const door = createHttpDoor({ dialect, keyring, budgets, gate, nextRequestId, log });
  const publishMeta = (event: string, data: unknown): void =>
    hub.publish({ channel: '_meta', event, wallet: null, keys: {}, data }, engine.now);
  const addConnection: PaperCore['addConnection'] = (label, balance, status) => {
    const record = connections.add(label, status);
    engine.addAccount(record.id, balance);
    return record;
  };

  /** The engine's handlers come last: a family that it serves is its own. */
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

  addConnection(MAIN_WALLET, options.balance ?? 10_000);
  engine.listen((event) => {
    const writes = writesOf(event);
    if (writes > 0) budgets.chargeVenueWrites(writes);
    hub.publish(event, engine.now);
  });
  // A new listener hears everything; nobody has subscribed yet.
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
        readBody: () => (request.body === '' ? undefined : readJson(request.body)),
        key,
        wallet: request.wallet,
        idempotencyKey: request.idempotencyKey ?? null,
        exact: null,
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
    announceAdvanced: (toTime) => publishMeta('advanced', { to_time: toTime }),
  };
}

type LayerTable = Record<Layer, LayerStatus>;
