import { SCOPES } from '../../src/contract/index.ts';
import type { BotPlan } from '../../src/runtime/BotPlan.ts';
import { BUDGET } from './createLaneMeter.ts';
import type { SimService } from './createSimService.ts';
import type { Scenario } from './Scenario.ts';

/** The plan of a seed's bot: one instance a symbol. */
export function planOf(
  { bot, seed, load }: Scenario,
  service: SimService,
  strategy: BotPlan['strategies'][number]['strategy'],
): BotPlan {
  return {
    dialect: service.dialect,
    seed,
    strategies: service.symbols.map((symbol) => ({
      strategy,
      params: {},
      name: `sim-${symbol}`,
      symbols: [symbol],
      wallet: service.walletOf(symbol),
      capitalShare: 1 / service.symbols.length,
    })),
    guards: {
      max_position_notional: bot.maxPositionNotional,
      max_intents_per_minute: load === undefined ? 60 : undefined,
    },
    budget: {
      limit: service.dialect.budget.standard,
      ...BUDGET,
      clock: 'wall',
    },
    concurrency: bot.concurrency,
    resyncMs: 60_000,
    instruments: service.core.engine.market.instruments,
    scopes: SCOPES,
    markInterval: () => '1m',
  };
}
