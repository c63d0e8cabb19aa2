import { createRandom, type Random } from '../../src/env/index.ts';
import type { GuardLimits } from '../../src/guards/index.ts';
import type { Bot } from '../../src/runtime/Bot.ts';
import type { BotPlan, PlannedStrategy } from '../../src/runtime/BotPlan.ts';
import type { OwnerDecision } from '../../src/runtime/control/createOwnerDecisions.ts';
import { STAGES } from '../../src/runtime/control/createStages.ts';
import { HOUR_MS, pick } from '../simulation/Scenario.ts';
import type { Operation } from './watchSimulation.ts';

const COMMANDS_AN_HOUR = 24;

/** Guards, stages, renamed strategies and an operator who commands all sorts of things, from a seed. */
export function drawOperation(seed: string): Operation {
  const guards = drawGuards(createRandom(`guards ${seed}`));
  return {
    planOf(plan, life) {
      const random = createRandom(`plan ${seed} ${life}`);
      const protection = pick(random, ['off', 'reattach'] as const);
      const symbols = plan.strategies.map((one) => one.symbols[0]!);
      // The first life has all symbols; a later one may have another name for a strategy, or no more of the last.
      const dropped = life > 1 && plan.strategies.length > 2 && random.next() < 0.3 ? 1 : 0;
      const strategies = plan.strategies
        .slice(0, plan.strategies.length - dropped)
        .map((one) =>
          life > 1 && random.next() < 0.2 ? { ...one, name: `${one.name}-anew` } : one,
        )
        .map((one) => withShadow(one));
      return { ...plan, protection, strategies, guards: withSymbols(guards, symbols) };
    },
    decisionsOf: (life) => (life === 1 ? [] : drawDecisions(createRandom(`start ${seed} ${life}`))),
    operate({ sim, process, bot, plan }, note) {
      const random = createRandom(`operator ${seed} ${process.index}`);
      const after = sim.elapsed();
      // Whoever judges the end of a run wants every strategy to enter again.
      sim.after(HOUR_MS - after, () => {
        if (!process.alive) return;
        for (const { name } of plan.strategies) void bot.resumeStrategy(name, 'the hour is over');
      });
      for (let at = 0; at < COMMANDS_AN_HOUR; at++) {
        const command = drawCommand(random, plan);
        sim.after(random.next() * (HOUR_MS - after), () => {
          if (!process.alive || process.isSuspended || process.isStopping) return;
          command(bot).then(
            (said) => note(`command ${sim.elapsed()} ${JSON.stringify(said ?? null)}`),
            (error: unknown) => note(`command ${sim.elapsed()} fails: ${String(error)}`),
          );
        });
      }
    },
  };
}

const withShadow = (one: PlannedStrategy): PlannedStrategy => ({
  ...one,
  shadow: {
    strategy: one.strategy,
    params: one.params,
    use: './next.ts',
    directory: '/bots',
    accepted: one.params,
    canary: 0.25,
    isolation: undefined,
  },
});

/** Each limit in one of three plans, some of them tight. */
function drawGuards(random: Random): Omit<GuardLimits, 'max_order_size' | 'allowed_symbols'> {
  const limit = (...values: readonly number[]): number | undefined =>
    random.next() < 0.35 ? pick(random, values) : undefined;
  return {
    max_order_notional: limit(800, 3_000),
    max_position_notional: limit(2_000, 8_000),
    max_gross_notional: limit(4_000, 12_000),
    max_leverage: limit(1, 3),
    max_intents_per_minute: limit(2, 6),
    max_entries_per_hour: limit(10, 60),
    max_concurrent_executions: limit(1, 2),
    daily_loss_limit: limit(3, 30),
    maintained_rows_policy: pick(random, ['refuse', 'replace_least_important']),
    max_uncovered_seconds: limit(60, 300),
    warn_uncovered_seconds: limit(30, 120),
    price_collar_bps: limit(10, 80),
    max_data_age_seconds: limit(5, 60),
    max_decision_age_seconds: limit(5, 30),
  };
}

const withSymbols = (guards: GuardLimits, symbols: readonly string[]): GuardLimits => ({
  ...guards,
  allowed_symbols: symbols.length > 2 ? symbols.slice(1) : undefined,
  max_order_size: { [symbols[0]!]: 0.05 },
});

function drawDecisions(random: Random): OwnerDecision[] {
  const symbol = pick(random, ['BTC', 'ETH', 'SOL']);
  return pick<readonly OwnerDecision[]>(random, [
    [],
    [{ kind: 'adopt', symbol, strategy: `sim-${symbol}` }],
    [{ kind: 'ignore', symbol, wallet: 'main' }],
    [{ kind: 'ignore', symbol }],
    [{ kind: 'flatten', symbol }],
  ]).slice();
}

type Command = (bot: Bot) => Promise<unknown>;

function drawCommand(random: Random, plan: BotPlan): Command {
  const { name, symbols } = pick(random, plan.strategies);
  const reason = `asked for ${Math.floor(random.next() * 1_000)}`;
  const by = 'ann at desk';
  const to = pick(random, STAGES);
  const handOver = random.next() < 0.5 ? symbols : [];
  const as = pick(random, ['accepted', 'absent'] as const);
  const unchecked = random.next() < 0.5;
  const records = random.next() < 0.5 ? [] : ['ord_1'];
  const key = { keyId: `vk_${Math.floor(random.next() * 3)}`, previous: 'vk_0', fingerprint: 'ab' };
  const settle = (bot: Bot) => {
    const [first] = bot.unanswered();
    const known = first?.key ?? 'no-such-key';
    return bot.settle(known, { as, records, unchecked, reason, by });
  };
  return pick<Command>(random, [
    (bot) => bot.pauseStrategy(name, reason),
    (bot) => bot.resumeStrategy(name, reason),
    (bot) => bot.pauseStrategy('nobody', reason),
    (bot) => bot.promote(name, { to, reason, handOver }),
    (bot) => bot.promote(name, { to, reason, handOver: ['XRP'] }),
    (bot) => bot.audit(`looks at ${name}`, reason),
    settle,
    settle,
    (bot) =>
      bot.keyRotated({ ...key, reason, unanswered: 0, budget: { limit: 600, remaining: 500 } }),
    (bot) => bot.keyRotated({ ...key, reason, unanswered: 1 }),
    (bot) => bot.keyConfirmed({ ...key, reason }),
    async (bot) => bot.keyRotationRefused(reason),
    async (bot) => bot.keyRotationRefused(null),
    async (bot) => bot.keyAccepted(),
    async (bot) => [bot.killLevel, await bot.killed(), bot.exitWeight(), bot.budgetUse()],
    async (bot) => [
      bot.paused(name),
      bot.throttled(name),
      bot.stageOf(name),
      bot.lastKeyChange('vk_1'),
    ],
  ]);
}
