import {
  createDialect,
  SCOPES,
  serviceFault,
  type BalanceRecord,
  type Dialect,
  type ExecutionRecord,
  type FillRecord,
  type Layer,
  type OrderRecord,
  type PositionRecord,
  type StreamFrame,
} from '../../src/contract/index.ts';
import { silentLog } from '../../src/env/index.ts';
import { isSpot } from '../../src/runtime/wallet/index.ts';
import {
  createPaperService,
  ServiceError,
  generateFeed,
  paperSettings,
  type PaperCore,
  type RawRequest,
  type RawResponse,
  type StreamPort,
} from '../../src/paper/index.ts';
import { createPast, type Past } from './createPast.ts';
import { isLate, type AlertAction, type Scenario } from './Scenario.ts';
import type { Simulation } from './Simulation.ts';

/** The true state of the venue, from a listener without faults. */
export interface Truth {
  /** Records that carry an intent's key: its orders and executions, never their children. */
  readonly made: ReadonlyMap<string, ReadonlySet<string>>;
  readonly orders: ReadonlyMap<string, OrderRecord>;
  readonly openOrders: ReadonlyMap<string, OrderRecord>;
  readonly liveExecutions: ReadonlyMap<string, ExecutionRecord>;
  /** Signed base units; of spot, what the wallet holds. */
  readonly positions: ReadonlyMap<string, number>;
  /** Of what is held, by symbol. */
  readonly entryPrices: ReadonlyMap<string, number>;
  /** In the order of the service's books. */
  readonly fills: readonly FillRecord[];
  readonly fundings: readonly FundingEvent[];
  /** In their order; USDC, below 0 for a withdrawal. */
  readonly transfers: readonly Transfer[];
  /** How often a position was liquidated. */
  readonly liquidations: number;
  fillOf(fillId: string): FillRecord | undefined;
}

/** Funds that a person moved into a wallet. */
export interface Transfer {
  wallet: string;
  amount: number;
}

/** Funding as the wallet's channel reports it; positive when paid. */
export interface FundingEvent {
  symbol: string;
  amount: number;
  time: number;
}

export interface SimService {
  readonly core: PaperCore;
  readonly dialect: Dialect;
  readonly truth: Truth;
  /** A wallet's, for reads that lag; empty unless the scenario is late. */
  past(wallet: string): Past;
  readonly keyId: string;
  readonly secret: string;
  readonly symbols: readonly string[];
  readonly wallets: readonly string[];
  /** The wallet on which a symbol is traded. */
  walletOf(symbol: string): string;
  /** Whether connections are accepted. */
  isUp(): boolean;
  /** Advances market time to true time. */
  tick(): void;
  /** What a wallet is worth by the service's own figures, USDC. */
  equityOf(wallet: string): number;
  /** Executes a request as it arrives. */
  handle(raw: RawRequest): RawResponse;
  /** An injected refusal, regardless of the request. */
  refusal(status: Refusal, raw: RawRequest, retrySeconds?: number): RawResponse;
  /** A success with this record, whatever became of the request. */
  success(raw: RawRequest, body: object): RawResponse;
  /** The answer to a request with this key was sent. */
  answered(raw: RawRequest): void;
  open(
    grant: NonNullable<RawResponse['grant']>,
    port: StreamPort,
  ): ReturnType<PaperCore['openSession']>;
  /** Loses sockets and interrupts executions; unreachable for this long. */
  restart(downMs: number): void;
  outage(downMs: number): void;
  degrade(layer: Layer, forMs: number): void;
  spendForeign(weight: number): void;
  /** A webhook acts on an alert, on one of the bot's perpetuals; quote units, below 0 to sell. */
  alert(action: AlertAction, notional: number): void;
  /** A person moves funds into a wallet, or out of it below 0; the service refuses to give what is needed. */
  transfer(wallet: string, amount: number): void;
  /** Ids of the orders and executions that webhooks made. */
  readonly alerted: ReadonlySet<string>;
  heal(): void;
  /** Freezes the market, so that all events can be delivered. */
  freeze(): void;
  thaw(): void;
  onRecord(listener: (key: string, id: string) => void): void;
  /** @returns ends it */
  onDown(listener: () => void): () => void;
}

