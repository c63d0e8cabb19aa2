import { z } from 'zod';
import {
  checkDistanceRead,
  checkLevelRead,
  checkRead,
  indicatorReadFields,
  type IndicatorRead,
  type LevelRead,
} from './indicatorRead.ts';
import type { PriceIndicatorId } from './indicatorCatalogue.ts';
import { intervalSchema, type Interval } from './intervals.ts';
import { meantField } from './knownFields.ts';
import { pacemakerSeconds } from './pacemakerSeconds.ts';
import { addFault } from './validation.ts';
import { EXIT_STYLES, UNWIND_ALGOS } from './vocabulary.ts';

// ── Types: what the service would refuse for its shape does not compile. The spec's own names for
// them (LEG-12) are exported as they stand, and name the published schemas. ──────────────────────

/** Trigger = anchor ± mult × indicator value; the sign follows leg kind and side (LEG-2). */
export type TpSlOffsetSpec = { mult: number } & IndicatorRead<PriceIndicatorId | 'atr'>;

/** The trigger is the indicator level itself; price-dimensioned series only (LEG-3). */
export type TpSlAtSpec = LevelRead;

/** LEG-4 (a): `pct` in percent, 1.5 = 1.5 %. */
export interface TrailByPercent {
  pct: number;
  interval: Interval;
  min_move_bps?: number;
  indicator?: never;
  mult?: never;
  params?: never;
  series?: never;
}

/** LEG-4 (b): the trigger trails by mult × ATR. */
export type TrailByDistance = IndicatorRead<'atr'> & {
  mult: number;
  min_move_bps?: number;
  pct?: never;
};

/** LEG-4 (c): the trigger follows an indicator level. */
export type TrailByLevel = LevelRead & { min_move_bps?: number; pct?: never; mult?: never };

export type TpSlTrailSpec = TrailByPercent | TrailByDistance | TrailByLevel;

/** Parameters of an unwinding algorithm (LEG-5); which apply depends on the algorithm. */
export interface PacemakerUnwindParams {
  duration_seconds: number;
  slices?: number;
  randomize?: number;
}
export interface GlidemakerUnwindParams {
  strategy?: 'passive' | 'balanced' | 'aggressive';
}
export interface SmartExitUnwindParams {
  patience_seconds?: number;
}
export interface GhostSweepUnwindParams {
  sweep_limit_bps?: number;
}
export type UnwindParamsSpec =
  PacemakerUnwindParams | GlidemakerUnwindParams | SmartExitUnwindParams | GhostSweepUnwindParams;

export type PriceForm = {
  price: number;
  offset?: never;
  at?: never;
  trail?: never;
  min_move_bps?: never;
};
export type OffsetForm = {
  offset: TpSlOffsetSpec;
  price?: never;
  at?: never;
  trail?: never;
  min_move_bps?: never;
};
export type AtForm = {
  at: TpSlAtSpec;
  price?: never;
  offset?: never;
  trail?: never;
  min_move_bps?: never;
};
/** `min_move_bps` is in the trail or beside it, but not in both. */
export type TrailForm = { price?: never; offset?: never; at?: never } & (
  | { trail: TpSlTrailSpec; min_move_bps?: never }
  | { trail: TpSlTrailSpec & { min_move_bps?: never }; min_move_bps: number }
);

type Native = { exit_style?: 'native'; unwind_algo?: never; unwind_params?: never };
/** An algorithm that unwinds at a level too. */
export type UnwindByLevel =
  | { exit_style: 'algo_unwind'; unwind_algo: 'pacemaker'; unwind_params: PacemakerUnwindParams }
  | { exit_style: 'algo_unwind'; unwind_algo: 'glidemaker'; unwind_params?: GlidemakerUnwindParams }
  | { exit_style: 'algo_unwind'; unwind_algo: 'smartexit'; unwind_params?: SmartExitUnwindParams };
/** An algorithm that unwinds a position instead of a native order (LEG-5). */
export type Unwind =
  | UnwindByLevel
  | {
      exit_style: 'algo_unwind';
      unwind_algo: 'ghostsweep';
      unwind_params?: GhostSweepUnwindParams;
    };

