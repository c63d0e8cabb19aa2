import { LEG_KINDS, type LegKind, type TpslRequest } from '../../contract/index.ts';
import type { EngineState } from '../engine/EngineState.ts';
import { checkUnwind, compileLeg } from '../monitors/compileLeg.ts';
import { groupMonitors } from '../monitors/controlMonitor.ts';
import { startMonitor } from '../monitors/createMonitor.ts';
import type { Account, Position } from '../venue/Account.ts';
import { legRecord, type Leg, type LegFields } from './Leg.ts';
import {
  armLeg,
  countTrails,
  createLegs,
  endLeg,
  resolveLegs,
  type ResolvedLegs,
} from './lifecycle.ts';
import { checkRows } from './maintainedRows.ts';

/** Answer of the position surface: the legs of the request, and the group of compiled monitors. */
export interface TpslAnswer {
  legs: Partial<Record<LegKind, LegFields | null>>;
  group_id: string | null;
}

/**
 * Attaches legs to a position (POS-2): coupled to its size, replacing those of the kinds given that were attached before.
 * The anchor is the current price; only what would trigger at once is refused (LEG-8).
 */
export function attachLegs(
  engine: EngineState,
  account: Account,
  position: Position,
  request: TpslRequest,
): TpslAnswer {
  const { symbol } = position;
  const positionSide = position.size > 0 ? 'long' : 'short';
  const anchorPrice = engine.market.mark(symbol);
  const context = { symbol, positionSide, anchor: 'current_price', anchorPrice } as const;
  const resolved = resolveLegs(engine, context, request);
  checkUnwinds(engine, position, resolved);
  const replaced = attachedLegs(account, symbol).filter(({ record }) => request[record.kind]);
  const freed = replaced.filter(({ record }) => record.form === 'trail').length;
  checkRows(account, countTrails(request), freed);
  for (const leg of replaced) endLeg(engine, account, leg, 'retired');
  const owner = { symbol, positionSide, orderId: null, executionId: null } as const;
  const legs = createLegs(engine, account, owner, resolved);
  for (const leg of legs) {
    leg.record.size = Math.abs(position.size);
    armLeg(engine, leg);
  }
  const monitors = legs
    .filter(({ record }) => record.exit_style === 'algo_unwind')
    .map((leg) => compileLeg(engine, account, leg));
  // Two compiled exits of one attach: the first that succeeds stops the other (POS-4).
  const isPair = monitors.length === 2;
  const group = isPair ? groupMonitors(engine, account, { mode: 'oco', monitors }) : null;
  // Their first frames name the group.
  for (const monitor of monitors) startMonitor(engine, account, monitor);
  return toAnswer(legs, group?.group_id);
}

function checkUnwinds(engine: EngineState, position: Position, resolved: ResolvedLegs): void {
  const { symbol } = position;
  const size = Math.abs(position.size);
  for (const kind of LEG_KINDS) {
    const leg = resolved[kind];
    if (leg?.spec.exit_style !== 'algo_unwind') continue;
    checkUnwind(engine, { symbol, size, spec: leg.spec, resolution: leg.resolution });
  }
}

/** Retires what is attached to the position itself; legs of orders and launches stay (DECISIONS.md 286). */
export function retireLegs(engine: EngineState, account: Account, symbol: string): TpslAnswer {
  const legs = attachedLegs(account, symbol);
  for (const leg of legs) endLeg(engine, account, leg, 'retired');
  return toAnswer(legs);
}

function attachedLegs(account: Account, symbol: string): Leg[] {
  return [...account.liveLegs.values()].filter(
    ({ record }) => record.coupled && record.symbol === symbol,
  );
}

function toAnswer(legs: readonly Leg[], groupId: string | null = null): TpslAnswer {
  const ofKind = (kind: LegKind): LegFields | null => {
    const leg = legs.find(({ record }) => record.kind === kind);
    return leg === undefined ? null : legRecord(leg);
  };
  return {
    legs: Object.fromEntries(LEG_KINDS.map((kind) => [kind, ofKind(kind)])),
    group_id: groupId,
  };
}