type Refusal = 404 | 429 | 500 | 503;

export const SECRET = 'vs_canary_7f3a9c51e2';
const KEY_ID = 'vk_sim';
const OBSERVER = 'vk_observer';
const FOREIGN = 'vk_foreign';
const WARMUP_BARS = 60;
const RUN_MINUTES = 160;
const PERPS = { BTC: 60_000, ETH: 3_000, SOL: 150 };
const WITH_SPOT = { 'SOL/USDC': 150, BTC: 60_000, ETH: 3_000 };

/** By symbol, in the order of the bot's instances. */
const pricesOf = ({ bot }: Scenario): Readonly<Record<string, number>> =>
  bot.hasSpot ? WITH_SPOT : PERPS;
const WALLETS = ['main', 'second'];

/** Start of true time: a full minute, so that bars close on it. */
export const START_TIME = Date.UTC(2026, 0, 5, 12);

export function dialectOf({ service, forgets = false }: Scenario): Dialect {
  const { timestampToleranceSeconds, signQueryString, budgetWindow, weightPerMinute } = service;
  return createDialect({
    signing: { timestampToleranceSeconds, signQueryString },
    budget: { window: budgetWindow, standard: weightPerMinute },
    // Replayable answers are bounded by the recent requests: not a leak, so left out of the figures.
    ...(forgets && { limits: { idempotencyHours: 0.25 } }),
  });
}

export function createSimService(sim: Simulation): SimService {
  const { scenario } = sim;
  const dialect = dialectOf(scenario);
  const core = createCore(scenario, dialect, sim);
  const { engine } = core;
  const symbols = Object.keys(pricesOf(scenario));
  const keys = createKeyModel(sim);
  const truth = createTruth(scenario.forgets === true);
  const wallets = scenario.bot.hasTwoWallets ? WALLETS : WALLETS.slice(0, 1);
  const pasts = new Map(wallets.map((wallet) => [wallet, createPast(() => sim.queue.now())]));
  const recordListeners: Array<(key: string, id: string) => void> = [];
  const downListeners = new Set<() => void>();
  const alerted = new Set<string>();
  let downUntil = 0;
  let frozen = false;

  for (const wallet of wallets) {
    observe(core, { wallet, channels: ['account.state', 'executions'] }, (frame) =>
      truth.take(frame, (key, id) => {
        for (const listener of recordListeners) listener(key, id);
      }),
    );
    const channels = ['account.state', 'executions', 'monitors'];
    if (isLate(scenario)) observe(core, { wallet, channels }, pasts.get(wallet)!.take);
  }

  const tick = (): void => {
    if (!frozen) engine.advanceTo(Math.max(engine.now, Math.floor(sim.queue.now())));
  };
  const down = (downMs: number): void => {
    downUntil = sim.queue.now() + downMs;
    for (const listener of downListeners) listener();
  };

  return {
    core,
    dialect,
    truth,
    past: (wallet) => pasts.get(wallet)!,
    keyId: KEY_ID,
    secret: SECRET,
    symbols: symbols.slice(0, scenario.bot.instances),
    wallets,
    walletOf: (symbol) => wallets[symbols.indexOf(symbol) % wallets.length]!,
    isUp: () => sim.queue.now() >= downUntil,
    tick,
    equityOf(wallet) {
      const key = core.keyring.find(OBSERVER)!;
      const read = {
        endpoint: 'account.get',
        pathParams: {},
        query: {},
        wallet,
        body: '',
      } as const;
      return (core.call(key, read, sim.queue.now()).body as { equity: number }).equity;
    },
    handle(raw) {
      tick();
      return keys.answer(raw, (request) => core.handleHttp(request));
    },
    refusal(status, raw, retrySeconds) {
      const response = refuse(raw, status, retrySeconds);
      if (status === 500) keys.failed(raw);
      return response;
    },
    success: (raw, body) => respond(raw, 200, { ...body, request_id: 'req_sim' }),
    answered: keys.answered,
    open: (grant, port) => core.openSession(grant, port, sim.queue.now()),
    restart(downMs) {
      tick();
      engine.interruptExecutions();
      down(downMs);
    },
    outage: down,
    degrade(layer, forMs) {
      core.setLayer(layer, sim.random(`layer ${layer}`).next() < 0.5 ? 'degraded' : 'down', 'sim');
      sim.after(forMs, () => core.setLayer(layer, 'ok', null));
    },
    spendForeign(weight) {
      const key = core.keyring.find(KEY_ID)!;
      const read = { endpoint: 'positions.list', pathParams: {}, query: {}, body: '' } as const;
      for (let spent = 0; spent < weight; spent += 2) core.call(key, read, sim.queue.now());
    },
    alert(action, notional) {
      tick();
      const traded = symbols.slice(0, scenario.bot.instances).filter((symbol) => !isSpot(symbol));
      const symbol = traded.at(-1);
      // A service that is down acts on nothing.
      if (symbol === undefined || sim.queue.now() < downUntil) return;
      const { mark } = engine.market.quote(symbol);
      const wallet = wallets[symbols.indexOf(symbol) % wallets.length]!;
      const call = (
        endpoint: 'webhooks.create' | 'webhooks.inbound',
        pathParams: Record<string, string>,
        body: object,
      ) => {
        const request = { endpoint, pathParams, query: {}, wallet, body: JSON.stringify(body) };
        const { body: answer } = core.call(core.keyring.find(FOREIGN)!, request, sim.queue.now());
        return answer as { token?: string; outcome?: string; result?: Made | null };
      };
      const asked = toAlert(action, { symbol, notional, mark });
      const { token } = call('webhooks.create', {}, { name: 'alert', action: asked });
      if (token === undefined) throw new Error(`no webhook for ${JSON.stringify(asked)}`);
      const { outcome, result } = call('webhooks.inbound', { token }, {});
      for (const id of [result?.order_id, result?.execution_id])
        if (id !== undefined) alerted.add(id);
      sim.note('alert', symbol, action, outcome ?? '');
    },
    transfer(wallet, amount) {
      tick();
      try {
        engine.transfer(wallet, amount);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        return sim.note('transfer refused', wallet, amount);
      }
      truth.transferred({ wallet, amount });
      sim.note('transfer', wallet, amount);
    },
    alerted,
    heal() {
      downUntil = 0;
      keys.heal();
      for (const layer of Object.keys(core.layers) as Layer[]) core.setLayer(layer, 'ok', null);
    },
    freeze() {
      frozen = true;
    },
    thaw() {
      frozen = false;
    },
    onRecord: (listener) => recordListeners.push(listener),
    onDown(listener) {
      downListeners.add(listener);
      return () => downListeners.delete(listener);
    },
  };
}

