import { z } from 'zod';
import {
  defineStrategy,
  type StateDefinition,
  type Strategy,
  type StrategyContext,
} from '../../src/strategy/index.ts';

/** A strategy that is its setup, and what a test adds. */
export function planted(
  setup: (ctx: StrategyContext<Record<string, unknown>, never>) => unknown,
  about: { warmup?: number; state?: z.ZodType | StateDefinition; name?: string } = {},
): Strategy {
  const { warmup = 0, state, name = 'planted' } = about;
  return defineStrategy({
    name,
    contract: 1,
    description: 'Made for a test.',
    scopes: ['trade'],
    params: z.object({}),
    warmup: () => warmup,
    ...(state === undefined ? {} : { state: state as never }),
    setup: setup as never,
  });
}
