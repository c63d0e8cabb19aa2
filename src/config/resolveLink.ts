import type { ServiceLinkConfig } from './BotConfig.ts';
import type { BotSettings } from './botSettings.ts';
import type { Environment } from './environment.ts';
import type { Finding } from './Finding.ts';
import type { NamedKey, SecretReference } from './linkSettings.ts';
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
  const wsUrl = link.ws_url ?? streamOf(baseUrl);
  const budgetClock = link.kind === 'paper_service' ? link.budget_clock : 'wall';
  const startRetrySeconds = link.start_retry_seconds;
  const authRetrySeconds = link.auth_retry_seconds;
  const waits = { startRetrySeconds, authRetrySeconds };
  const named = { key_id: link.key_id, secret: link.secret };
  return { link: { kind: link.kind, baseUrl, wsUrl, ...key, named, budgetClock, ...waits } };
}

/** Where a service of this base address has its stream (conventions §5). */
export const streamOf = (baseUrl: string): string => `${baseUrl.replace(/^http/, 'ws')}/v1/stream`;

/** An API key, its secret wrapped. */
export interface ApiKey {
  keyId: string;
  secret: Secret;
}

/** @param section the section of the configuration with key and secret, for findings */
export async function resolveKey(
  named: NamedKey,
  section: 'link' | 'watchdog',
  from: From,
): Promise<ApiKey | { findings: Finding[] }> {
  const keyId =
    typeof named.key_id === 'string'
      ? { text: named.key_id }
      : await readSecret(named.key_id, from);
  const secret = await readSecret(named.secret, from);
  const findings = [
    ...checkCredential([section, 'key_id'], keyId, {
      prefix: 'vk_',
      source: sourceOf(named.key_id),
    }),
    ...checkCredential([section, 'secret'], secret, {
      prefix: 'vs_',
      source: sourceOf(named.secret),
    }),
  ];
  if (findings.length > 0 || !('text' in keyId) || !('text' in secret)) return { findings };
  return { keyId: keyId.text, secret: new Secret(secret.text) };
}

/** Anything but printable ASCII, such as a line break in a pasted key. */
const UNSENDABLE = /[^\x21-\x7e]/;

/** The source of a value, by name; never the value. */
function sourceOf(named: string | SecretReference): string {
  if (typeof named === 'string') return 'the configuration';
  return 'env' in named ? `the environment variable ${named.env}` : `the file ${named.file}`;
}

function checkCredential(
  path: string[],
  read: Awaited<ReturnType<typeof readSecret>>,
  { prefix, source }: { prefix: string; source: string },
): Finding[] {
  if ('reason' in read) return [{ code: 'TRIMTAB_CONFIG_SECRET', path, ...read }];
  if (UNSENDABLE.test(read.text)) {
    const reason = `${source} holds a line break or another character that no header can carry`;
    return [
      {
        code: 'TRIMTAB_CONFIG_SECRET',
        path,
        reason,
        remedy: `Write it into ${source} again, as one line.`,
      },
    ];
  }
  if (read.text.startsWith(prefix)) return [];
  const reason = `what it refers to does not start with ${prefix}`;
  return [
    {
      code: 'TRIMTAB_CONFIG_SECRET',
      path,
      reason,
      remedy: 'Check that key id and secret have not changed places.',
    },
  ];
}