/** The record of what an alert made. */
interface Made {
  order_id?: string;
  execution_id?: string;
}

/** A webhook's action (WHK-1). */
function toAlert(
  action: AlertAction,
  { symbol, notional, mark }: { symbol: string; notional: number; mark: number },
): object {
  const side = notional > 0 ? 'buy' : 'sell';
  const size = Number((Math.abs(notional) / mark).toFixed(3));
  const order = { symbol, side, size, order_type: 'market' };
  switch (action) {
    case 'market':
      return { type: 'order', request: order };
    case 'limit': {
      const price = Number((mark * (notional > 0 ? 0.999 : 1.001)).toPrecision(5));
      return { type: 'order', request: { ...order, order_type: 'limit', price } };
    }
    case 'reduce':
      return { type: 'order', request: { ...order, reduce_only: true } };
    case 'launch': {
      const params = { duration_seconds: 120 };
      return {
        type: 'execute',
        request: { algo: 'pacemaker', symbol, side, total_size: size, params },
      };
    }
    case 'close':
      return { type: 'close', request: { symbol } };
  }
}

function createCore(scenario: Scenario, dialect: Dialect, sim: Simulation): PaperCore {
  const bars = WARMUP_BARS + (scenario.minutes ?? RUN_MINUTES);
  const { cash, hasTwoWallets, isScarce } = scenario.bot;
  const startTime = sim.startTime - WARMUP_BARS * 60_000;
  const feeds = Object.entries(pricesOf(scenario)).map(([symbol, startPrice]) =>
    generateFeed({
      symbol,
      interval: '1m',
      bars,
      seed: scenario.seed,
      startTime,
      startPrice,
      volume: 400,
      ...(isScarce && { volatilityBps: 150 }),
    }),
  );
  const settings = paperSettings.parse({
    feeds: [{ symbol: 'BTC', interval: '1m', generate: { seed: 1, bars: 2 } }],
    warmup: WARMUP_BARS,
    balance: cash,
    connections: hasTwoWallets ? [{ label: WALLETS[1], balance: cash }] : [],
    // Records of the past fill within the first day of a long run, so that later growth is a leak.
    ...(scenario.forgets === true && { retention: 500 }),
  });
  const clock = {
    wallNow: () => Math.floor(sim.queue.now()),
    monotonicNow: () => sim.elapsed(),
  };
  const env = { clock, log: silentLog };
  const core = createPaperService({ settings, data: { feeds, funding: {} }, dialect }, env);
  core.addKey({ label: 'sim', scopes: SCOPES }, { keyId: KEY_ID, secret: SECRET }, sim.startTime);
  for (const keyId of [OBSERVER, FOREIGN]) {
    core.addKey({ label: keyId, scopes: SCOPES }, { keyId, secret: `vs_${keyId}` }, 0);
  }
  return core;
}

