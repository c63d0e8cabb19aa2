import type { ServiceLinkConfig } from './BotConfig.ts';
import type { BotSettings } from './botSettings.ts';
import type { Environment } from './environment.ts';
import type { Finding } from './Finding.ts';
import type { WatchdogSettings } from './linkSettings.ts';
import { readSecret } from './readSecret.ts';
import { Secret } from './Secret.ts';

type ServiceSettings = Exclude<BotSettings['link'], { kind: 'paper' }>;

interface From {
  environment: Environment;
  directory: string;
}

const NO_KEY: ApiKey = { keyId: '', secret: new Secret('') };

/** Reads key and secret; the secret leaves here only inside a {@link Secret} (AUTH-1). */
export async function resolveServiceLink(
  link: ServiceSettings,
  from: From & { withKey: boolean },
): Promise<{ link: ServiceLinkConfig } | { findings: Finding[] }> {
  const key = from.withKey ? await resolveKey(link, 'link', from) : NO_KEY;
  if ('findings' in key) return key;
  const baseUrl = link.base_url.replace(/\/+$/, '');
  const wsUrl = link.ws_url ?? `${baseUrl.replace(/^http/, 'ws')}/v1/stream`;
  const budgetClock = link.kind === 'paper_service' ? link.budget_clock : 'wall';
  return { link: { kind: link.kind, baseUrl, wsUrl, ...key, budgetClock } };
}

/** An API key, its secret wrapped. */
export interface ApiKey {
  keyId: string;
  secret: Secret;
}

/** @param section of the configuration that names key and secret, for findings */
export async function resolveKey(
  named: Pick<WatchdogSettings, 'key_id' | 'secret'>,
  section: 'link' | 'watchdog',
  from: From,
): Promise<ApiKey | { findings: Finding[] }> {
  const keyId =
    typeof named.key_id === 'string'
      ? { text: named.key_id }
      : await readSecret(named.key_id, from);
  const secret = await readSecret(named.secret, from);
  const findings = [
    ...judge([section, 'key_id'], keyId, 'vk_'),
    ...judge([section, 'secret'], secret, 'vs_'),
  ];
  if (findings.length > 0 || !('text' in keyId) || !('text' in secret)) return { findings };
  return { keyId: keyId.text, secret: new Secret(secret.text) };
}

function judge(
  path: string[],
  read: Awaited<ReturnType<typeof readSecret>>,
  prefix: string,
): Finding[] {
  if ('reason' in read) return [{ path, ...read }];
  if (read.text.startsWith(prefix)) return [];
  const reason = `what it refers to does not start with ${prefix}`;
  return [{ path, reason, remedy: 'Check that key id and secret have not changed places.' }];
}
