import type { Subscription } from 'rxjs';
import type { Metrics } from '../../env/index.ts';
import type { Bot, BotPlan } from '../../runtime/index.ts';

/** What only the bot's events tell: fills, fees, the age of decisions, quarantines. */
export function countEvents(
  bot: Pick<Bot, 'events$'>,
  plan: Pick<BotPlan, 'strategies'>,
  metrics: Metrics,
  /** Market time, epoch milliseconds. */
  now: () => number,
): Subscription {
  const known = new Set(plan.strategies.flatMap(({ symbols }) => symbols));
  // From 0, so that the first one is an increase.
  for (const { name: strategy, wallet, symbols } of plan.strategies) {
    metrics.count('quarantines_total', { strategy }, 0);
    for (const symbol of symbols)
      for (const name of ['fills_total', 'fees_total'])
        metrics.count(name, { wallet, strategy, symbol }, 0);
  }
  return bot.events$.subscribe((event) => {
    if (event.kind === 'intent') {
      const { state, emission, attempt } = event.event;
      if (state !== 'sending' || attempt > 1 || emission.causeTime === undefined) return;
      const age = Math.max(0, now() - emission.causeTime) / 1_000;
      metrics.observe('decision_age_seconds', age, { strategy: emission.instance });
    } else if (event.kind === 'fill') {
      const { wallet, fill, instance: strategy = '' } = event;
      // Somebody may trade anything on the bot's wallet; symbols of the plan are few.
      const symbol = known.has(fill.symbol) ? fill.symbol : '';
      metrics.count('fills_total', { wallet, strategy, symbol });
      metrics.count('fees_total', { wallet, strategy, symbol }, Math.max(0, fill.fee));
    } else if (event.kind === 'strategy_life' && event.life.state === 'quarantined')
      metrics.count('quarantines_total', { strategy: event.life.instance });
  });
}
