import type { BotConfig } from '../../config/index.ts';
import type { Env } from '../../env/index.ts';
import type { Bot } from '../../runtime/index.ts';
import { commandOf } from '../journal/index.ts';
import type { BotState } from '../state/index.ts';
import { createAlerts } from './createAlerts.ts';
import { createNotifier, type NotifierOptions } from './createNotifier.ts';
import { createRedaction, secretsOf } from './createRedaction.ts';

export interface OpenAlertsOptions {
  bot: Pick<Bot, 'events$'>;
  state: Pick<BotState, 'view'>;
  config: BotConfig;
  env: Env;
  /** As {@link NotifierOptions.onState}. */
  onState?: NotifierOptions['onState'];
  /** Another Bot API than Telegram's own, for tests. */
  telegramApi?: string | undefined;
}

/** The alerts of a running bot. */
export interface OpenedAlerts {
  /** A secret that was read after the start: no alert contains it. */
  hide(secret: string): void;
  /** How the bot ends: in order, or by a failure. Without it, {@link OpenedAlerts.close} reports a failure. */
  ending(failure: string | undefined): void;
  /** What its stop left open that should have ended, or may have been executed, a line each. */
  leaves(lines: readonly string[]): void;
  /** Sends what waits, within what is left of the stop's time: at least one second, and at most three. */
  close(): Promise<void>;
}

const LONGEST_FLUSH_MS = 3_000;
const SHORTEST_FLUSH_MS = 1_000;

/** Watches over a bot and sends alerts, if its configuration has channels; before the bot starts. */
export function openAlerts(options: OpenAlertsOptions): OpenedAlerts | undefined {
  const { bot, state, config, env, telegramApi, onState } = options;
  const notify = config.operate?.notify ?? null;
  if (notify === null) return undefined;
  const redact = createRedaction(secretsOf(config));
  const { channels, uncoveredSeconds } = notify;
  const notifier = createNotifier({
    channels,
    bot: config.name,
    env,
    redact,
    telegramApi,
    onState,
  });
  const { offer, remind } = notifier;
  const alerts = createAlerts({ bot, state, env, config, uncoveredSeconds, offer, remind });
  let endingSince: number | undefined;
  const ending = (failure: string | undefined): void => {
    if (endingSince !== undefined) return;
    endingSince = env.clock.monotonicNow();
    alerts.report(
      failure === undefined
        ? {
            key: 'stop',
            severity: 'report',
            title: 'the bot stops in order',
            text: `Its stop policy is ${config.stopPolicy}.`,
            todo: '',
          }
        : {
            key: 'failed',
            severity: 'page',
            title: 'the bot ends by a failure',
            text: failure,
            todo: `look at its log and at what is open on the service, then start it again: ${commandOf(config, 'run')}`,
          },
    );
    notifier.flush();
  };
  return {
    hide: redact.add,
    ending,
    leaves(lines) {
      alerts.report({
        key: 'left',
        severity: 'page',
        title: `the bot has stopped, and leaves open: ${lines.length}`,
        text: lines.join('; '),
        todo: `look at the service, and end there what should not go on; the next start reconciles what was sent: ${commandOf(config, 'run')}`,
      });
      notifier.flush();
    },
    async close() {
      ending('It ended before it was asked to; its log has the reason.');
      alerts.close();
      const left = config.stopMs - (env.clock.monotonicNow() - endingSince!);
      await notifier.close(Math.min(Math.max(left, SHORTEST_FLUSH_MS), LONGEST_FLUSH_MS));
    },
  };
}
