import type { BotConfig } from '../../config/index.ts';
import type {
  Bot,
  BotPlan,
  LifeEvent,
  Liquidation,
  Refusal,
  RunRecord,
} from '../../runtime/index.ts';
import { reasonOf } from '../../env/index.ts';
import type { Listening } from '../control/index.ts';
import type { ClosingFigures } from '../progress/index.ts';
import {
  endReason,
  leftLines,
  openPositions,
  unknownLine,
  waitingLine,
  workLines,
} from './describeLeft.ts';
import { failed, type RunResult } from './RunFailure.ts';
import { toClosingFigures } from './toClosingFigures.ts';

/** The final state of a bot, after its stop policy. */
export interface ServiceRun {
  figures: ClosingFigures;
  positions: readonly string[];
  /** Its orders and executions that keep working, each as a line. */
  working: readonly string[];
  /** What the stop policy could not end or confirm, each as a line. */
  unended: readonly string[];
  /** Intents that were sent and have no response, each as a line: each may have been executed. */
  unknowns: readonly string[];
  /** Exits that were never sent, each as a line: what they were to end goes on. */
  waiting: readonly string[];
  refusals: readonly Refusal[];
  lives: readonly LifeEvent[];
  liquidations: readonly Liquidation[];
}

export interface EndingRun {
  bot: Bot;
  config: BotConfig;
  plan: BotPlan;
  record: RunRecord;
  /** Why it ends, unless it was asked to. */
  fatal: unknown;
  commands: Listening | undefined;
  /** Receives what is left open that should have ended, or may have been executed, a line each. */
  onLeft(lines: readonly string[]): void;
}

/** Applies the stop policy, and reports what is left. */
export async function endServiceRun(run: EndingRun): Promise<RunResult<ServiceRun>> {
  const { bot, config, plan, record, fatal, commands } = run;
  let ended: Omit<ServiceRun, 'refusals' | 'lives' | 'liquidations'> | undefined;
  const stop = (): Promise<void> =>
    bot.stop({
      policy: config.stopPolicy,
      limitMs: config.stopMs,
      onEnded({ working, unended, unanswered, waiting: exits }) {
        const figures = toClosingFigures({ config, bot, record, unanswered });
        const positions = openPositions(bot, plan);
        const unknowns = unanswered.map(unknownLine);
        const waiting = exits.map(waitingLine);
        const lines = working.flatMap(workLines);
        ended = { figures, positions, working: lines, unended, unknowns, waiting };
        const left = leftLines(ended);
        if (left.length > 0) run.onLeft(left);
      },
    });
  let unstopped: unknown;
  try {
    await stop();
  } catch (error) {
    if (fatal === undefined) throw error;
    unstopped = error;
  }
  // After the stop: what it leaves belongs to the reason, and is not known before.
  if (fatal !== undefined)
    return failed(
      fatal instanceof KeyRefused || fatal instanceof BotCrashed ? fatal.code : 'TRIMTAB_BOT_FATAL',
      endReason(unstopped === undefined ? [fatal] : [fatal, unstopped], ended),
    );
  const left = leftLines(ended!);
  const failure = { code: 'TRIMTAB_BOT_UNENDED', message: left.join('\n') } as const;
  // The watchdog must still handle what should have ended and did not.
  const how = ended!.unended.length === 0 ? 'in_order' : 'failed';
  commands?.end(how, left.length === 0 ? undefined : failure);
  const { refusals, lives, liquidations } = record;
  return { ok: true, value: { ...ended!, refusals, lives, liquidations } };
}

/** The service has refused the key for longer than the configuration allows. */
export class KeyRefused extends Error {
  readonly code = 'TRIMTAB_SERVICE_KEY_REFUSED';
}

/** An exception that no stream and no strategy owns: it ends the bot, by its stop policy. */
export class BotCrashed extends Error {
  readonly code = 'TRIMTAB_CRASHED';

  constructor(thrown: unknown) {
    super(`An exception outside every stream stopped the bot: ${reasonOf(thrown)}`, {
      cause: thrown,
    });
  }
}
