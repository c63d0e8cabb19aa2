import { z } from 'zod';
import { entryPriceSpec, type EntryPriceSpec } from './entryPrice.ts';
import { positive } from './identifiers.ts';
import { pacemakerSeconds, publishPacemakerMinimum } from './pacemakerSeconds.ts';
import { addFault } from './validation.ts';
import { ALGOS, UNWIND_ALGOS, type AlgoId } from './vocabulary.ts';

export type GlidemakerStrategy = 'passive' | 'balanced' | 'aggressive';

/**
 * Works the size with post-only orders at the best price of its side, never past the limit, which may follow an
 * indicator's level (EXE-5). `passive` joins the best price, `balanced` improves it by one tick where the spread
 * allows, `aggressive` improves it too and crosses what has rested longer than one bar.
 */
export type GlidemakerParams = { strategy: GlidemakerStrategy } & (
  | { limit_price: number; limit_price_from?: never }
  | { limit_price_from: EntryPriceSpec; limit_price?: never }
);

/**
 * Time-weighted slices over `duration_seconds` (from the service's minimum, 60 by default, to 86,400). `slices` is 1 to
 * 1,000; by default one a minute, fewer where they would be too small. `randomize` (0 to 0.5, 0 by default) delays each
 * by up to this part of a step.
 */
export interface PacemakerParams {
  duration_seconds: number;
  slices?: number;
  randomize?: number;
  limit_price?: number;
}

/** The trigger is here, or in the launch's `trigger_from`. */
export interface GhostSweepParams {
  trigger_price?: number;
}

/**
 * Never more than `participation` (0.01 to 0.5) of the volume since the start. `max_duration_seconds` is 1 to 86,400; by
 * default there is no limit.
 */
export interface FlowscaleParams {
  participation: number;
  limit_price?: number;
  max_duration_seconds?: number;
}

/** Like FlowScale, but only while the price is inside the band, edges included. `participation` is 0.1 by default. */
export interface FlowbandParams {
  band_low: number;
  band_high: number;
  participation?: number;
}

/**
 * Reduce-only; when stop or take is reached, posts for `patience_seconds` (0 to 86,400, 30 by default), then takes the
 * rest. The stop may follow an indicator's level (EXE-5).
 */
export type SmartExitParams = { take_price?: number; patience_seconds?: number } & (
  | { stop_price: number; stop_price_from?: never }
  | { stop_price_from: EntryPriceSpec; stop_price?: never }
);

export interface AlgoParams {
  glidemaker: GlidemakerParams;
  pacemaker: PacemakerParams;
  ghostsweep: GhostSweepParams;
  flowscale: FlowscaleParams;
  flowband: FlowbandParams;
  smartexit: SmartExitParams;
}

type Ctx = Pick<z.RefinementCtx, 'addIssue'>;

function exactlyOne<T extends object>(
  ctx: Ctx,
  value: T,
  a: keyof T & string,
  b: keyof T & string,
) {
  const sent = [a, b].filter((field) => value[field as keyof T] !== undefined);
  if (sent.length === 0) addFault(ctx, [a], 'required', `Send ${a} or ${b}.`);
  if (sent.length === 2) addFault(ctx, [b], 'conflicting_field', `Send ${a} or ${b}, not both.`);
}

const participation = z.number().min(0.01).max(0.5);
const seconds = z.int().max(86_400);

const schemas = {
  glidemaker: z
    .strictObject({
      strategy: z.enum(['passive', 'balanced', 'aggressive']),
      limit_price: positive.optional(),
      limit_price_from: entryPriceSpec.optional(),
    })
    .superRefine((params, ctx) => exactlyOne(ctx, params, 'limit_price', 'limit_price_from')),
  pacemaker: z.strictObject({
    duration_seconds: pacemakerSeconds,
    slices: z.int().min(1).max(1_000).optional(),
    randomize: z.number().min(0).max(0.5).optional(),
    limit_price: positive.optional(),
  }),
  ghostsweep: z.strictObject({ trigger_price: positive.optional() }),
  flowscale: z.strictObject({
    participation,
    limit_price: positive.optional(),
    max_duration_seconds: seconds.min(1).optional(),
  }),
  flowband: z
    .strictObject({
      band_low: positive,
      band_high: positive,
      participation: participation.optional(),
    })
    .superRefine((params, ctx) => {
      if (params.band_low >= params.band_high) {
        addFault(ctx, ['band_high'], 'range', 'band_high must be above band_low.');
      }
    }),
  smartexit: z
    .strictObject({
      stop_price: positive.optional(),
      stop_price_from: entryPriceSpec.optional(),
      take_price: positive.optional(),
      patience_seconds: seconds.min(0).optional(),
    })
    .superRefine((params, ctx) => exactlyOne(ctx, params, 'stop_price', 'stop_price_from')),
};

/** Schema of each algorithm's `params`. */
export const ALGO_PARAMS = schemas as unknown as { [A in AlgoId]: z.ZodType<AlgoParams[A]> };

/** Defaults that the service applies; the request itself keeps what was sent (RULE-1). */
export const ALGO_DEFAULTS = {
  flowbandParticipation: 0.1,
  smartExitPatienceSeconds: 30,
  sweepLimitBps: 100,
  glidemakerUnwindStrategy: 'aggressive' as GlidemakerStrategy,
  /** Price bound of an unwinding Glidemaker: the trigger ± 1 %. */
  glidemakerUnwindBoundFraction: 0.01,
} as const;

/** What an algorithm supports, beyond its params (`GET /algos`). */
export interface AlgoSupport {
  unwind: boolean;
  trigger_from: boolean;
  limit_price_from: boolean;
  stop_price_from: boolean;
  needs_reduce_only: boolean;
  algo_minimum: boolean;
}

const NAMES: Readonly<Record<AlgoId, string>> = {
  glidemaker: 'Glidemaker',
  pacemaker: 'Pacemaker',
  ghostsweep: 'GhostSweep',
  flowscale: 'FlowScale',
  flowband: 'FlowBand',
  smartexit: 'Smart Exit',
};

export function algoSupport(algo: AlgoId): AlgoSupport {
  return {
    unwind: (UNWIND_ALGOS as readonly string[]).includes(algo),
    trigger_from: algo === 'ghostsweep',
    limit_price_from: algo === 'glidemaker',
    stop_price_from: algo === 'smartexit',
    needs_reduce_only: algo === 'smartexit',
    algo_minimum: algo === 'glidemaker' || algo === 'smartexit',
  };
}

/** One row of `GET /algos`: id, name, params as JSON Schema, what it supports. */
export const algoRecord = z.looseObject({
  id: z.string(),
  name: z.string(),
  params: z.looseObject({}),
  supports: z.looseObject({}),
});
export type AlgoRecord = z.infer<typeof algoRecord>;

/** @param pacemakerMinSeconds `limits.pacemakerMinSeconds` of the dialect */
export function algoRecords(pacemakerMinSeconds: number): AlgoRecord[] {
  const override = publishPacemakerMinimum(pacemakerMinSeconds);
  return ALGOS.map((id) => ({
    id,
    name: NAMES[id],
    params: z.toJSONSchema(schemas[id], { io: 'input', override }) as Record<string, unknown>,
    supports: { ...algoSupport(id) },
  }));
}
