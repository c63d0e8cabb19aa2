import type { Env } from '../../env/index.ts';
import { postJson } from '../../wire/index.ts';
import { formatMessage } from './formatNotices.ts';
import { readDelivery } from './readDelivery.ts';
import { ATTEMPT_MS, type Sender } from './Sender.ts';

export interface TelegramOptions {
  token: string;
  chat: number | string;
  /** Another Bot API than Telegram's own, for tests. */
  api?: string | undefined;
}

const API = 'https://api.telegram.org';
/** Below the 4,096 that Telegram takes. */
const MOST_CHARS = 3_800;

/** A chat of Telegram; plain text without a parse mode, so that nothing in it is markup. */
export function createTelegramSender(
  { token, chat, api = API }: TelegramOptions,
  env: Pick<Env, 'timers' | 'clock'>,
): Sender {
  const escape = (text: string): string => text;
  return {
    most: MOST_CHARS,
    escape,
    async send(message) {
      const body = {
        chat_id: chat,
        text: formatMessage(message, escape),
        link_preview_options: { is_disabled: true },
      };
      const url = `${api}/bot${token}/sendMessage`;
      const answer = await postJson({ url, body, timeoutMs: ATTEMPT_MS, env });
      return readDelivery(answer, env.clock.wallNow());
    },
    close() {},
  };
}