/** Leg of an order or a launch: native, exactly one form (LEG-1). */
export type EntryLeg = (PriceForm | OffsetForm | AtForm | TrailForm) & Native;

/** Leg on the position surface (LEG-5): a trail can't unwind, GhostSweep can't serve `at` (LEG-9). */
export type PositionLeg = EntryLeg | ((PriceForm | OffsetForm) & Unwind) | (AtForm & UnwindByLevel);

// ── Schemas: the same refusals for plain JavaScript, YAML and the paper service ─────────────────

const bps = z.number().min(0).max(10_000);
const distance = z.number().positive();

export const tpSlOffsetSpec = z
  .strictObject({ mult: distance, ...indicatorReadFields })
  .superRefine((spec, ctx) => checkDistanceRead(ctx, spec))
  .meta({ id: 'TpSlOffsetSpec' }) as unknown as z.ZodType<TpSlOffsetSpec>;

export const tpSlAtSpec = z
  .strictObject(indicatorReadFields)
  .superRefine((spec, ctx) => checkLevelRead(ctx, spec))
  .meta({ id: 'TpSlAtSpec' }) as unknown as z.ZodType<TpSlAtSpec>;

export const tpSlTrailSpec = z
  .strictObject({
    pct: z.number().positive().lt(100).optional(),
    mult: distance.optional(),
    min_move_bps: bps.optional(),
    ...indicatorReadFields,
    indicator: indicatorReadFields.indicator.optional(),
    interval: intervalSchema,
  })
  .superRefine((trail, ctx) => {
    if (trail.pct !== undefined) {
      for (const field of ['indicator', 'mult', 'params', 'series'] as const) {
        if (trail[field] !== undefined) {
          addFault(ctx, [field], 'conflicting_form', `A percentage trail takes no ${field}.`);
        }
      }
    } else if (trail.indicator === undefined) {
      addFault(ctx, [], 'form_required', 'A trail needs pct, or an indicator.');
    } else if (trail.mult === undefined) {
      checkLevelRead(ctx, trail);
    } else if (trail.indicator === 'atr') {
      checkRead(ctx, trail);
    } else {
      const message = 'A distance trail (mult) takes the atr indicator only.';
      addFault(ctx, ['indicator'], 'distance_needs_atr', message);
    }
  })
  .meta({ id: 'TpSlTrailSpec' }) as unknown as z.ZodType<TpSlTrailSpec>;

const unwindShape = z.strictObject({
  duration_seconds: pacemakerSeconds.optional(),
  slices: z.int().min(1).max(1_000).optional(),
  randomize: z.number().min(0).max(0.5).optional(),
  strategy: z.enum(['passive', 'balanced', 'aggressive']).optional(),
  patience_seconds: z.int().min(0).max(86_400).optional(),
  sweep_limit_bps: z.number().min(0).max(10_000).optional(),
});
export const unwindParamsSpec = unwindShape.meta({
  id: 'UnwindParamsSpec',
}) as unknown as z.ZodType<UnwindParamsSpec>;

const UNWIND_FIELDS: Readonly<Record<string, readonly string[]>> = {
  pacemaker: ['duration_seconds', 'slices', 'randomize'],
  glidemaker: ['strategy'],
  smartexit: ['patience_seconds'],
  ghostsweep: ['sweep_limit_bps'],
};

const FORMS = ['price', 'offset', 'at', 'trail'] as const;

const looseLeg = z.strictObject({
  price: z.number().positive().optional(),
  offset: tpSlOffsetSpec.optional(),
  at: tpSlAtSpec.optional(),
  trail: tpSlTrailSpec.optional(),
  exit_style: z.enum(EXIT_STYLES).optional(),
  unwind_algo: z.string().optional(),
  unwind_params: unwindParamsSpec.optional(),
  min_move_bps: bps.optional(),
});
type LooseLeg = z.infer<typeof looseLeg>;
type Ctx = Pick<z.RefinementCtx, 'addIssue'>;