function observe(
  core: PaperCore,
  { wallet, channels }: { wallet: string; channels: readonly string[] },
  take: (frame: StreamFrame) => void,
): void {
  const grant = { kind: 'websocket', keyId: OBSERVER, wallet, subscriptions: [] } as const;
  const port: StreamPort = { frame: take, control: () => {}, close: () => {} };
  const session = core.openSession(grant, port, 0)!;
  for (const channel of channels) session.subscribe({ channel, params: {} });
}

/** The key may have been rewritten on arrival, so that the core treats it as a new one. */
const plainKey = (key: string): string => key.split('~')[0]!;

/** Whether the core saw a known key as a new one. */
export const isRenamed = (key: string | null | undefined): boolean => key?.includes('~') === true;

/** @param forgets keeps open records only */
function createTruth(forgets: boolean) {
  const made = new Map<string, Set<string>>();
  const orders = new Map<string, OrderRecord>();
  const openOrders = new Map<string, OrderRecord>();
  const liveExecutions = new Map<string, ExecutionRecord>();
  const keep = <R>(map: Map<string, R>, id: string, record: R, lives: boolean): void => {
    if (lives) map.set(id, record);
    else map.delete(id);
  };
  const positions = new Map<string, number>();
  const entryPrices = new Map<string, number>();
  const fills: FillRecord[] = [];
  const fillsById = new Map<string, FillRecord>();
  const fundings: FundingEvent[] = [];
  const transfers: Transfer[] = [];
  let liquidations = 0;
  const note = (
    key: string | null | undefined,
    id: string,
    report: (key: string, id: string) => void,
  ) => {
    if (key === null || key === undefined || forgets) return;
    const plain = plainKey(key);
    const known = made.get(plain) ?? new Set();
    if (known.has(id)) return;
    made.set(plain, known.add(id));
    report(plain, id);
  };
  return {
    made,
    orders,
    openOrders,
    liveExecutions,
    positions,
    entryPrices,
    fills,
    fundings,
    transfers,
    transferred: (transfer: Transfer) => void transfers.push(transfer),
    get liquidations() {
      return liquidations;
    },
    fillOf: (fillId: string) => fillsById.get(fillId),
    take({ channel, event, data }: StreamFrame, report: (key: string, id: string) => void): void {
      if (channel === 'executions' && event !== 'snapshot') {
        const execution = data as ExecutionRecord;
        const { execution_id: id, status } = execution;
        keep(liveExecutions, id, execution, status !== 'completed' && status !== 'stopped');
        note(execution.idempotency_key, execution.execution_id, report);
      } else if (event === 'order') {
        const order = data as OrderRecord;
        const { order_id: id, status } = order;
        if (!forgets) orders.set(id, order);
        keep(openOrders, id, order, status === 'open' || status === 'partially_filled');
        if (order.execution_id == null) note(order.idempotency_key, order.order_id, report);
      } else if (event === 'position') {
        const { symbol, side, size, entry_price: price } = data as PositionRecord;
        positions.set(symbol, side === 'short' ? -size : size);
        entryPrices.set(symbol, size === 0 ? 0 : price);
      } else if (event === 'balance') {
        const { asset, total } = data as BalanceRecord;
        const spot = Object.keys(WITH_SPOT).find((symbol) => symbol.startsWith(`${asset}/`));
        if (spot !== undefined) positions.set(spot, total);
      } else if (event === 'fill' && !forgets) {
        const fill = data as FillRecord;
        fills.push(fill);
        fillsById.set(fill.fill_id, fill);
      } else if (event === 'funding' && !forgets) fundings.push(data as FundingEvent);
      else if (event === 'liquidation') liquidations++;
    },
  };
}

