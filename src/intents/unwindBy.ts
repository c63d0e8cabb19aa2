import type {
  GhostSweepUnwindParams,
  GlidemakerUnwindParams,
  PacemakerUnwindParams,
  SmartExitUnwindParams,
} from '../contract/legs.ts';

/**
 * How a leg on a position exits if not by a native order: an algorithm works the position out once the trigger
 * is reached (LEG-5, POS-3). Second argument of a leg builder.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(
 *   whenOpen(ctx.position(ctx.symbol)),
 *   map(({ close }) =>
 *     attachTpsl(ctx.symbol, {
 *       take_profit: takeProfit.price(Math.ceil(close * 1.1), unwindBy.pacemaker({ duration_seconds: 300 })),
 *     }),
 *   ),
 * );
 * ```
 */
export const unwindBy = {
  pacemaker: (unwind_params: PacemakerUnwindParams) =>
    ({ exit_style: 'algo_unwind', unwind_algo: 'pacemaker', unwind_params }) as const,
  glidemaker: (unwind_params: GlidemakerUnwindParams = {}) =>
    ({ exit_style: 'algo_unwind', unwind_algo: 'glidemaker', unwind_params }) as const,
  smartexit: (unwind_params: SmartExitUnwindParams = {}) =>
    ({ exit_style: 'algo_unwind', unwind_algo: 'smartexit', unwind_params }) as const,
  /** For prices and offsets, not for `at` (LEG-9). */
  ghostsweep: (unwind_params: GhostSweepUnwindParams = {}) =>
    ({ exit_style: 'algo_unwind', unwind_algo: 'ghostsweep', unwind_params }) as const,
} as const;
