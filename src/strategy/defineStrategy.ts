import type { Observable } from 'rxjs';
import type { z } from 'zod';
import type { Scope } from '../contract/index.ts';
import type { Intent } from '../intents/index.ts';
import type { StateDefinition } from './StateDefinition.ts';
import type { StrategyContext } from './StrategyContext.ts';

/**
 * The contract between plugin and host. A plugin of another version is refused when it is loaded.
 *
 * ```ts
 * STRATEGY_CONTRACT_VERSION; // => 1
 * ```
 */
export const STRATEGY_CONTRACT_VERSION = 1;

/** Through the global registry, so that two copies of the package recognise each other's plugins. */
export const STRATEGY_BRAND = Symbol.for('trimtab.strategy');

/** A strategy plugin: its name, its parameters, and the stream of intents that it creates. */
export interface StrategyDefinition<
  P extends z.ZodObject = z.ZodObject,
  S extends z.ZodType | undefined = z.ZodType | undefined,
> {
  name: string;
  version?: string;
  contract: typeof STRATEGY_CONTRACT_VERSION;
  /** One or two sentences for readers: what it trades on and how it exits. */
  description: string;
  /** A zod object; its defaults are the strategy's. */
  params: P;
  /** Scopes of the key that its intents need (AUTH-4). */
  scopes: readonly Scope[];
  /**
   * Shape of what it persists across restarts; `{}` must be a valid start. With a version, an initial state and
   * a migration as {@link StateDefinition}.
   */
  state?: S | (S extends z.ZodType ? StateDefinition<S> : never);
  /** Closed bars that it needs before its first decision; 0 if left out. */
  warmup?: (params: z.output<P>) => number;
  /** Builds the stream of intents. It runs once per instance; nothing may be shared between instances. */
  setup(
    ctx: StrategyContext<z.output<P>, S extends z.ZodType ? z.output<S> : undefined>,
  ): Observable<Intent>;
}

/** A definition that went through {@link defineStrategy}; only the plugin knows the type of the params. */
export type Strategy = StrategyDefinition & { readonly [STRATEGY_BRAND]: true };

/**
 * Declares a strategy; the plugin's default export.
 *
 * ```ts
 * export default defineStrategy({
 *   name: 'dip',
 *   contract: 1,
 *   description: 'Buys below its average.',
 *   scopes: ['trade'],
 *   params: z.object({ period: z.int().default(20) }),
 *   warmup: ({ period }) => period,
 *   setup: (ctx) =>
 *     ctx.candles(ctx.symbol, '1h').pipe(
 *       withIndicators({ mean: sma(ctx.params.period) }),
 *       filter(({ bar, mean }) => bar.close < mean),
 *       whenFlat(ctx.position(ctx.symbol)),
 *       map(() => placeOrder.market({ symbol: ctx.symbol, side: 'buy', size: 0.5 })),
 *     ),
 * });
 * ```
 */
export function defineStrategy<P extends z.ZodObject, S extends z.ZodType | undefined = undefined>(
  definition: StrategyDefinition<P, S>,
): Strategy {
  return Object.freeze({ ...definition, [STRATEGY_BRAND]: true as const }) as unknown as Strategy;
}

/** Whether a value was created by any copy's {@link defineStrategy}. */
export function isStrategy(value: unknown): value is Strategy {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, STRATEGY_BRAND);
}
