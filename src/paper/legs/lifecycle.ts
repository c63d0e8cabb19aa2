import {
  formOf,
  LEG_KINDS,
  type EntryLeg,
  type LegKind,
  type PositionLeg,
} from '../../contract/index.ts';
import { ServiceError } from '../core/ServiceError.ts';
import type { EngineState } from '../engine/EngineState.ts';
import type { Account } from '../venue/Account.ts';
import { snapSize } from '../../contract/sizes.ts';
import { reducible } from '../venue/fillable.ts';
import type { Fill } from '../venue/Fill.ts';
import { isOpen, type Order } from '../venue/Order.ts';
import { exitSide, isLive, type Leg, type LegResolution } from './Leg.ts';
import { publishLeg } from './publishLeg.ts';
import { checkSide, directionOf, resolveLeg, type LegContext } from './resolveLeg.ts';

/** Legs as requests carry them. */
export interface LegRequests {
  take_profit?: EntryLeg | PositionLeg | undefined;
  stop_loss?: EntryLeg | PositionLeg | undefined;
}

export type ResolvedLegs = Partial<
  Record<LegKind, { spec: EntryLeg | PositionLeg; resolution: LegResolution }>
>;

/** Resolves and checks both legs of a request before anything changes (LEG-8). */
export function resolveLegs(
  engine: EngineState,
  context: Omit<LegContext, 'kind'>,
  requests: LegRequests,
): ResolvedLegs {
  const resolved: ResolvedLegs = {};
  for (const kind of LEG_KINDS) {
    const spec = requests[kind];
    if (spec === undefined) continue;
    const resolution = resolveLeg(engine, { ...context, kind }, spec);
    checkSide({ ...context, kind }, resolution);
    resolved[kind] = { spec, resolution };
  }
  return resolved;
}

export function countTrails(requests: LegRequests): number {
  return LEG_KINDS.filter((kind) => requests[kind]?.trail !== undefined).length;
}

/** What a leg is attached to: an order, an execution, or the position itself. */
export interface LegOwner {
  symbol: string;
  positionSide: 'long' | 'short';
  orderId: string | null;
  executionId: string | null;
}

/** Records the legs as queued, as a pair where there are two. */
export function createLegs(
  engine: EngineState,
  account: Account,
  owner: LegOwner,
  resolved: ResolvedLegs,
): Leg[] {
  const legs = LEG_KINDS.flatMap((kind) => {
    const each = resolved[kind];
    return each === undefined ? [] : [createLeg(engine, account, owner, { kind, ...each })];
  });
  const [first, second] = legs;
  if (first !== undefined && second !== undefined) {
    first.siblingId = second.record.leg_id;
    second.siblingId = first.record.leg_id;
  }
  return legs;
}

function createLeg(
  engine: EngineState,
  account: Account,
  owner: LegOwner,
  made: { kind: LegKind; spec: EntryLeg | PositionLeg; resolution: LegResolution },
): Leg {
  const id = engine.nextId('leg');
  const leg: Leg = {
    wallet: account.wallet,
    spec: made.spec,
    positionSide: owner.positionSide,
    orderId: owner.orderId,
    executionId: owner.executionId,
    siblingId: null,
    createdTime: engine.market.now,
    watch: null,
    hook: null,
    record: {
      leg_id: id,
      kind: made.kind,
      symbol: owner.symbol,
      form: formOf(made.spec),
      exit_style: made.spec.exit_style ?? 'native',
      status: 'queued',
      size: null,
      coupled: owner.orderId === null && owner.executionId === null,
      resolution: made.resolution,
      monitor_id: null,
      error: null,
      request: made.spec,
    },
  };
  account.legs.add(id, leg);
  account.liveLegs.set(id, leg);
  return leg;
}

/** Arms the leg: its trigger is watched on the mark's path, a trail on closed bars. */
export function armLeg(engine: EngineState, leg: Leg): void {
  leg.record.status = 'armed';
  // The monitor to which an unwinding leg compiles watches instead.
  if (leg.record.exit_style === 'native') watchTrigger(engine, leg);
  const trail = leg.spec.trail;
  if (trail !== undefined) {
    const { symbol } = leg.record;
    const id = leg.record.leg_id!;
    leg.hook = { symbol, interval: trail.interval, topic: 'leg', wallet: leg.wallet, id };
    engine.barHooks.add(leg.hook);
  }
  publishLeg(engine, leg, 'leg_armed');
}

