import type { BotConfig } from '../../config/index.ts';
import { reasonOf } from '../../env/index.ts';
import type { Bot, BotPlan } from '../../runtime/index.ts';
import type { StrategyHost } from '../../strategy/index.ts';
import { describeFault } from './describeFault.ts';
import { describeRefused, type KnownOfBot } from './describeRefused.ts';
import { outsideTurnOf, type OutsideTurn } from './outsideTurnOf.ts';
import { failed, type RunResult } from './RunFailure.ts';

export interface EarlyEndOptions {
  bot: Bot;
  config: BotConfig;
  plan: BotPlan;
  /** The journal's fault, or another after which the bot can't go on; undefined without one. */
  fatal(): unknown;
  /** True once the user requested a stop. */
  isStopped(): boolean;
  /** Whether a decision outside of a turn ends the run. */
  endsOutsideTurn: boolean;
}

/** What ends a replay before its tape does. */
export interface EarlyEnd {
  /** True once there is no point in continuing. */
  isOver(): boolean;
  /** The run's failure, unless it went well or was asked to stop. */
  toResult(): RunResult<void>;
  /** Decisions outside of turns so far. */
  readonly outside: readonly OutsideTurn[];
}

export function watchEarlyEnd(options: EarlyEndOptions): EarlyEnd {
  const { bot, config, plan, fatal, isStopped } = options;
  const refused = firstRefusal(bot, { config, plan });
  const outside = outsideTurnOf(bot, config);
  const isOutside = (): boolean => options.endsOutsideTurn && outside.length > 0;
  return {
    outside,
    isOver: () =>
      isOutside() ||
      fatal() !== undefined ||
      isStopped() ||
      refused() !== undefined ||
      bot.hosts.some(isBroken),
    toResult() {
      const cause = fatal();
      if (cause !== undefined)
        return failed(
          'TRIMTAB_JOURNAL_FAILED',
          `The journal failed, so nothing more was sent: ${reasonOf(cause)}`,
        );
      if (isOutside())
        return failed(
          'TRIMTAB_STRATEGY_OUTSIDE_TURN',
          outside.map(({ message }) => message).join('\n'),
        );
      if (bot.hosts.some(isBroken))
        return failed('TRIMTAB_STRATEGY_ENDED', endedStrategies(bot, config).join('\n'));
      const refusal = refused();
      if (refusal !== undefined) return failed('TRIMTAB_STREAM_REFUSED', refusal);
      return { ok: true, value: undefined };
    },
  };
}

/** A subscription that the service refuses: otherwise a strategy would wait for it indefinitely. */
function firstRefusal(bot: Bot, known: KnownOfBot): () => string | undefined {
  let message: string | undefined;
  bot.events$.subscribe((event) => {
    if (event.kind !== 'stream_fault' || event.fault.kind !== 'refused') return;
    if (event.fault.isAskedAgain === true) return;
    const lines = describeRefused(event.fault, event.askers, known);
    message ??= lines.map(({ text }) => text).join('\n');
  });
  return () => message;
}

/** A strategy that never started: there is nothing to run. */
function isBroken({ status }: StrategyHost): boolean {
  return status.state === 'quarantined' && status.fault.kind === 'setup_failed';
}

/** Strategies that ended through their own fault, each as a message. */
export function endedStrategies(bot: Bot, config: BotConfig): string[] {
  return bot.hosts.flatMap(({ instance, status }) => {
    if (status.state !== 'quarantined' && status.state !== 'waiting') return [];
    const file = config.strategies.find(({ name }) => name === instance)?.use ?? instance;
    return [describeFault(status.fault, file)];
  });
}
