import { of, type Observable } from 'rxjs';
import { z } from 'zod';
import {
  defineStrategy,
  keepPair,
  type PairOptions,
  type PairTarget,
  type StrategyContext,
} from '../../../src/index.ts';
import { testStrategy, type StrategyTest, type TestedIntent } from '../../../src/testing.ts';

export const LEGS = { long: 'ETH', short: 'BTC' };
export const [ETH, BTC] = [2_000, 50_000];
/** What the smallest orders of both legs are worth, and as much again: what the grid leaves. */
export const SLACK = 2 * (11 + 11) + 1;

export function pairOf(
  target: (ctx: StrategyContext) => Observable<PairTarget>,
  options: Partial<PairOptions> = {},
) {
  return defineStrategy({
    name: 'pair',
    contract: 1,
    description: 'For a test.',
    scopes: ['trade'],
    params: z.object({}),
    setup: (ctx) =>
      target(ctx as StrategyContext).pipe(keepPair(ctx, LEGS, { max_naked: 1_000, ...options })),
  });
}

export const start = (
  target: PairTarget | ((ctx: StrategyContext) => Observable<PairTarget>),
  options: Partial<PairOptions> = {},
): StrategyTest =>
  testStrategy(pairOf(typeof target === 'function' ? target : () => of(target), options), {
    symbols: ['ETH', 'BTC'],
  })
    .price('ETH', ETH)
    .price('BTC', BTC);

/** Base units, below zero for a short. */
export function heldOf(bot: StrategyTest, symbol: string): number {
  const position = bot.positionOf(symbol);
  if (position === null) return 0;
  return position.side === 'short' ? -position.size : position.size;
}

export const nakedOf = (bot: StrategyTest, hedge_ratio = 1): number =>
  hedge_ratio * heldOf(bot, 'ETH') * ETH + heldOf(bot, 'BTC') * BTC;

export const orderOf = ({ intent }: { intent: TestedIntent }) => {
  if (intent.kind !== 'place_order') throw new Error(`it placed no order: ${intent.kind}`);
  return intent.request;
};
export const requests = (bot: StrategyTest) => bot.intents.map((intent) => orderOf({ intent }));
