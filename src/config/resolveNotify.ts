import { isLoopback } from '../contract/index.ts';
import { MINUTE_MS } from '../contract/durations.ts';
import type { Environment } from './environment.ts';
import type { Finding } from './Finding.ts';
import type { GuardSettings } from './guardSettings.ts';
import type { SecretReference } from './linkSettings.ts';
import type { NotifySettings, QuietHours, Severity, Template } from './notifySettings.ts';
import { readSecret } from './readSecret.ts';
import { Secret } from './Secret.ts';

/** A channel that alerts are sent to, its secret read. */
export type ChannelConfig = ChannelRules &
  (
    | { kind: 'webhook'; url: Secret; template: Template }
    | { kind: 'telegram'; token: Secret; chat: number | string }
    | { kind: 'email'; url: Secret; to: readonly string[]; from: string | undefined }
  );

/** What is sent to a channel, and when. */
export interface ChannelRules {
  /** The least urgent alerts that it gets. */
  min: Severity;
  digestMs: number;
  repeatMs: number;
  quiet: QuietHours | null;
}

export interface NotifyConfig {
  channels: readonly ChannelConfig[];
  /** After how long a position without a stop is an alert, seconds; null: never. */
  uncoveredSeconds: number | null;
}

/** A stop that a strategy attaches after its entry needs some time. */
const UNCOVERED_SECONDS = 60;

/** Reads the secrets of the channels, and checks what they must look like without repeating them. */
export async function resolveNotify(
  settings: NotifySettings | undefined,
  guards: GuardSettings,
  from: { environment: Environment; directory: string },
): Promise<{ notify: NotifyConfig | null } | { findings: Finding[] }> {
  if (settings === undefined || settings.length === 0) return { notify: null };
  const findings: Finding[] = [];
  const channels: ChannelConfig[] = [];
  for (const [index, channel] of settings.entries()) {
    const read = async (name: 'url' | 'token', reference: SecretReference, check: Check) => {
      const path = ['operate', 'notify', index, name];
      const found = await readSecret(reference, from);
      const wrong = 'text' in found ? check(found.text) : found;
      if (wrong !== undefined) findings.push({ code: 'TRIMTAB_CONFIG_SECRET', path, ...wrong });
      return 'text' in found && wrong === undefined ? new Secret(found.text) : undefined;
    };
    const resolved = await resolveChannel(channel, read);
    if (resolved !== undefined) channels.push(resolved);
  }
  if (findings.length > 0) return { findings };
  return { notify: { channels, uncoveredSeconds: uncoveredSecondsOf(guards) } };
}

type Check = (text: string) => { reason: string; remedy: string } | undefined;
type Read = (
  name: 'url' | 'token',
  reference: SecretReference,
  check: Check,
) => Promise<Secret | undefined>;

async function resolveChannel(
  channel: NotifySettings[number],
  read: Read,
): Promise<ChannelConfig | undefined> {
  const { min, digest_seconds: digest, repeat_minutes: repeat, quiet_hours: quiet } = channel;
  const rules: ChannelRules = {
    min: min === 'error' ? 'ticket' : min,
    digestMs: digest * 1_000,
    repeatMs: repeat * MINUTE_MS,
    quiet: quiet ?? null,
  };
  switch (channel.kind) {
    case 'webhook': {
      const url = await read('url', channel.url, checkWebhook);
      const { kind, template } = channel;
      return url && { kind, url, template, ...rules };
    }
    case 'telegram': {
      const token = await read('token', channel.token, checkToken);
      const { kind, chat } = channel;
      return token && { kind, token, chat, ...rules };
    }
    default: {
      const url = await read('url', channel.url, checkMailServer);
      const { kind, to, from } = channel;
      return url && { kind, url, to, from, ...rules };
    }
  }
}

const checkWebhook: Check = (text) => {
  const url = URL.parse(text);
  const isPlain = url?.protocol === 'http:' && isLoopback(url.hostname);
  if (url !== null && (url.protocol === 'https:' || isPlain) && url.username + url.password === '')
    return undefined;
  return {
    reason: 'what it refers to is no address of a webhook: https://…, without a user name',
    remedy: 'Copy the whole address from the service; http:// is for this machine only.',
  };
};

const checkToken: Check = (text) =>
  /^\d{1,20}:[A-Za-z0-9_-]{30,64}$/.test(text)
    ? undefined
    : {
        reason: 'what it refers to is no token of a Telegram bot',
        remedy: 'Copy the token that @BotFather shows: digits, a colon, 35 characters.',
      };

const checkMailServer: Check = (text) => {
  const url = URL.parse(text);
  const isMail = url?.protocol === 'smtp:' || url?.protocol === 'smtps:';
  if (isMail && url.hostname !== '' && url.search === '' && isDecodable(url)) return undefined;
  return {
    reason: 'what it refers to is no address of a mail server: smtps://USER:PASSWORD@HOST',
    remedy: 'Write it without a query; escape @ : / and % in user and password as %40 %3A %2F %25.',
  };
};

function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** A bot that is meant to run without stops says so, and is not reported for it. */
export function uncoveredSecondsOf(guards: GuardSettings): number | null {
  const { warn_uncovered_seconds: warn, max_uncovered_seconds: most } = guards;
  return warn ?? (most === 'off' ? null : UNCOVERED_SECONDS);
}