function checkForm(leg: LooseLeg, ctx: Ctx): void {
  const forms = FORMS.filter((form) => leg[form] !== undefined);
  if (forms.length === 0) {
    addFault(ctx, [], 'form_required', 'A leg needs one of price, offset, at, trail.');
  }
  if (forms.length > 1) {
    const message = `A leg has exactly one form; this one has ${forms.join(' and ')}.`;
    addFault(ctx, [], 'conflicting_form', message);
  }
  if (leg.min_move_bps === undefined) return;
  if (leg.trail === undefined) {
    addFault(ctx, ['min_move_bps'], 'needs_trail', 'min_move_bps belongs to a trail.');
  } else if (leg.trail.min_move_bps !== undefined) {
    addFault(
      ctx,
      ['min_move_bps'],
      'conflicting_form',
      'Send min_move_bps once: here or in trail.',
    );
  }
}

function checkNative(leg: LooseLeg, ctx: Ctx): void {
  for (const field of ['unwind_algo', 'unwind_params'] as const) {
    if (leg[field] !== undefined) {
      addFault(ctx, [field], 'needs_algo_unwind', `${field} needs exit_style: algo_unwind.`);
    }
  }
}

function checkUnwind(leg: LooseLeg, ctx: Ctx): void {
  if (leg.trail !== undefined) {
    addFault(ctx, ['trail'], 'trail_cannot_unwind', 'A trail cannot be an algo unwind.');
  }
  const algo = leg.unwind_algo;
  if (algo === undefined) {
    addFault(ctx, ['unwind_algo'], 'required', `Name one of ${UNWIND_ALGOS.join(', ')}.`);
    return;
  }
  const fields = Object.hasOwn(UNWIND_FIELDS, algo) ? UNWIND_FIELDS[algo] : undefined;
  if (fields === undefined) {
    const message = `${algo} cannot unwind a position; use one of ${UNWIND_ALGOS.join(', ')}.`;
    addFault(ctx, ['unwind_algo'], 'unsupported_unwind_algo', message);
    return;
  }
  if (algo === 'ghostsweep' && leg.at !== undefined) {
    addFault(ctx, ['at'], 'unwind_cannot_serve_level', 'GhostSweep cannot serve an `at` leg.');
  }
  for (const key of Object.keys(leg.unwind_params ?? {})) {
    if (fields.includes(key)) continue;
    const message = `${algo} takes no \`${key}\` here.${meantField(key, fields)}`;
    addFault(ctx, ['unwind_params', key], 'unknown_field', message);
  }
  const params = leg.unwind_params as PacemakerUnwindParams | undefined;
  if (algo === 'pacemaker' && params?.duration_seconds === undefined) {
    addFault(ctx, ['unwind_params', 'duration_seconds'], 'required', 'Pacemaker needs a duration.');
  }
}

/** Leg of an order or a launch; `algo_unwind` belongs to the position surface (conventions §3). */
export const entryLeg = looseLeg.superRefine((leg, ctx) => {
  checkForm(leg, ctx);
  if (leg.exit_style === 'algo_unwind') {
    const message = 'algo_unwind belongs to POST /positions/{symbol}/tpsl.';
    addFault(ctx, ['exit_style'], 'position_surface_only', message);
  } else checkNative(leg, ctx);
}) as unknown as z.ZodType<EntryLeg>;

/** Leg on the position surface (spec §2.3, §2.6). */
export const positionLeg = looseLeg.superRefine((leg, ctx) => {
  checkForm(leg, ctx);
  if (leg.exit_style === 'algo_unwind') checkUnwind(leg, ctx);
  else checkNative(leg, ctx);
}) as unknown as z.ZodType<PositionLeg>;

/** The form a leg uses. */
export function formOf(leg: EntryLeg | PositionLeg): (typeof FORMS)[number] {
  const form = FORMS.find((name) => leg[name] !== undefined);
  if (form === undefined) throw new Error('A leg without a form passed its schema.');
  return form;
}

/** `min_move_bps` of a trailing leg, wherever it was sent; undefined for the default (LEG-5). */
export function minMoveOf(leg: EntryLeg | PositionLeg): number | undefined {
  return leg.trail === undefined ? undefined : (leg.trail.min_move_bps ?? leg.min_move_bps);
}
