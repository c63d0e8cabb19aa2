import type { Transporter } from 'nodemailer';
import { isLoopback } from '../../contract/index.ts';
import { atMost, type Env } from '../../env/index.ts';
import { formatMessage, titleOf, type Message } from './formatNotices.ts';
import { ATTEMPT_MS, type Delivery, type Sender } from './Sender.ts';

export interface EmailOptions {
  /** `smtps://USER:PASSWORD@HOST` or `smtp://USER:PASSWORD@HOST:587`. */
  url: string;
  to: readonly string[];
  from: string | undefined;
}

const MOST_CHARS = 50_000;
const escape = (text: string): string => text;

/** Mail by SMTP, a connection a message. Credentials never go over a plain connection to another machine. */
export function createEmailSender(options: EmailOptions, env: Pick<Env, 'timers'>): Sender {
  const { url, to } = options;
  const { server } = readServer(url);
  const from = options.from ?? senderOf(url, to);
  const open = new Set<Transporter>();
  const send = async (message: Message): Promise<Delivery> => {
    // Loaded by who sends mail, and by nobody else.
    const { createTransport } = await import('nodemailer');
    const transporter = createTransport(server);
    open.add(transporter);
    try {
      const mail = {
        from,
        to: [...to],
        subject: subjectOf(message),
        text: formatMessage(message, escape),
        disableFileAccess: true,
        disableUrlAccess: true,
      };
      const sent = transporter
        .sendMail(mail)
        .then((): Delivery => ({ kind: 'delivered' }), refusal);
      return (await atMost(env.timers, sent, ATTEMPT_MS)) ?? { kind: 'retry', reason: 'timeout' };
    } finally {
      transporter.close();
      open.delete(transporter);
    }
  };
  return {
    most: MOST_CHARS,
    escape,
    send,
    close() {
      for (const transporter of open) transporter.close();
    },
  };
}

/** Who a mail is from, where the configuration does not say. */
export function senderOf(url: string, to: readonly string[]): string {
  const { user } = readServer(url);
  return user.includes('@') ? user : to[0]!;
}

function readServer(text: string) {
  const url = new URL(text);
  const secure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  const pass = decodeURIComponent(url.password);
  const host = url.hostname.replaceAll(/^\[|\]$/g, '');
  const server = {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !secure && !isLoopback(host),
    // A server of this machine has no certificate that could be verified.
    ignoreTLS: !secure && isLoopback(host),
    ...(user === '' ? {} : { auth: { user, pass } }),
    connectionTimeout: ATTEMPT_MS,
    greetingTimeout: ATTEMPT_MS,
    socketTimeout: ATTEMPT_MS,
    logger: false,
  };
  return { user, server };
}

/** A header: `titleOf` has no line breaks. */
function subjectOf({ bot, notices }: Message): string {
  const rest = notices.length > 1 ? ` (+${notices.length - 1})` : '';
  return `[${bot}] ${titleOf(notices[0]!)}${rest}`;
}

/** A 5xx of the server is final; its text is not repeated, since it may quote what it was sent. */
function refusal(error: unknown): Delivery {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  const reason = responseCode === undefined ? (code ?? 'failed') : `SMTP ${responseCode}`;
  const isFinal = responseCode !== undefined && responseCode >= 500;
  return { kind: isFinal ? 'refused' : 'retry', reason };
}
