import { z } from 'zod';
import { secretReference } from './linkSettings.ts';

/** How urgent an alert is, least first. */
export const SEVERITIES = ['report', 'ticket', 'page'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Bodies that a webhook can be sent. */
const TEMPLATES = ['plain', 'slack', 'discord'] as const;
export type Template = (typeof TEMPLATES)[number];

const clock = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, such as "22:00"');

const quietHours = z
  .strictObject({
    from: clock.meta({ description: 'Local time at which they begin, such as "22:00".' }),
    until: clock.meta({ description: 'Local time at which they end, such as "07:00".' }),
    tz: z
      .string()
      .refine(isTimeZone, 'must be a time zone of the IANA list, such as Europe/Berlin')
      .meta({ description: 'Time zone, such as Europe/Berlin; summer time is followed.' }),
  })
  .refine(({ from, until }) => from !== until, 'from and until are the same time');
export type QuietHours = z.output<typeof quietHours>;

const shared = {
  min: z
    .enum([...SEVERITIES, 'error'])
    .default('page')
    .meta({
      description:
        'The least urgent alerts that are sent: `page` (now), `ticket` (today), `report` (all). `error` is another word for `ticket`.',
    }),
  digest_seconds: z.number().min(0).max(86_400).default(0).meta({
    description:
      'How long alerts are collected, to be sent as one message. A page waits at most 5 seconds.',
  }),
  repeat_minutes: z.number().min(1).max(10_080).default(60).meta({
    description:
      'The same alert is not sent again within this time. A page that lasts is sent again after it.',
  }),
  quiet_hours: quietHours.optional().meta({
    description: 'When only pages are sent; the rest waits until they end. Default: none.',
  }),
};

const webhook = z.strictObject({
  kind: z.literal('webhook'),
  url: secretReference.meta({
    description:
      'Where the address is read, https only: {env: NAME} or {file: PATH}; who knows it can write to the channel, so it is a secret.',
  }),
  template: z.enum(TEMPLATES).default('plain').meta({
    description: 'Body of the message: JSON of the alerts, or what Slack or Discord expect.',
  }),
  ...shared,
});

const telegram = z.strictObject({
  kind: z.literal('telegram'),
  token: secretReference.meta({
    description: "Where the bot's token is read: {env: NAME} or {file: PATH}; never itself.",
  }),
  chat: z
    .union([z.int(), z.string().regex(/^@[A-Za-z]\w{3,31}$/, 'must be a number or @name')])
    .meta({ description: 'Id of the chat, or the @name of a public channel.' }),
  ...shared,
});

/** No line breaks, so that no address adds a header. */
const address = z
  .string()
  .regex(/^[^\s@<>,;:"]{1,64}@[^\s@<>,;:"]{1,255}$/, 'must be an address, such as ops@example.org');

const email = z.strictObject({
  kind: z.literal('email'),
  url: secretReference.meta({
    description:
      'Where the mail server is read, as smtps://USER:PASSWORD@HOST or smtp://USER:PASSWORD@HOST:587 (with STARTTLS): {env: NAME} or {file: PATH}.',
  }),
  to: z.array(address).min(1).max(20).meta({ description: 'Recipients.' }),
  from: address.optional().meta({
    description: 'Sender. Default: the user of the mail server, or the first recipient.',
  }),
  ...shared,
});

/** Where a bot's alerts are sent. */
export const notifySettings = z
  .array(z.discriminatedUnion('kind', [webhook, telegram, email]))
  .max(10)
  .meta({ description: "Where the bot's alerts are sent. Default: nowhere." });
export type NotifySettings = z.output<typeof notifySettings>;

function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
