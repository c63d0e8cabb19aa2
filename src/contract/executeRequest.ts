import { z } from 'zod';
import {
  ALGO_PARAMS,
  type FlowbandParams,
  type FlowscaleParams,
  type GlidemakerParams,
  type PacemakerParams,
  type SmartExitParams,
} from './algorithms.ts';
import { entryPriceSpec, type EntryPriceSpec } from './entryPrice.ts';
import { clientId, positive, symbolName } from './identifiers.ts';
import { entryLeg, type EntryLeg } from './legs.ts';
import { addFault, checkShape } from './validation.ts';
import { ALGOS, SIDES, type AlgoId, type Side } from './vocabulary.ts';

interface LaunchCommon {
  symbol: string;
  side: Side;
  /** Base units. */
  total_size: number;
  reduce_only?: boolean;
  /** Resolved when the execution ends with fills, anchored to its average fill (EXE-3). */
  take_profit?: EntryLeg;
  stop_loss?: EntryLeg;
  client_execution_id?: string;
}

type NoSweep = { trigger_from?: never; sweep_limit?: never; sweep_limit_bps?: never };

export type GlidemakerLaunch = LaunchCommon &
  NoSweep & { algo: 'glidemaker'; params: GlidemakerParams };
export type PacemakerLaunch = LaunchCommon &
  NoSweep & { algo: 'pacemaker'; params: PacemakerParams };
export type FlowscaleLaunch = LaunchCommon &
  NoSweep & { algo: 'flowscale'; params: FlowscaleParams };
export type FlowbandLaunch = LaunchCommon & NoSweep & { algo: 'flowband'; params: FlowbandParams };
/** Smart Exit closes what is open: `reduce_only: true` is part of its shape (conventions §4). */
export type SmartExitLaunch = Omit<LaunchCommon, 'reduce_only'> &
  NoSweep & { algo: 'smartexit'; reduce_only: true; params: SmartExitParams };

type FixedTrigger = { params: { trigger_price: number }; trigger_from?: never };
type ReadTrigger = {
  params?: Record<string, never>;
  trigger_from: EntryPriceSpec & { track?: false };
};
type TrackedTrigger = {
  params?: Record<string, never>;
  trigger_from: EntryPriceSpec & { track: true };
};
/** An absolute limit, one relative to the trigger, or none (100 bps). */
type AnySweepLimit =
  | { sweep_limit: number; sweep_limit_bps?: never }
  | { sweep_limit?: never; sweep_limit_bps?: number };
/** A tracked trigger moves away from an absolute limit, so it takes a relative one (EXE-4). */
type RelativeSweepLimit = { sweep_limit?: never; sweep_limit_bps?: number };

export type GhostSweepLaunch = LaunchCommon & { algo: 'ghostsweep' } & (
    ((FixedTrigger | ReadTrigger) & AnySweepLimit) | (TrackedTrigger & RelativeSweepLimit)
  );

/** `POST /v1/execute` (EXE-2, spec §2.4). */
export type ExecuteRequest =
  | GlidemakerLaunch
  | PacemakerLaunch
  | GhostSweepLaunch
  | FlowscaleLaunch
  | FlowbandLaunch
  | SmartExitLaunch;

/** The request of one algorithm. */
export type LaunchOf<A extends AlgoId> = Extract<ExecuteRequest, { algo: A }>;

const looseLaunch = z.strictObject({
  algo: z.enum(ALGOS),
  symbol: symbolName,
  side: z.enum(SIDES),
  total_size: positive,
  params: z.looseObject({}).optional(),
  reduce_only: z.boolean().optional(),
  take_profit: entryLeg.optional(),
  stop_loss: entryLeg.optional(),
  trigger_from: entryPriceSpec.optional(),
  sweep_limit_bps: z.number().min(0).max(10_000).optional(),
  sweep_limit: positive.optional(),
  client_execution_id: clientId.optional(),
});
type LooseLaunch = z.infer<typeof looseLaunch>;
type Ctx = Pick<z.RefinementCtx, 'addIssue'>;

function checkParams(launch: LooseLaunch, ctx: Ctx): void {
  const checked = checkShape<unknown>(ALGO_PARAMS[launch.algo], launch.params ?? {});
  if (checked.ok) return;
  for (const field of checked.fault.details.fields) {
    const path = field.path === '' ? [] : field.path.split('.');
    addFault(ctx, ['params', ...path], field.code, field.message);
  }
}

function checkSweep(launch: LooseLaunch, ctx: Ctx): void {
  const trigger = launch.params?.['trigger_price'];
  const from = launch.trigger_from;
  if (trigger === undefined && from === undefined) {
    addFault(ctx, ['params', 'trigger_price'], 'required', 'Send trigger_price or trigger_from.');
  }
  if (trigger !== undefined && from !== undefined) {
    addFault(ctx, ['trigger_from'], 'conflicting_field', 'Send one trigger, not both.');
  }
  if (launch.sweep_limit === undefined) return;
  if (launch.sweep_limit_bps !== undefined) {
    addFault(ctx, ['sweep_limit_bps'], 'conflicting_field', 'Send one sweep limit, not both.');
  }
  if (from?.track === true) {
    const message = 'A tracked trigger takes sweep_limit_bps, not an absolute sweep_limit.';
    addFault(ctx, ['sweep_limit'], 'absolute_sweep_limit_on_tracked_trigger', message);
  }
}

function checkNoSweep(launch: LooseLaunch, ctx: Ctx): void {
  for (const field of ['trigger_from', 'sweep_limit', 'sweep_limit_bps'] as const) {
    if (launch[field] !== undefined) {
      addFault(ctx, [field], 'conflicting_field', `${field} is for ghostsweep only.`);
    }
  }
}

export const executeRequest = looseLaunch.superRefine((launch, ctx) => {
  checkParams(launch, ctx);
  if (launch.algo === 'ghostsweep') checkSweep(launch, ctx);
  else checkNoSweep(launch, ctx);
  if (launch.algo === 'smartexit' && launch.reduce_only !== true) {
    addFault(ctx, ['reduce_only'], 'required', 'Smart Exit needs reduce_only: true.');
  }
}) as unknown as z.ZodType<ExecuteRequest>;

/** `POST /v1/executions/batch`. */
export const batchExecutionsRequest = z.strictObject({
  action: z.enum(['stop', 'pause', 'resume', 'complete-at-market', 'mark-complete']),
  ids: z.array(z.string().min(1)).min(1).max(500),
});
export type BatchExecutionsRequest = z.infer<typeof batchExecutionsRequest>;
