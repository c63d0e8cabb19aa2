import { z } from 'zod';
import { readWeight, type Budget } from '../../budget/index.ts';
import {
  errorEnvelope,
  executionRecord,
  legRecord,
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
  type WatchRow,
} from '../../contract/index.ts';
import { nextCursor } from '../../contract/nextCursor.ts';
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

export type WorkKind = Made['kind'] | 'position';

/** Why something can't be read. */
export interface Unread {
  reason: string;
  /** The service itself does not have it, or not for this key: no later attempt is answered. */
  isRefused: boolean;
}

export type Reading =
  | { ok: true; work: WorkRead }
  /** What was read of the other kinds is right; of a kind that failed, some may be missing. */
  | { ok: false; reason: string; work: WorkRead; failed: ReadonlyMap<WorkKind, Unread> };

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
  /** Whether nobody needs it any more: then nothing more is requested either. Default: never. */
  isOver?(): boolean;
  /** What is read; default: everything. */
  kinds?: readonly WorkKind[] | undefined;
  /**
   * Receives each record that can't be read, with what is read of its id; the others count. Default: a list with one can't
   * be read.
   */
  onUnreadable?: ((one: Unreadable) => void) | undefined;
}

/** A record of another shape than the contract's. */
export interface Unreadable {
  id: string | undefined;
  /** Path of the first part that does not fit. */
  field: string;
}

type Asked = Pick<ServiceRequest, 'endpoint'> &
  Partial<Pick<ServiceRequest, 'pathParams' | 'query'>>;
type Answered<T> =
  { ok: true; value: T } | ({ ok: false; isMissing?: boolean; field?: string } & Unread);

const AGAIN_MS = 250;
const NO_ROOM = 'the rate budget has no room for it';
const HELD = 'an answer asked all requests to wait';
const LATE = 'the service did not answer in time';

const EVERY_KIND: readonly WorkKind[] = ['order', 'execution', 'monitor', 'position'];
const NOT_ASKED = { ok: true, value: [] } as const;

/**
 * Reads a wallet's open records from the service: every page, and by id what the bot knows to be open, or once had
 * accepted, and is listed nowhere. A list may lag behind, and a stream may have lost a record. A kind that can't be read
 * leaves the others as they are: a service need not have monitors.
 */
export async function readWork(options: ReadWorkOptions): Promise<Reading> {
  const { kinds = EVERY_KIND } = options;
  const of = <T>(
    kind: WorkKind,
    read: () => Promise<Answered<T[]>>,
  ): Promise<Answered<T[]>> | Answered<T[]> =>
    kinds.includes(kind) ? read() : { ...NOT_ASKED, value: [] };
  const [orders, executions, monitors, positions] = await Promise.all([
    of('order', () => list(options, 'orders.list', orderRecord)),
    of('execution', () => listOf(options, 'executions.list', executionRecord, LIVE)),
    of('monitor', () => listOf(options, 'monitors.list', monitorRecord, STANDING)),
    of('position', () => list(options, 'positions.list', positionRecord)),
  ]);
  const lists = { order: orders, execution: executions, monitor: monitors, position: positions };
  const failed = new Map<WorkKind, Unread>();
  for (const kind of EVERY_KIND) {
    const one = lists[kind];
    if (!one.ok) failed.set(kind, one);
  }
  const work: WorkRead = {
    orders: orders.ok ? orders.value : [],
    executions: executions.ok ? executions.value : [],
    monitors: monitors.ok ? monitors.value : [],
    positions: positions.ok ? positions.value : [],
  };
  const listed = kinds.filter((kind) => kind !== 'position' && !failed.has(kind));
  const unknown = listed.length === 0 ? [] : await addUnlisted(options, work, listed);
  for (const [kind, reason] of unknown) failed.set(kind, { reason, isRefused: false });
  const [first] = failed.values();
  return first === undefined
    ? { ok: true, work }
    : { ok: false, reason: first.reason, work, failed };
}

/**
 * Reads the legs on a wallet's open positions, as rows of their channel; entries that follow a level are in no such list.
 */
export async function readStops(
  options: ReadWorkOptions,
): Promise<{ ok: true; rows: WatchRow[] } | ({ ok: false } & Unread)> {
  const symbols = new Set(options.known.positions.map(({ symbol }) => symbol));
  const lists = await Promise.all(
    [...symbols].map(async (symbol) => {
      const legs = await list(options, 'positions.legs', legRecord, {}, { symbol });
      if (!legs.ok) return legs.reason === NO_POSITION ? { ...NOT_ASKED, value: [] } : legs;
      const rows = legs.value.map((leg): WatchRow => {
        const { resolution } = leg;
        const price = resolution?.trigger_price;
        return { ...leg, watch_kind: 'leg', symbol, trigger_price: price ?? null } as WatchRow;
      });
      return { ok: true as const, value: rows };
    }),
  );
  const rows: WatchRow[] = [];
  for (const one of lists) {
    if (!one.ok) return one;
    rows.push(...one.value);
  }
  return { ok: true, rows };
}

