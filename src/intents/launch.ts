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
  glidemaker: launching('glidemaker'),
  pacemaker: launching('pacemaker'),
  ghostsweep: launching('ghostsweep'),
  flowscale: launching('flowscale'),
  flowband: launching('flowband'),
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
