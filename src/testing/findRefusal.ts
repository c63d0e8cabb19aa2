import { isSpot, LEG_KINDS, type ErrorCode, type MonitorRecord } from '../contract/index.ts';
import type { Intent, TargetKind } from '../intents/index.ts';
import { targetMadeBy } from '../intents/targetMadeBy.ts';
import type { OutcomeState } from '../strategy/index.ts';
import type { TestedIntent } from './TestedIntent.ts';
import { isOpen, type OrderWork, type Work, type WorkContext } from './Work.ts';

/** What becomes of an intent that the service, or the bot before it, would not accept. */
export type Refusal = (
  | { state: 'rejected'; why: ErrorCode }
  /** A ref that names nothing makes no request, nor does an action that its symbol does not have. */
  | { state: 'denied'; why: 'request' }
  /** It goes out once what it controls has an id. */
  | { state: 'deferred'; why: string }
) & {
  because: string;
  /** The test knows of nothing under that name. */
  isMissing?: boolean;
};

/** What a test knows of what intents became. */
export interface Known {
  /** The intents that were sent. */
  intents: readonly TestedIntent[];
  stateOf(intent: TestedIntent): OutcomeState | undefined;
  workOf(intent: TestedIntent): Work | undefined;
  monitorOf(intent: TestedIntent): MonitorRecord | undefined;
  /** The order that a change or a cancel is about. */
  orderOf(intent: TestedIntent): OrderWork | undefined;
  position: WorkContext['position'];
}

/** After these the service has nothing of an intent. */
const NOTHING: ReadonlySet<OutcomeState | undefined> = new Set([
  'denied',
  'rejected',
  'expired',
  'absent',
]);

/** Why the service would refuse an intent now, as the paper service does; undefined if it would accept it. */
export function findRefusal(intent: TestedIntent, known: Known): Refusal | undefined {
  switch (intent.kind) {
    case 'cancel_order':
    case 'modify_order':
      return ofOrder(intent, known);
    case 'control_execution':
      return ofExecution(intent, known);
    case 'pause_monitor':
    case 'stop_monitor':
      return ofMonitor(intent, known);
    case 'close_position':
      return ofPosition(intent, known);
    case 'attach_tpsl':
      return ofSpot(intent) ?? ofPosition(intent, known);
    case 'retire_tpsl':
      return ofSpot(intent);
    case 'place_order':
      return ofLegs(intent.request) ?? ofReduceOnly(intent.request, known);
    case 'launch':
      return ofLegs(intent.request);
    default:
      return undefined;
  }
}

type Of<K extends Intent['kind']> = Extract<TestedIntent, { kind: K }>;

const noPosition = (because: string): Refusal => ({
  state: 'rejected',
  why: 'no_position',
  because,
});
const invalid = (because: string): Refusal => ({
  state: 'rejected',
  why: 'invalid_transition',
  because,
});

const denied = (because: string): Refusal => ({ state: 'denied', why: 'request', because });

function ofPosition({ symbol }: { symbol: string }, known: Known): Refusal | undefined {
  return known.position(symbol) === null
    ? noPosition(`there is no position on ${symbol}`)
    : undefined;
}

/** The bot makes no request for legs of a holding. */
function ofSpot({ symbol }: { symbol: string }): Refusal | undefined {
  return isSpot(symbol) ? denied(`${symbol} is spot and has no legs`) : undefined;
}

/** Legs protect what an order opens: one that only closes takes none, and a sale of spot opens nothing. */
function ofLegs(request: Of<'place_order' | 'launch'>['request']): Refusal | undefined {
  const { symbol, side, reduce_only } = request;
  const leg = LEG_KINDS.find((kind) => request[kind] !== undefined);
  if (leg === undefined || (reduce_only !== true && !(isSpot(symbol) && side === 'sell'))) {
    return undefined;
  }
  const because = `a ${side} of ${symbol} that opens nothing takes no ${leg}`;
  return { state: 'rejected', why: 'validation_failed', because };
}

function ofReduceOnly(
  { symbol, side, reduce_only }: Of<'place_order'>['request'],
  { position }: Known,
): Refusal | undefined {
  if (reduce_only !== true) return undefined;
  const held = position(symbol);
  if (held !== null && (held.side === 'long') === (side === 'sell')) return undefined;
  return noPosition(`a reduce-only ${side} of ${symbol} has no position to reduce`);
}

