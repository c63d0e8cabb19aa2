import { z } from 'zod';
import type { AlgoParams } from './algorithms.ts';
import { ALGO_PARAMS } from './algorithms.ts';
import { positionLeg, type PositionLeg } from './legs.ts';
import { addFault, checkShape } from './validation.ts';
import { ALGOS, LEG_KINDS, MARGIN_MODES, type AlgoId } from './vocabulary.ts';

/**
 * `POST /v1/positions/{symbol}/tpsl` (POS-2): one leg or both; kinds given replace what is attached. Legs of orders and
 * launches stay.
 */
export type TpslRequest =
  | { take_profit: PositionLeg; stop_loss?: PositionLeg }
  | { take_profit?: PositionLeg; stop_loss: PositionLeg };

export const tpslRequest = z
  .strictObject({ take_profit: positionLeg.optional(), stop_loss: positionLeg.optional() })
  .superRefine((body, ctx) => {
    if (LEG_KINDS.every((kind) => body[kind] === undefined)) {
      addFault(ctx, [], 'required', 'Send take_profit, stop_loss or both.');
    }
  }) as unknown as z.ZodType<TpslRequest>;

/** `POST /v1/positions/{symbol}/close`: by a market order, or by an algorithm. */
export type ClosePositionRequest =
  | { order_type?: 'market'; slippage_bps?: number; algo?: never; params?: never }
  | {
      [A in AlgoId]: {
        algo: A;
        params: A extends 'ghostsweep' ? Required<AlgoParams[A]> : AlgoParams[A];
        order_type?: never;
        slippage_bps?: never;
      };
    }[AlgoId];

export const closePositionRequest = z
  .strictObject({
    order_type: z.enum(['market']).optional(),
    slippage_bps: z.number().min(0).max(10_000).optional(),
    algo: z.enum(ALGOS).optional(),
    params: z.looseObject({}).optional(),
  })
  .superRefine((body, ctx) => {
    if (body.algo === undefined) {
      if (body.params !== undefined)
        addFault(ctx, ['params'], 'conflicting_field', 'Name an algo.');
      return;
    }
    for (const field of ['order_type', 'slippage_bps'] as const) {
      if (body[field] !== undefined) {
        addFault(ctx, [field], 'conflicting_field', `A close by algorithm takes no ${field}.`);
      }
    }
    const checked = checkShape<unknown>(ALGO_PARAMS[body.algo], body.params ?? {});
    for (const field of checked.ok ? [] : checked.fault.details.fields) {
      const path = field.path === '' ? [] : field.path.split('.');
      addFault(ctx, ['params', ...path], field.code, field.message);
    }
    // A launch may read its trigger from an indicator instead; a close has no field for that.
    if (body.algo === 'ghostsweep' && body.params?.['trigger_price'] === undefined) {
      addFault(ctx, ['params', 'trigger_price'], 'required', 'GhostSweep needs trigger_price.');
    }
  }) as unknown as z.ZodType<ClosePositionRequest>;

/** `PUT /v1/leverage/{symbol}`. */
export const leverageRequest = z.strictObject({
  leverage: z.number().positive(),
  mode: z.enum(MARGIN_MODES).optional(),
});
export type LeverageRequest = z.infer<typeof leverageRequest>;

/** `PATCH /v1/account/settings`. */
export const settingsRequest = z.strictObject({
  default_slippage_bps: z.number().min(0).max(10_000).optional(),
  default_leverage: z.number().positive().optional(),
});
export type SettingsRequest = z.infer<typeof settingsRequest>;
