import {
  ENDED_ORDERS,
  isMonitorOver,
  type ExecutionRecord,
  type FillRecord,
  type MonitorRecord,
  type OrderRecord,
} from '../../contract/index.ts';
import { sumSizes, type SizeSum } from '../../contract/sizes.ts';
import type { Intent } from '../../intents/index.ts';
import type { Outcome, OutcomeState } from '../Outcome.ts';
import type { RefNews } from './RefEvent.ts';

/**
 * Everything known of the intent with a `ref`. It does not depend on whether its outcome, its order frames and
 * its fills arrived in one order or another.
 */
export interface RefState {
  readonly ref: string;
  /** Of its last outcome; undefined as long as there is none. */
  readonly state: OutcomeState | undefined;
  readonly outcome: Outcome | undefined;
  /** The order that it placed, as last shown. */
  readonly order: OrderRecord | null;
  /** The execution that it launched, or those of its basket, in the order of their ids. */
  readonly executions: readonly ExecutionRecord[];
  readonly monitor: MonitorRecord | null;
  /** Oldest first. Those of an earlier process are missing; `filled` counts them if a record shows them. */
  readonly fills: readonly FillRecord[];
  /** Base units: of the order or the executions, else as requested; 0 if the intent trades nothing. */
  readonly size: number;
  /** Base units: the sum of its fills, or what its records report if that is more. */
  readonly filled: number;
  /** Base units: `size` less `filled`, never below 0. If it `ended`, this much was never filled. */
  readonly remaining: number;
  /** Nothing of it can trade or fire any more. */
  readonly ended: boolean;
}

const ENDED_EXECUTIONS: readonly string[] = ['completed', 'stopped'];
/** Of a completed execution: nothing was left of it. One that is marked complete has ended with what it had. */
const FILLED_REASONS: readonly ExecutionRecord['reason'][] = ['filled', 'complete_at_market'];
const NEVER_SENT: readonly (OutcomeState | undefined)[] = [
  'denied',
  'rejected',
  'expired',
  'absent',
];
const SETTLED: readonly (OutcomeState | undefined)[] = [...NEVER_SENT, 'accepted'];
/** They act on what there is already: once the service has taken them, nothing more comes of them. */
const CONTROLS: readonly (Intent['kind'] | undefined)[] = [
  'modify_order',
  'cancel_order',
  'bulk_cancel',
  'retire_tpsl',
  'control_execution',
  'set_leverage',
  'pause_monitor',
  'stop_monitor',
];
/** Their record may come after the answer. */
const MAKERS: readonly (Intent['kind'] | undefined)[] = [
  'place_order',
  'launch',
  'launch_basket',
  'create_monitor',
  'close_position',
];

/** A change of a ref's state, and what made it. */
export interface RefChange {
  ref: string;
  news: RefNews;
  state: RefState;
}

/** Parts of the state as they arrive. */
export interface RefParts {
  readonly ref: string;
  outcome: Outcome | undefined;
  order: OrderRecord | null;
  monitor: MonitorRecord | null;
  readonly executions: Map<string, ExecutionRecord>;
  readonly fills: Map<string, FillRecord>;
  readonly gone: Set<string>;
}

export function createRefParts(ref: string): RefParts {
  return {
    ref,
    outcome: undefined,
    order: null,
    monitor: null,
    executions: new Map(),
    fills: new Map(),
    gone: new Set(),
  };
}

/** @returns whether something changed */
export function applyRefNews(parts: RefParts, news: RefNews): boolean {
  switch (news.kind) {
    case 'outcome': {
      // The same decision made again is not executed again: what became of the first stays.
      if (parts.outcome !== undefined && news.outcome.state === 'duplicate') return false;
      parts.outcome = news.outcome;
      return true;
    }
    case 'order': {
      const { order, answered } = news;
      if (!isNewer(parts.order, order, ENDED_ORDERS, answered)) return false;
      parts.order = order;
      parts.gone.delete(order.order_id);
      return true;
    }
    case 'execution': {
      const { execution, answered } = news;
      const id = keyOf(execution);
      if (!isNewer(parts.executions.get(id) ?? null, execution, ENDED_EXECUTIONS, answered))
        return false;
      parts.executions.set(id, execution);
      parts.gone.delete(execution.execution_id);
      return true;
    }
    case 'monitor': {
      // A monitor's record has no time of change: a frame is newer than an answer, and a later one than an earlier.
      if (news.answered === true && parts.monitor !== null) return false;
      parts.monitor = news.monitor;
      parts.gone.delete(news.monitor.monitor_id);
      return true;
    }
    case 'fill': {
      if (parts.fills.has(news.fill.fill_id)) return false;
      parts.fills.set(news.fill.fill_id, news.fill);
      return true;
    }
    default:
      if (parts.gone.has(news.id)) return false;
      parts.gone.add(news.id);
      return true;
  }
}

/** A client id stays if the service gives an execution another id. */
const keyOf = (execution: ExecutionRecord): string =>
  execution.client_execution_id ?? execution.execution_id;

interface Cumulative {
  status: string;
  filled_size: number;
  updated_time: number;
}