/** @returns why the state of one of a kind can't be determined, by the kind */
async function addUnlisted(
  options: ReadWorkOptions,
  work: WorkRead,
  kinds: readonly WorkKind[],
): Promise<ReadonlyMap<Made['kind'], string>> {
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
    if (!found.ok && found.field !== undefined && options.onUnreadable !== undefined) {
      options.onUnreadable({ id, field: found.field });
      return undefined;
    }
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
  const reasons = new Map<Made['kind'], string>();
  const lookAll = async <T extends { status: string }>(
    kind: Made['kind'],
    shape: z.ZodType<T>,
    into: T[],
  ): Promise<void> => {
    if (!kinds.includes(kind)) return;
    const found = await Promise.all(idsOf(kind).map((id) => look(kind, id, shape, into)));
    const reason = found.find((one) => one !== undefined);
    if (reason !== undefined) reasons.set(kind, reason);
  };
  await Promise.all([
    lookAll('order', orderRecord, work.orders),
    lookAll('execution', executionRecord, work.executions),
    lookAll('monitor', monitorRecord, work.monitors),
  ]);
  return reasons;
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
  pathParams: Readonly<Record<string, string>> = {},
): Promise<Answered<Array<z.infer<T>>>> {
  const items: Array<z.infer<T>> = [];
  const limit = options.dialect.limits.pageMax;
  for (let cursor: string | null | undefined; cursor !== null;) {
    const asked = { ...query, limit, ...(cursor === undefined ? {} : { cursor }) };
    const shape = options.onUnreadable === undefined ? page(item) : page(z.unknown());
    const next = await ask(options, { endpoint, pathParams, query: asked }, shape);
    if (!next.ok) return next;
    for (const one of next.value.items) {
      // Checked already where all of them have to be right.
      const read = options.onUnreadable === undefined ? undefined : item.safeParse(one);
      if (read?.success !== false) items.push((read?.data ?? one) as z.infer<T>);
      else options.onUnreadable?.({ id: idIn(one, endpoint), field: fieldOf(read.error) });
    }
    cursor = nextCursor(next.value) ?? null;
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
    if (leftMs <= 0 || options.isOver?.() === true) {
      return { ok: false, reason: last, isRefused: false };
    }
    const admission = budget.admit('lookup', weight);
    if (admission.admitted) {
      budget.spend(weight, 'lookup');
      const request = { pathParams: {}, query: {}, body: '', wallet, ...asked };
      const exchange = await atMost(env.timers, options.request(request), leftMs);
      if (exchange === undefined) return { ok: false, reason: last, isRefused: false };
      const read = toAnswer(exchange, shape);
      if (read.ok || !read.isHeld) return read;
      last = read.reason;
    } else if (admission.reason !== 'retry_after') last = NO_ROOM;
    // What was answered stays the reason as long as it is waited for.
    else if (last === LATE) last = HELD;
    await pause(env.timers, Math.min(AGAIN_MS, leftMs));
  }
}

const fieldOf = ({ issues }: z.ZodError): string => issues[0]!.path.join('.');

const LISTED: Partial<Record<EndpointId, string>> = {
  'executions.list': 'execution_id',
  'monitors.list': 'monitor_id',
  'positions.legs': 'leg_id',
};

function idIn(record: unknown, endpoint: EndpointId): string | undefined {
  const id = (record as Readonly<Record<string, unknown>> | null)?.[LISTED[endpoint] ?? ''];
  return typeof id === 'string' ? id : undefined;
}

/** Codes with which a service says that it does not have a list, or not for this key. */
const REFUSALS: readonly string[] = ['insufficient_scope', 'not_found', 'method_not_allowed'];
/** Closed since the bot saw it: there is nothing that legs could be on. */
const NO_POSITION = '404 no_position';

function toAnswer<T>(
  exchange: Exchange,
  shape: z.ZodType<T>,
): { ok: true; value: T } | (Extract<Answered<T>, { ok: false }> & { isHeld: boolean }) {
  const verdict = classify(exchange);
  if (verdict.kind === 'accepted') {
    const parsed = shape.safeParse(verdict.record);
    if (parsed.success) return { ok: true, value: parsed.data };
    const reason = 'the answer has another shape';
    return { ok: false, reason, isHeld: false, isRefused: false, field: fieldOf(parsed.error) };
  }
  if (verdict.kind !== 'rejected') {
    const isHeld = verdict.kind === 'again' || readHold(exchange) !== undefined;
    const reason = 'reason' in verdict ? verdict.reason : verdict.fault.code;
    return { ok: false, reason, isHeld, isRefused: false };
  }
  const { fault, status } = verdict;
  // A gateway's page is not an answer of the service.
  const envelope = exchange.kind === 'answered' && errorEnvelope.safeParse(exchange.response.body);
  const isOwnWord = envelope && envelope.success;
  const isMissing = status === 404 && fault.code === 'not_found' && isOwnWord;
  const isRefused = REFUSALS.includes(fault.code) && isOwnWord;
  return { ok: false, reason: `${status} ${fault.code}`, isHeld: false, isMissing, isRefused };
}
