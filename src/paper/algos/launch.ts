import { isWithin } from '../../contract/bounds.ts';
import type { EntryPriceSpec, ExecuteRequest, InstrumentRecord } from '../../contract/index.ts';
import { ServiceError } from '../core/ServiceError.ts';
import type { EngineState } from '../engine/EngineState.ts';
import { checkSentLegs } from '../legs/checkSentLegs.ts';
import { countTrails, createLegs, resolveLegs, type ResolvedLegs } from '../legs/lifecycle.ts';
import { checkRows } from '../legs/maintainedRows.ts';
import { resolveEntry, trackEntry } from '../tracking/trackEntry.ts';
import type { Account } from '../venue/Account.ts';
import { checkPrice, checkSize } from '../venue/checkGrid.ts';
import type { PriceFromResolution } from '../venue/Order.ts';
import { algorithm } from './algorithms.ts';
import { AlgoContext } from './AlgoContext.ts';
import type { Execution } from './Execution.ts';
import { publishExecution } from './publishExecution.ts';
import { startExecution } from './startExecution.ts';

export interface LaunchOptions extends MadeOptions {
  request: ExecuteRequest;
}

/** How an execution came about. */
export interface MadeOptions {
  idempotencyKey: string | null;
  /** What is recorded as the request, if it is not the launch itself. */
  sent?: unknown;
  /** Its trigger or stop has already been reached: a monitor launched it to unwind. */
  triggered?: boolean;
  /** It closes the position that is open now: what a triggered leg launched, or a close. */
  unwinds?: boolean;
}

/** A launch that passed every check and was not carried out yet. */
export interface CheckedLaunch {
  request: ExecuteRequest;
  priceFrom: PriceFromResolution | null;
  legs: ResolvedLegs;
}

/** `POST /v1/execute` (EXE-2): every refusal comes before anything changes. */
export function launchExecution(
  engine: EngineState,
  account: Account,
  { request, ...options }: LaunchOptions,
): Execution {
  checkLaunchShape(engine, request);
  const checked = checkLaunch(engine, account, request, options.triggered);
  return launchChecked(engine, account, checked, options);
}

/** What was checked at this very instant is launched: the execution exists, and a later failure ends it (conventions §4). */
export function launchChecked(
  engine: EngineState,
  account: Account,
  checked: CheckedLaunch,
  { idempotencyKey, sent, triggered = false, unwinds = triggered }: MadeOptions,
): Execution {
  const { request } = checked;
  const made = { idempotencyKey, sent: sent ?? request, triggered, unwinds };
  const execution = createExecution(engine, account, checked, made);
  const { execution_id: id } = execution.record;
  account.executions.add(id, execution);
  account.liveExecutions.set(id, execution);
  const clientId = request.client_execution_id;
  if (clientId !== undefined) account.clientExecutionIds.set(clientId, id);
  joinLegs(engine, account, execution, checked);
  joinTrack(engine, account, execution);
  const algo = algorithm(request.algo);
  const context = new AlgoContext(engine, account, execution);
  execution.state = algo.begin(context);
  context.enter(algo.phase(context));
  publishExecution(engine, account, execution, { event: 'started' });
  startExecution(engine, account, execution, 0);
  return execution;
}

/**
 * What live data can refuse of a launch whose shape passes (RULE-3). What a monitor launches to unwind has reached its
 * trigger, so that its prices are on no side any more.
 */
export function checkLaunch(
  engine: EngineState,
  account: Account,
  request: ExecuteRequest,
  triggered = false,
): CheckedLaunch {
  checkClientId(account, request.client_execution_id);
  const { instrument, path } = engine.market.at(request.symbol);
  const { mark } = path;
  const value = request.total_size * mark;
  if (request.reduce_only !== true && !isWithin(instrument.min_order_value, value)) {
    const details = { minimum: instrument.min_order_value, value };
    throw new ServiceError('below_order_minimum', { details });
  }
  const from = trackedSpec(request);
  const priceFrom =
    from === undefined ? null : resolveEntry(engine, request.symbol, from, trackedField(request));
  const market = { mark, resolved: priceFrom?.price ?? null };
  if (!triggered) algorithm(request.algo).check?.(request as never, market);
  checkRows(account, rowsOf(request));
  return { request, priceFrom, legs: resolveLaunchLegs(engine, request, priceFrom) };
}

/** What can be said of a launch without live data: decimals, and whether it may have legs (RULE-3). */
export function checkLaunchShape(engine: EngineState, request: ExecuteRequest): void {
  const { instrument } = engine.market.at(request.symbol);
  checkSize('total_size', request.total_size, instrument);
  checkAlgoPrices(request, instrument);
  checkSentLegs(request, instrument);
}

/** Prices of the algorithm itself. */
export function checkAlgoPrices(
  request: Pick<ExecuteRequest, 'algo' | 'params'>,
  instrument: InstrumentRecord,
): void {
  for (const [field, price] of algorithm(request.algo).prices(request as never)) {
    if (price !== undefined) checkPrice(field, price, instrument);
  }
}

