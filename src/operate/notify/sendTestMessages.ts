import type { BotConfig } from '../../config/index.ts';
import type { Env } from '../../env/index.ts';
import { createSender } from './createNotifier.ts';
import { eachReceiver } from './eachReceiver.ts';
import type { Delivery } from './Sender.ts';

/** The result of one channel's test. */
export interface TestedChannel {
  /** Kind and place in the configuration. */
  name: string;
  delivery: Delivery;
}

/** Sends one test message to each channel of a configuration, once, and reports what became of each. */
export function sendTestMessages(
  { name: bot, operate }: Pick<BotConfig, 'name' | 'operate'>,
  { env, telegramApi }: { env: Env; telegramApi?: string },
): Promise<TestedChannel[]> {
  const channels = operate?.notify?.channels ?? [];
  return Promise.all(
    eachReceiver(channels).map(async ({ name, channel }) => {
      const sender = createSender(channel, env, telegramApi);
      const alert = {
        key: 'test',
        severity: channel.min,
        title: 'a test of this channel',
        text: `Alerts of ${bot} from ${channel.min} up arrive here.`,
        todo: '',
      };
      const notices = [{ kind: 'once' as const, alert, time: env.clock.wallNow() }];
      const delivery = await sender.send({ bot, notices, dropped: 0 });
      sender.close();
      return { name, delivery };
    }),
  );
}