function ofOrder(intent: Of<'cancel_order' | 'modify_order'>, known: Known): Refusal | undefined {
  const found = known.orderOf(intent);
  if (found === undefined) return ofMissing('order', intent.order.ref, known, intent);
  const { order } = found;
  if (!isOpen(found)) return invalid(`its order is ${order.status}`);
  if (intent.kind === 'cancel_order') return undefined;
  if (found.isTracked) {
    const because = 'its order follows a level';
    return { state: 'rejected', why: 'tracked_entry_immutable', because };
  }
  if (order.order_type === 'market') return invalid('a market order has no price to change');
  const { size } = intent.change as { size?: number };
  if (size === undefined || size > order.filled_size) return undefined;
  const because = `${order.filled_size} of its order are filled already`;
  return { state: 'rejected', why: 'validation_failed', because };
}

function ofExecution(intent: Of<'control_execution'>, known: Known): Refusal | undefined {
  const { execution_id: id, ref } = intent.execution;
  const works = known.intents.flatMap((sent) => known.workOf(sent) ?? []);
  const made = makerOf('execution', ref, known, intent);
  const found = works.findLast(
    (work) =>
      work.kind === 'execution' && (work.execution.execution_id === id || work.intent === made),
  );
  if (found?.kind !== 'execution') return ofMissing('execution', ref, known, intent);
  if (found.isGone === true) return invalid('its execution is gone');
  return isOpen(found) ? undefined : invalid(`its execution is ${found.execution.status}`);
}

function ofMonitor(
  intent: Of<'pause_monitor' | 'stop_monitor'>,
  known: Known,
): Refusal | undefined {
  const { monitor_id: id, ref } = intent.monitor;
  const made = makerOf('monitor', ref, known, intent);
  const found = known.intents.findLast((sent) => {
    const monitor = known.monitorOf(sent);
    return monitor !== undefined && (monitor.monitor_id === id || sent === made);
  });
  if (found === undefined) return ofMissing('monitor', ref, known, intent);
  const { status } = known.monitorOf(found)!;
  const isAllowed = intent.kind === 'stop_monitor' ? status !== 'stopped' : status === 'armed';
  return isAllowed ? undefined : invalid(`its monitor is ${status}`);
}

/** The newest intent before one that names a ref, of those that made what it names, or may have made it. */
export function makerOf(
  kind: TargetKind,
  ref: string | undefined,
  { intents, stateOf }: Pick<Known, 'intents' | 'stateOf'>,
  by: TestedIntent,
): TestedIntent | undefined {
  if (ref === undefined) return undefined;
  return intents
    .slice(0, intents.indexOf(by))
    .findLast(
      (sent) => sent.ref === ref && targetMadeBy(sent) === kind && !NOTHING.has(stateOf(sent)),
    );
}

/** The service's own ids may be of an earlier process, as may an order without an answer, which has its client id. */
function ofMissing(
  kind: TargetKind,
  ref: string | undefined,
  known: Known,
  by: TestedIntent,
): Refusal | undefined {
  if (ref === undefined) return undefined;
  const maker = makerOf(kind, ref, known, by);
  if (maker === undefined) return ofNothing(kind, ref, known);
  if (kind === 'order') return undefined;
  const state = known.stateOf(maker);
  // A record that the test gave may name what the test does not show.
  if (state === 'accepted' && maker.kind !== 'launch_basket') return undefined;
  if (state === 'accepted' || state === 'unresolved') {
    return denied(`${maker.kind} ${ref} names no ${kind}`);
  }
  const why = 'what it controls has no answer yet';
  return { state: 'deferred', why, because: `${maker.kind} ${ref} has no answer yet` };
}

/** A ref that names nothing of its kind; an order that was refused is looked for by its client id. */
function ofNothing(kind: TargetKind, ref: string, known: Known): Refusal {
  const refused = known.intents.findLast((sent) => sent.ref === ref && targetMadeBy(sent) === kind);
  if (refused === undefined || kind !== 'order') {
    return { ...denied(`no ${kind} is known by the ref ${ref}`), isMissing: true };
  }
  const because = `${refused.kind} ${ref} was ${known.stateOf(refused)}`;
  return { state: 'rejected', why: 'not_found', because, isMissing: true };
}
