import type { z } from 'zod';
import { readWeight, type Budget } from '../../budget/index.ts';
import {
  errorEnvelope,
  executionRecord,
  monitorRecord,
  orderRecord,
  page,
  positionRecord,
  type Dialect,
  type EndpointId,
  type ExecutionRecord,
  type Exchange,
  type MonitorRecord,
  type OrderRecord,
  type PositionRecord,
  type ServiceRequest,
} from '../../contract/index.ts';
import { atMost, pause, type Env } from '../../env/index.ts';
import { classify, readHold } from '../../outcomes/index.ts';
import type { Accepted } from './createAccepted.ts';
import type { Made } from './madeOf.ts';
import {
  isEnded,
  LIVE,
  ownEntries,
  ownEntryMonitors,
  ownEntryOrders,
  ownExitOrders,
  ownExits,
  type AtWork,
} from './AtWork.ts';
import { STANDING } from './openMonitors.ts';

/** What the service itself reports of a wallet when queried now. */
export interface WorkRead {
  orders: OrderRecord[];
  executions: ExecutionRecord[];
  monitors: MonitorRecord[];
  positions: PositionRecord[];
}

export type Reading = { ok: true; work: WorkRead } | { ok: false; reason: string };

export interface ReadWorkOptions {
  env: Pick<Env, 'clock' | 'timers'>;
  budget: Budget;
  dialect: Dialect;
  request(request: ServiceRequest): Exchange | Promise<Exchange>;
  accepted: Pick<Accepted, 'earlier' | 'ended' | 'isRecent' | 'isUnseen'>;
  /** What the bot itself knows to be open: from its streams, and from accepted requests. */
  known: AtWork;
  /** Whether the streams are connected, so that what they show is not of the past. */
  isConnected: boolean;
  /** Monotonic time after which nothing more is requested. */
  until: number;
}

type Asked = Pick<ServiceRequest, 'endpoint'> &
  Partial<Pick<ServiceRequest, 'pathParams' | 'query'>>;
type Answered<T> = { ok: true; value: T } | { ok: false; reason: string; isMissing?: boolean };

const AGAIN_MS = 250;
const NO_ROOM = 'the rate budget has no room for it';
const HELD = 'an answer asked all requests to wait';
const LATE = 'the service did not answer in time';

/** Reads a wallet's open records from the service: every page, and by id what the bot knows to be open, or once had
 * accepted, and is listed nowhere. A list may lag behind, and a stream may have lost a record.
 */
export async function readWork(options: ReadWorkOptions): Promise<Reading> {
  const [orders, executions, monitors, positions] = await Promise.all([
    list(options, 'orders.list', orderRecord),
    listOf(options, 'executions.list', executionRecord, LIVE),
    listOf(options, 'monitors.list', monitorRecord, STANDING),
    list(options, 'positions.list', positionRecord),
  ]);
  if (!orders.ok) return orders;
  if (!executions.ok) return executions;
  if (!monitors.ok) return monitors;
  if (!positions.ok) return positions;
  const work: WorkRead = {
    orders: orders.value,
    executions: executions.value,
    monitors: monitors.value,
    positions: positions.value,
  };
  const reason = await addUnlisted(options, work);
  return reason === undefined ? { ok: true, work } : { ok: false, reason };
}

/** @returns why the state of one of them can't be determined */
async function addUnlisted(options: ReadWorkOptions, work: WorkRead): Promise<string | undefined> {
  const { accepted, known, isConnected } = options;
  const earlier = accepted.earlier(known.wallet);
  const own: Readonly<Record<Made['kind'], readonly string[]>> = {
    order: [...ownEntryOrders(known), ...ownExitOrders(known)].map((one) => one.order_id),
    execution: [...ownEntries(known), ...ownExits(known)].map((one) => one.execution_id),
    monitor: ownEntryMonitors(known).map((one) => one.monitor_id),
  };
  const look = async <T extends { status: string }>(
    kind: Made['kind'],
    id: string,
    shape: z.ZodType<T>,
    into: T[],
  ): Promise<string | undefined> => {
    if (into.some((one) => (one as Record<string, unknown>)[`${kind}_id`] === id)) return undefined;
    const endpoint = `${kind}s.get` as const;
    const found = await ask(options, { endpoint, pathParams: { id } }, shape);
    if (!found.ok && found.isMissing !== true) return `${kind} ${id}: ${found.reason}`;
    // A service that is late may not find yet what it has just accepted.
    if (!found.ok && accepted.isRecent(id))
      return `${kind} ${id}: ${found.reason}, and just accepted`;
    const isShown = isConnected && own[kind].includes(id) && !accepted.isUnseen(id);
    if (!found.ok && isShown) return `${kind} ${id}: ${found.reason}, but its stream shows it open`;
    if (found.ok && !isEnded(kind, found.value.status)) into.push(found.value);
    else accepted.ended(id);
    return undefined;
  };
  const idsOf = (kind: Made['kind']): string[] => {
    const before = earlier.filter((made) => made.kind === kind).map(({ id }) => id);
    return [...new Set([...own[kind], ...before])];
  };
  const reasons = await Promise.all([
    ...idsOf('order').map((id) => look('order', id, orderRecord, work.orders)),
    ...idsOf('execution').map((id) => look('execution', id, executionRecord, work.executions)),
    ...idsOf('monitor').map((id) => look('monitor', id, monitorRecord, work.monitors)),
  ]);
  return reasons.find((reason) => reason !== undefined);
}

