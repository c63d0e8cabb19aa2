import { executeRequest, type ExecuteRequest, type LaunchOf } from '../contract/executeRequest.ts';
import type { AlgoId } from '../contract/vocabulary.ts';
import type { IntentMeta } from './IntentMeta.ts';
import { requestEffect } from './IntentEffect.ts';
import { made, type IntentRule } from './IntentRule.ts';

/** Launch an execution algorithm (EXE-2): `POST /v1/execute`. */
export interface LaunchIntent extends IntentMeta {
  kind: 'launch';
  request: ExecuteRequest;
}

type WithoutAlgo<R> = R extends unknown ? Omit<R, 'algo'> : never;
/** A launch as a strategy writes it: the builder implies the algorithm's name. */
export type LaunchInput<A extends AlgoId> = WithoutAlgo<LaunchOf<A>>;

const launching =
  <A extends AlgoId>(algo: A) =>
  (request: LaunchInput<A>, meta: IntentMeta = {}): LaunchIntent => ({
    kind: 'launch',
    request: { algo, ...request } as unknown as ExecuteRequest,
    ...meta,
  });

/**
 * One builder per algorithm: `launch.pacemaker({ symbol, side, total_size, params })`.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(
 *   map(() => launch.pacemaker({ symbol: ctx.symbol, side: 'buy', total_size: 0.5, params: { duration_seconds: 600 } })),
 * );
 * ```
 */
export const launch = {
  /**
   * Works the size as a maker: rests post-only at the best price of its side and follows it, never past
   * `limit_price` or the level of `limit_price_from`. `aggressive` also takes, once it has rested for longer than a bar.
   * It has no end but its last fill or a stop.
   */
  glidemaker: launching('glidemaker'),
  /**
   * Takes equal slices over `duration_seconds`, never beyond `limit_price`. What is left at the end of that time
   * ends it, `stopped` with `time_limit`.
   */
  pacemaker: launching('pacemaker'),
  /**
   * Shows nothing until the mark reaches `trigger_price` (or the level of `trigger_from`), then takes once, up to
   * `sweep_limit`, or `sweep_limit_bps` from the trigger (100 by default). What is left ends it, `stopped` with
   * `sweep_limit`.
   */
  ghostsweep: launching('ghostsweep'),
  /**
   * Takes `participation` (0.01 to 0.5) of the volume that trades, after each closed bar, never beyond `limit_price`.
   * `max_duration_seconds` ends it, `stopped` with `time_limit`; without it, its last fill or a stop does.
   */
  flowscale: launching('flowscale'),
  /** As FlowScale (`participation` is 0.1 by default) while the price is from `band_low` to `band_high`; else it waits. */
  flowband: launching('flowband'),
  /**
   * Closes: with `reduce_only: true`, waits until `stop_price` (or the level of `stop_price_from`) or `take_price` is
   * reached, rests at the best price of its side for `patience_seconds` (30 by default), and then takes what is left.
   */
  smartexit: launching('smartexit'),
} as const;

export const launchRule: IntentRule<LaunchIntent> = {
  fields: { request: executeRequest },
  effect: (intent) => requestEffect(intent.request),
  toCall: ({ request }, { idempotencyKey }) =>
    made({
      endpoint: 'executions.launch',
      body: { ...request, client_execution_id: request.client_execution_id ?? idempotencyKey },
      isFresh: true,
    }),
};