/** What has ended does not work again, and what was filled stays filled; else the later record counts. */
function isNewer(
  known: Cumulative | null,
  next: Cumulative,
  ended: readonly string[],
  answered: true | undefined,
): boolean {
  if (known === null) return true;
  const byEnd = Number(ended.includes(next.status)) - Number(ended.includes(known.status));
  if (byEnd !== 0) return byEnd > 0;
  if (next.filled_size !== known.filled_size) return next.filled_size > known.filled_size;
  if (next.updated_time !== known.updated_time) return next.updated_time > known.updated_time;
  return answered !== true;
}

/** The state that the parts amount to. */
export function toRefState(parts: RefParts): RefState {
  const { ref, outcome, order, monitor } = parts;
  const executions = [...parts.executions.values()].toSorted((a, b) =>
    a.execution_id < b.execution_id ? -1 : 1,
  );
  const fills = [...parts.fills.values()].toSorted(
    (a, b) => a.time - b.time || (a.fill_id < b.fill_id ? -1 : 1),
  );
  const { size, dust } = sizeOf(parts, executions);
  const counted = sumSizes(fills.map((fill) => fill.size));
  const reported =
    order === null
      ? sumSizes(executions.map((each) => each.filled_size))
      : exactly(order.filled_size);
  const isAhead = counted.size - reported.size > counted.dust + reported.dust;
  const { size: filled, dust: rounding } = isAhead ? counted : reported;
  const left = size - filled;
  // A last step that is left still rests: only the rounding of sums is nothing.
  const isDone = isCalledFilled(parts, executions) || left <= dust + rounding;
  const remaining = isDone ? 0 : left;
  const ended = hasEnded(parts, executions, size > 0 && remaining === 0);
  const state = outcome?.state;
  return {
    ref,
    state,
    outcome,
    order,
    executions,
    monitor,
    fills,
    size,
    filled,
    remaining,
    ended,
  };
}

/** A number that stands as it was written. */
const exactly = (size: number): SizeSum => ({ size, dust: 0 });

function sizeOf({ outcome, order }: RefParts, executions: readonly ExecutionRecord[]): SizeSum {
  if (order !== null) return exactly(order.size);
  const intent = outcome?.intent;
  // The legs of a basket are shown one after the other.
  const legs = intent?.kind === 'launch_basket' ? (intent.request.legs ?? []) : [];
  const asked = sumSizes(legs.map((leg) => leg.total_size));
  const shown = sumSizes(executions.map((each) => each.total_size));
  if (asked.size > 0 || shown.size > 0) return asked.size > shown.size ? asked : shown;
  if (intent?.kind === 'place_order') return exactly(intent.request.size);
  if (intent?.kind === 'launch') return exactly(intent.request.total_size);
  return exactly(0);
}

/** Whether the service says so, in whose own sum a double's last digits may be missing. */
function isCalledFilled({ outcome, order }: RefParts, shown: readonly ExecutionRecord[]): boolean {
  if (order !== null) return order.status === 'filled';
  return (
    isWhole(outcome, shown) &&
    shown.every(({ status, reason }) => status === 'completed' && FILLED_REASONS.includes(reason))
  );
}

/** Whether each execution that was launched is shown. */
function isWhole(outcome: Outcome | undefined, shown: readonly ExecutionRecord[]): boolean {
  const legs = outcome?.intent.kind === 'launch_basket' ? outcome.intent.request.legs?.length : 1;
  return shown.length >= (legs ?? 1);
}

function hasEnded(
  { outcome, order, monitor, gone }: RefParts,
  shown: readonly ExecutionRecord[],
  isFilled: boolean,
): boolean {
  if (isFilled || NEVER_SENT.includes(outcome?.state)) return true;
  if (outcome?.state === 'accepted' && CONTROLS.includes(outcome.intent.kind)) return true;
  if (order !== null) return ENDED_ORDERS.includes(order.status) || gone.has(order.order_id);
  if (monitor !== null) return isMonitorOver(monitor) || gone.has(monitor.monitor_id);
  if (shown.length === 0) return gone.size > 0;
  return (
    isWhole(outcome, shown) &&
    shown.every(({ status, execution_id: id }) => ENDED_EXECUTIONS.includes(status) || gone.has(id))
  );
}

/** Whether more may come of it, or of what it has made; a control, and what is attached to a position, makes nothing. */
export function isPending(parts: RefParts): boolean {
  const { outcome, order, monitor, executions } = parts;
  if (!SETTLED.includes(outcome?.state)) return true;
  if (order === null && monitor === null && executions.size === 0) {
    return outcome?.state === 'accepted' && MAKERS.includes(outcome.intent.kind);
  }
  return !toRefState(parts).ended;
}

/** The events that bring another one to the same state. */
export function* newsOf(parts: RefParts): Generator<RefNews> {
  if (parts.outcome !== undefined) yield { kind: 'outcome', outcome: parts.outcome };
  if (parts.order !== null) yield { kind: 'order', order: parts.order };
  if (parts.monitor !== null) yield { kind: 'monitor', monitor: parts.monitor };
  for (const execution of parts.executions.values()) yield { kind: 'execution', execution };
  for (const fill of parts.fills.values()) yield { kind: 'fill', fill };
  for (const id of parts.gone) yield { kind: 'gone', id };
}