/** Maintained rows that a launch uses: its trailing legs and its tracked price. */
export function rowsOf(request: ExecuteRequest): number {
  return countTrails(request) + (trackedSpec(request)?.track === true ? 1 : 0);
}

function checkClientId(account: Account, id: string | undefined): void {
  if (id === undefined || !account.clientExecutionIds.has(id)) return;
  throw new ServiceError('duplicate_client_execution_id', {
    details: { client_execution_id: id },
  });
}

/** The price that may follow an indicator: Glidemaker's limit, Smart Exit's stop, GhostSweep's trigger. */
export function trackedSpec(request: ExecuteRequest): EntryPriceSpec | undefined {
  if (request.algo === 'glidemaker') return request.params.limit_price_from;
  if (request.algo === 'smartexit') return request.params.stop_price_from;
  return request.algo === 'ghostsweep' ? request.trigger_from : undefined;
}

function trackedField({ algo }: ExecuteRequest): string {
  if (algo === 'ghostsweep') return 'trigger_from';
  return algo === 'smartexit' ? 'params.stop_price_from' : 'params.limit_price_from';
}

/**
 * Legs are checked against the launch's limit or trigger (conventions, section 3), else where it would be filled now; they
 * are resolved again at the end.
 */
function resolveLaunchLegs(
  engine: EngineState,
  request: ExecuteRequest,
  priceFrom: PriceFromResolution | null,
): ResolvedLegs {
  const { symbol, side } = request;
  const mark = engine.market.mark(symbol);
  const anchorPrice = anchorOf(request, mark) ?? priceFrom?.price ?? mark;
  const positionSide = side === 'buy' ? 'long' : 'short';
  return resolveLegs(engine, { symbol, positionSide, anchor: 'entry', anchorPrice }, request);
}

/** The limit or trigger that a launch was sent with, or the price of its band that is next to the mark. */
function anchorOf(request: ExecuteRequest, mark: number): number | undefined {
  switch (request.algo) {
    case 'ghostsweep':
      return request.params?.trigger_price;
    case 'flowband':
      // Where the mark is inside, or enters: a stop beyond that is wrong at the fill, though not at an edge.
      return Math.min(Math.max(mark, request.params.band_low), request.params.band_high);
    case 'smartexit':
      return undefined;
    default:
      return request.params.limit_price;
  }
}

function joinLegs(
  engine: EngineState,
  account: Account,
  execution: Execution,
  { request, legs }: CheckedLaunch,
): void {
  const { symbol, side } = request;
  const positionSide = side === 'buy' ? 'long' : 'short';
  const executionId = execution.record.execution_id;
  const owner = { symbol, positionSide, orderId: null, executionId } as const;
  execution.legIds = createLegs(engine, account, owner, legs).map(({ record }) => record.leg_id!);
}

function joinTrack(engine: EngineState, account: Account, execution: Execution): void {
  const spec = trackedSpec(execution.spec);
  if (spec?.track !== true) return;
  const { symbol, side, execution_id: executionId } = execution.record;
  const { price } = execution.priceFrom!;
  const watch = trackEntry(engine, account, {
    symbol,
    side,
    spec,
    price,
    orderId: null,
    executionId,
  });
  execution.entryTrack = {
    watch_id: watch.watchId,
    min_move_bps: watch.minMoveBps,
    max_drift_bps: watch.maxDriftBps,
  };
}

function createExecution(
  engine: EngineState,
  account: Account,
  { request, priceFrom }: CheckedLaunch,
  { idempotencyKey, sent, triggered, unwinds }: Required<MadeOptions>,
): Execution {
  const { now } = engine.market;
  return {
    wallet: account.wallet,
    spec: request,
    basketId: null,
    filledNotional: 0,
    children: [],
    orderIds: [],
    fillIds: [],
    events: [],
    legIds: [],
    priceFrom,
    entryTrack: null,
    state: null,
    triggered,
    unwinds,
    completing: false,
    pausedSince: null,
    resumedTime: -Infinity,
    staleSince: Infinity,
    staleWarned: false,
    staleTimer: null,
    timer: null,
    watches: [],
    barHook: null,
    record: {
      execution_id: engine.nextId('exe'),
      client_execution_id: request.client_execution_id ?? null,
      idempotency_key: idempotencyKey,
      algo: request.algo,
      symbol: request.symbol,
      side: request.side,
      total_size: request.total_size,
      filled_size: 0,
      remaining_size: request.total_size,
      average_price: null,
      arrival_price: engine.market.mark(request.symbol),
      status: 'running',
      phase: 'armed',
      reason: null,
      progress: 0,
      fees: 0,
      reduce_only: request.reduce_only ?? false,
      wallet: account.wallet,
      created_time: now,
      updated_time: now,
      ended_time: null,
      request: sent,
    },
  };
}