/** This seed's idempotency model, around a core that replays answers. */
function createKeyModel(sim: Simulation) {
  const { idempotency: model, keyLifeMs } = sim.scenario.service;
  const seen = new Map<string, { at: number; generation: number }>();
  const inFlight = new Map<string, number>();
  const freed = new Set<string>();
  const stuck = new Set<string>();
  let counter = 0;

  function rename(key: string): string {
    if (model === 'replay') return key;
    if (model === 'key_ignored') return `${key}~${++counter}`;
    if (model === '4xx_frees_key' && freed.delete(key)) {
      seen.set(key, { at: 0, generation: ++counter });
    }
    const now = sim.queue.now();
    const known = seen.get(key);
    if (model === 'keys_expire' && known !== undefined && now - known.at > keyLifeMs) {
      known.at = now;
      known.generation = ++counter;
    }
    if (known === undefined) seen.set(key, { at: now, generation: 0 });
    const generation = seen.get(key)!.generation;
    return generation === 0 ? key : `${key}~${generation}`;
  }

  return {
    answer(raw: RawRequest, execute: (raw: RawRequest) => RawResponse): RawResponse {
      const key = raw.headers['idempotency-key'];
      if (key === undefined || raw.method === 'GET') return execute(raw);
      if (model === 'sticky_500' && stuck.has(key)) return refuse(raw, 500);
      if (model === 'conflict_in_flight' && inFlight.has(key)) {
        return conflict(raw, sim.scenario.seed.length % 2 === 0);
      }
      inFlight.set(key, (inFlight.get(key) ?? 0) + 1);
      const response = execute({
        ...raw,
        headers: { ...raw.headers, 'idempotency-key': rename(key) },
      });
      if (model === '4xx_frees_key' && [404, 409, 422].includes(response.status)) freed.add(key);
      return response;
    },
    answered(raw: RawRequest): void {
      const key = raw.headers['idempotency-key'];
      if (key !== undefined) inFlight.delete(key);
    },
    failed(raw: RawRequest): void {
      const key = raw.headers['idempotency-key'];
      if (key !== undefined && model === 'sticky_500') stuck.add(key);
    },
    heal: () => inFlight.clear(),
  };
}

/** Another service may use other codes (ERR-2). */
function conflict(raw: RawRequest, ours: boolean): RawResponse {
  const code = ours ? 'idempotency_conflict' : 'request_in_progress';
  return envelope(raw, 409, { code, message: 'A request with this key is being processed.' });
}

function refuse(raw: RawRequest, status: Refusal, retrySeconds = 1): RawResponse {
  if (status === 404) return envelope(raw, 404, { code: 'not_found', message: 'Nothing here.' });
  if (status === 500) return envelope(raw, 500, { code: 'internal', message: 'Broken.' });
  if (status === 503) return envelope(raw, 503, { code: 'venue_unavailable', message: 'Away.' });
  const details = { bucket_exceeded: 'key_minute', retry_after_seconds: retrySeconds };
  const response = envelope(raw, 429, { code: 'rate_limited', message: 'Slowly.', details });
  response.headers['retry-after'] = String(retrySeconds);
  return response;
}

function envelope(raw: RawRequest, status: number, fault: object): RawResponse {
  return respond(raw, status, { error: serviceFault.parse(fault), request_id: 'req_sim' });
}

function respond(raw: RawRequest, status: number, body: object): RawResponse {
  return {
    status,
    headers: {
      'content-type': 'application/json',
      date: new Date(raw.wallTime).toUTCString(),
      'x-request-id': 'req_sim',
    },
    bodyText: JSON.stringify(body),
  };
}
