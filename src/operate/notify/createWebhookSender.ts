import type { Template } from '../../config/index.ts';
import type { Env } from '../../env/index.ts';
import { postJson } from '../../wire/index.ts';
import {
  formatMessage,
  textOf,
  titleOf,
  todoOf,
  type Escape,
  type Message,
} from './formatNotices.ts';
import { readDelivery } from './readDelivery.ts';
import { ATTEMPT_MS, type Sender } from './Sender.ts';

interface Shape {
  /** What the service accepts in one message; below its limit. */
  most: number;
  escape: Escape;
  body(message: Message, escape: Escape): unknown;
}

const SHAPES: Readonly<Record<Template, Shape>> = {
  plain: { most: 20_000, escape: (text) => text, body: toPlain },
  slack: {
    most: 3_500,
    // The three characters by which Slack begins links and mentions, in plain text too.
    escape: (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    body: (message, escape) => ({
      text: formatMessage(message, escape),
      // Asterisks and the like stay as they are.
      mrkdwn: false,
      unfurl_links: false,
      unfurl_media: false,
    }),
  },
  discord: {
    most: 1_900,
    escape: (text) => text.replaceAll(/[\\*_~`|<>[\]()#]/g, String.raw`\$&`),
    body: (message, escape) => ({
      content: formatMessage(message, escape),
      allowed_mentions: { parse: [] },
    }),
  },
};

/** A webhook: JSON of the alerts, or the shape of Slack or Discord. */
export function createWebhookSender(
  { url, template }: { url: string; template: Template },
  env: Pick<Env, 'timers' | 'clock'>,
): Sender {
  const { most, escape, body } = SHAPES[template];
  return {
    most,
    escape,
    async send(message) {
      const asked = { url, body: body(message, escape), timeoutMs: ATTEMPT_MS, env };
      return readDelivery(await postJson(asked), env.clock.wallNow());
    },
    close() {},
  };
}

function toPlain(message: Message, escape: Escape): unknown {
  const { bot, notices, dropped } = message;
  return {
    bot,
    text: formatMessage(message, escape),
    dropped,
    alerts: notices.map((notice) => ({
      key: notice.alert.key,
      severity: notice.alert.severity,
      state: notice.kind,
      time: notice.time,
      title: titleOf(notice),
      text: textOf(notice),
      todo: todoOf(notice),
    })),
  };
}