/** A trigger fires when the mark reaches or passes it (conventions §3). */
export function watchTrigger(engine: EngineState, leg: Leg): void {
  if (leg.watch !== null) engine.market.unwatch(leg.watch);
  const { record, positionSide } = leg;
  leg.watch = engine.market.watch({
    symbol: record.symbol,
    price: record.resolution!.trigger_price,
    side: directionOf({ kind: record.kind, positionSide }) < 0 ? 'below' : 'above',
    topic: 'leg',
    wallet: leg.wallet,
    id: record.leg_id!,
  });
}

function withdrawLeg(engine: EngineState, leg: Leg): void {
  if (leg.watch !== null) engine.market.unwatch(leg.watch);
  if (leg.hook !== null) engine.barHooks.remove(leg.hook);
  leg.watch = null;
  leg.hook = null;
}

/** Removes a leg from the market; its record remains. */
export function endLeg(
  engine: EngineState,
  account: Account,
  leg: Leg,
  status: 'triggered' | 'retired' | 'rejected',
): void {
  if (!isLive(leg)) return;
  withdrawLeg(engine, leg);
  leg.record.status = status;
  account.liveLegs.delete(leg.record.leg_id!);
  publishLeg(engine, leg, `leg_${status}`);
  engine.reactions.onLegEnded(account, leg);
}

/**
 * A fill of an entry arms its legs, or grows them to the filled size. What is armed stays where it is when more
 * fills; what the last fill could not arm retires.
 */
export function fillQueuedLegs(
  engine: EngineState,
  account: Account,
  order: Order,
  fill: Fill,
): void {
  const { size_decimals: decimals } = engine.market.instrument(order.record.symbol)!;
  for (const id of order.legIds) {
    const leg = account.liveLegs.get(id);
    if (leg === undefined) continue;
    leg.record.size = snapSize(order.record.filled_size, decimals);
    // An entry that reverses a position closes the other side first; its legs wait for their own side.
    if (leg.record.status !== 'queued' || protectedSize(account, leg) <= 0) continue;
    // The average has fills of before, whose position may have been closed.
    if (isResolvedAtFill(leg, fill) && !resolveAgain(engine, account, leg, fill.price)) continue;
    armLeg(engine, leg);
  }
  if (!isOpen(order)) releaseQueuedLegs(engine, account, order);
}

/**
 * A leg stays as it was resolved if the entry got the price that it was resolved with (LEG-7). A trail starts from
 * the fill, not from an old bar.
 */
const isResolvedAtFill = ({ record }: Leg, { price }: Fill): boolean =>
  record.form === 'trail' || record.resolution!.anchor_price !== price;

/** Anchors a queued leg to its entry; rejects it and returns false if it is invalid now (EXE-3). */
export function resolveAgain(
  engine: EngineState,
  account: Account,
  leg: Leg,
  entryPrice: number,
): boolean {
  const { record, positionSide } = leg;
  const { symbol, kind } = record;
  const context = { symbol, kind, positionSide, anchor: 'entry', anchorPrice: entryPrice } as const;
  try {
    record.resolution = resolveLeg(engine, context, leg.spec);
    checkSide(context, record.resolution);
    return true;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    record.error = { code: error.code, message: error.message, details: error.details };
    endLeg(engine, account, leg, 'rejected');
    return false;
  }
}

/** An entry that ends without a fill retires its legs. */
export function releaseQueuedLegs(engine: EngineState, account: Account, order: Order): void {
  for (const id of order.legIds) {
    const leg = account.liveLegs.get(id);
    if (leg?.record.status === 'queued') endLeg(engine, account, leg, 'retired');
  }
}

/**
 * A native leg of the position follows its size; no leg has anything to protect once the position is
 * closed or reversed (POS-2). The action of an unwinding leg was frozen at attach (POS-5). The leg of an entry that is
 * still open waits for its next fill, which would be unprotected without it.
 */
export function retireWithPosition(engine: EngineState, account: Account, symbol: string): void {
  if (account.liveLegs.size === 0) return;
  for (const leg of account.liveLegs.values()) {
    const { record } = leg;
    if (record.symbol !== symbol || record.status !== 'armed') continue;
    const size = protectedSize(account, leg);
    if (size <= 0 && account.openOrders.has(leg.orderId ?? '')) queueAgain(engine, leg);
    else if (size <= 0) endLeg(engine, account, leg, 'retired');
    else if (record.coupled && record.exit_style === 'native') record.size = size;
  }
}

/** Its row retires, as nothing of it is in the market; its record waits for the entry's next fill. */
function queueAgain(engine: EngineState, leg: Leg): void {
  withdrawLeg(engine, leg);
  leg.record.status = 'queued';
  publishLeg(engine, leg, 'leg_retired');
}

/** Size of the position that the leg would close; 0 if there is none on its side. */
const protectedSize = (account: Account, { record, positionSide }: Leg): number =>
  reducible(account, { symbol: record.symbol, side: exitSide(positionSide) });
