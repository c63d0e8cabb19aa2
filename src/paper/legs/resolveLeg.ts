import { offsetPrice, PERCENT } from '../../contract/bounds.ts';
import {
  formOf,
  toPlainDecimal,
  type EntryLeg,
  type IndicatorRead,
  type LegKind,
  type PositionLeg,
  type TpSlTrailSpec,
} from '../../contract/index.ts';
import { ServiceError } from '../core/ServiceError.ts';
import type { EngineState } from '../engine/EngineState.ts';
import { withinField } from '../engine/withinField.ts';
import type { ReadResult, ReadSpec } from '../market/IndicatorReads.ts';
import { resolvedPrice } from '../venue/checkGrid.ts';
import type { LegResolution } from './Leg.ts';

/** What a leg is resolved against. */
export interface LegContext {
  symbol: string;
  kind: LegKind;
  positionSide: 'long' | 'short';
  anchor: 'entry' | 'current_price';
  anchorPrice: number;
}

/** −1 if the trigger is below the price: a long's stop, a short's take-profit. */
export function directionOf({
  kind,
  positionSide,
}: Pick<LegContext, 'kind' | 'positionSide'>): 1 | -1 {
  return (kind === 'stop_loss') === (positionSide === 'long') ? -1 : 1;
}

/**
 * Resolves a leg to its trigger (LEG-2 to LEG-4, LEG-7). A price that the user sends, which is on the grid, is not
 * changed; a computed price is the nearest valid one.
 */
export function resolveLeg(
  engine: EngineState,
  context: LegContext,
  spec: EntryLeg | PositionLeg,
): LegResolution {
  const { symbol } = context;
  const { instrument } = engine.market.at(symbol);
  if (spec.price !== undefined) return toResolution(context, null, spec.price);
  const read = withinField(`${context.kind}.${formOf(spec)}`, () => {
    // A trail by percent reads no bars now but needs them later, so it is refused before anything is done.
    if (spec.trail !== undefined) engine.market.nextCloseTime(symbol, spec.trail.interval);
    return readOf(engine, symbol, spec);
  });
  const raw = triggerOf(context, spec, { read, reference: context.anchorPrice });
  const resolution = toResolution(context, read, resolvedPrice(context.kind, raw, instrument));
  const interval = spec.trail?.interval ?? resolution.interval;
  return { ...resolution, interval };
}

/**
 * Checks the side and never clamps (LEG-8): a trigger that is not beyond the anchor on the leg's side is
 * refused.
 */
export function checkSide(context: LegContext, { trigger_price: trigger }: LegResolution): void {
  if (directionOf(context) * (trigger - context.anchorPrice) > 0) return;
  throw new ServiceError('wrong_side_trigger', {
    message: wrongSide(context, trigger),
    details: { resolved_value: trigger, anchor_price: context.anchorPrice, leg: context.kind },
  });
}

function wrongSide(context: LegContext, trigger: number): string {
  const { kind, positionSide, symbol, anchor, anchorPrice } = context;
  const leg = `The ${kind.replace('_', ' ')} of a ${positionSide} ${symbol}`;
  const side = directionOf(context) < 0 ? 'below' : 'above';
  const from = anchor === 'entry' ? "the entry's price" : 'the current price (mark)';
  const [at, than] = [trigger, anchorPrice].map(toPlainDecimal);
  return `${leg} resolves at ${at}, on the wrong side: it must be ${side} ${from}, ${than}.`;
}

/**
 * The level of a trail after a bar that closed at `reference`, before the rules of tightening: null if
 * its indicator has no value yet.
 *
 * @throws ServiceError if the level is no price
 */
export function trailTarget(
  engine: EngineState,
  context: LegContext,
  trail: TpSlTrailSpec,
  reference: number,
): { read: ReadResult | null; trigger: number } {
  const spec = { trail } as EntryLeg;
  const read = readOf(engine, context.symbol, spec);
  const raw = triggerOf(context, spec, { read, reference });
  const { instrument } = engine.market.at(context.symbol);
  return { read, trigger: resolvedPrice(context.kind, raw, instrument) };
}

function readOf(
  engine: EngineState,
  symbol: string,
  spec: EntryLeg | PositionLeg,
): ReadResult | null {
  const source = spec.offset ?? spec.at ?? spec.trail;
  if (source?.indicator === undefined) return null;
  return engine.reads.read(symbol, source as IndicatorRead as ReadSpec);
}

function triggerOf(
  context: LegContext,
  spec: EntryLeg | PositionLeg,
  { read, reference }: { read: ReadResult | null; reference: number },
): number {
  const direction = directionOf(context);
  const pct = spec.trail?.pct;
  if (pct !== undefined) return offsetPrice(reference, direction * pct, PERCENT);
  const mult = spec.offset?.mult ?? spec.trail?.mult;
  const value = read!.indicator_value;
  return mult === undefined ? value : reference + direction * mult * value;
}

function toResolution(
  context: LegContext,
  read: ReadResult | null,
  triggerPrice: number,
): LegResolution {
  return {
    indicator: read?.indicator ?? null,
    interval: read?.interval ?? null,
    series: read?.series ?? null,
    indicator_value: read?.indicator_value ?? null,
    bar_time: read?.bar_time ?? null,
    anchor: context.anchor,
    anchor_price: context.anchorPrice,
    trigger_price: triggerPrice,
  };
}