/** What has one of these statuses: without them a list has all that ever ended. */
async function listOf<T extends z.ZodType>(
  options: ReadWorkOptions,
  endpoint: EndpointId,
  item: T,
  statuses: readonly string[],
): Promise<Answered<Array<z.infer<T>>>> {
  const lists = await Promise.all(
    statuses.map((status) => list(options, endpoint, item, { status })),
  );
  const items: Array<z.infer<T>> = [];
  for (const one of lists) {
    if (!one.ok) return one;
    items.push(...one.value);
  }
  return { ok: true, value: items };
}

/** Every page of a list. */
async function list<T extends z.ZodType>(
  options: ReadWorkOptions,
  endpoint: EndpointId,
  item: T,
  query: Readonly<Record<string, string | number>> = {},
): Promise<Answered<Array<z.infer<T>>>> {
  const items: Array<z.infer<T>> = [];
  const limit = options.dialect.limits.pageMax;
  for (let cursor: string | null | undefined; cursor !== null;) {
    const asked = { ...query, limit, ...(cursor === undefined ? {} : { cursor }) };
    const next = await ask(options, { endpoint, query: asked }, page(item));
    if (!next.ok) return next;
    items.push(...next.value.items);
    cursor = next.value.next_cursor;
  }
  return { ok: true, value: items };
}

/**
 * Sends one request when the budget has room for it; a 429 is no answer, whoever wrote it. On failure the caller reads
 * everything again.
 */
async function ask<T>(
  options: ReadWorkOptions,
  asked: Asked,
  shape: z.ZodType<T>,
): Promise<Answered<T>> {
  const { env, budget, dialect, known, until } = options;
  const { wallet } = known;
  const weight = readWeight(dialect, asked);
  let last = LATE;
  for (;;) {
    const leftMs = until - env.clock.monotonicNow();
    if (leftMs <= 0) return { ok: false, reason: last };
    const admission = budget.admit('lookup', weight);
    if (admission.admitted) {
      budget.spend(weight, 'lookup');
      const request = { pathParams: {}, query: {}, body: '', wallet, ...asked };
      const exchange = await atMost(env.timers, options.request(request), leftMs);
      if (exchange === undefined) return { ok: false, reason: last };
      const read = toAnswer(exchange, shape);
      if (read.ok || !read.isHeld) return read;
      last = read.reason;
    } else if (admission.reason !== 'retry_after') last = NO_ROOM;
    // What was answered stays the reason as long as it is waited for.
    else if (last === LATE) last = HELD;
    await pause(env.timers, Math.min(AGAIN_MS, leftMs));
  }
}

function toAnswer<T>(
  exchange: Exchange,
  shape: z.ZodType<T>,
): { ok: true; value: T } | { ok: false; reason: string; isHeld: boolean; isMissing?: boolean } {
  const verdict = classify(exchange);
  if (verdict.kind === 'accepted') {
    const parsed = shape.safeParse(verdict.record);
    if (parsed.success) return { ok: true, value: parsed.data };
    return { ok: false, reason: 'the answer has another shape', isHeld: false };
  }
  if (verdict.kind !== 'rejected') {
    const isHeld = verdict.kind === 'again' || readHold(exchange) !== undefined;
    const reason = 'reason' in verdict ? verdict.reason : verdict.fault.code;
    return { ok: false, reason, isHeld };
  }
  const { fault, status } = verdict;
  // A gateway's page is not an answer of the service.
  const envelope = exchange.kind === 'answered' && errorEnvelope.safeParse(exchange.response.body);
  const isMissing = status === 404 && fault.code === 'not_found' && envelope && envelope.success;
  return { ok: false, reason: `${status} ${fault.code}`, isHeld: false, isMissing };
}
