import type { ChannelConfig } from '../../config/index.ts';
import { reasonOf, type Env } from '../../env/index.ts';
import type { Alert, AlertChange } from './Alert.ts';
import { createChannel, type Channel } from './createChannel.ts';
import { createEmailSender } from './createEmailSender.ts';
import { createTelegramSender } from './createTelegramSender.ts';
import { createWebhookSender } from './createWebhookSender.ts';
import { eachReceiver } from './eachReceiver.ts';
import type { Sender } from './Sender.ts';

/** Sends alerts to every channel that wants them; a channel that fails holds up neither the bot nor another one. */
export interface Notifier {
  offer(change: AlertChange): void;
  remind(active: ReadonlyMap<string, Alert>): void;
  /** The bot is ending: nothing waits any longer. */
  flush(): void;
  close(limitMs: number): Promise<void>;
}

export interface NotifierOptions {
  channels: readonly ChannelConfig[];
  /** Name of the bot. */
  bot: string;
  env: Env;
  /** Removes secrets from text. */
  redact(text: string): string;
  /** Receives by the name of a channel why alerts don't reach it, and undefined once they do. */
  onState?: ((channel: string, problem: string | undefined) => void) | undefined;
  /** Another Bot API than Telegram's own, for tests. */
  telegramApi?: string | undefined;
}

export function createNotifier(options: NotifierOptions): Notifier {
  const { channels, bot, env, redact, onState } = options;
  const opened = eachReceiver(channels).map(({ name, channel }): Channel => {
    const sender = createSender(channel, env, options.telegramApi);
    return createChannel({
      name,
      rules: channel,
      sender,
      bot,
      env,
      onState: (problem) => onState?.(name, problem === undefined ? undefined : redact(problem)),
    });
  });
  const clean = (alert: Alert): Alert => ({
    ...alert,
    title: redact(alert.title),
    text: redact(alert.text),
    todo: redact(alert.todo),
  });
  /** Whatever goes wrong here must not reach the bot. */
  const attempt = (run: (channel: Channel) => void): void => {
    for (const channel of opened) {
      try {
        run(channel);
      } catch (error) {
        env.log.error(`An alert failed: ${redact(reasonOf(error))}`);
      }
    }
  };
  return {
    offer: (change) =>
      attempt((channel) => channel.offer({ ...change, alert: clean(change.alert) })),
    remind(active) {
      const cleaned = new Map([...active].map(([key, alert]) => [key, clean(alert)]));
      attempt((channel) => channel.remind(cleaned));
    },
    flush: () => attempt((channel) => channel.flush()),
    close: async (limitMs) =>
      void (await Promise.all(opened.map((channel) => channel.close(limitMs)))),
  };
}

export function createSender(channel: ChannelConfig, env: Env, telegramApi?: string): Sender {
  switch (channel.kind) {
    case 'webhook':
      return createWebhookSender({ url: channel.url.reveal(), template: channel.template }, env);
    case 'telegram': {
      const { token, chat } = channel;
      return createTelegramSender({ token: token.reveal(), chat, api: telegramApi }, env);
    }
    default: {
      const { to, from } = channel;
      return createEmailSender({ url: channel.url.reveal(), to, from }, env);
    }
  }
}
