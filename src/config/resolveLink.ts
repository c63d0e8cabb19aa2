import type { ServiceLinkConfig } from './BotConfig.ts';
import type { BotSettings } from './botSettings.ts';
import type { Environment } from './environment.ts';
import type { Finding } from './Finding.ts';
import { readSecret } from './readSecret.ts';
import { Secret } from './Secret.ts';

type ServiceSettings = Exclude<BotSettings['link'], { kind: 'paper' }>;

/** Reads key and secret; the secret leaves here only inside a {@link Secret} (AUTH-1). */
export async function resolveServiceLink(
  link: ServiceSettings,
  from: { environment: Environment; directory: string },
): Promise<{ link: ServiceLinkConfig } | { findings: Finding[] }> {
  const keyId =
    typeof link.key_id === 'string' ? { text: link.key_id } : await readSecret(link.key_id, from);
  const secret = await readSecret(link.secret, from);
  const findings = [...judge('key_id', keyId, 'vk_'), ...judge('secret', secret, 'vs_')];
  if (findings.length > 0 || !('text' in keyId) || !('text' in secret)) return { findings };
  const baseUrl = link.base_url.replace(/\/+$/, '');
  const wsUrl = link.ws_url ?? `${baseUrl.replace(/^http/, 'ws')}/v1/stream`;
  return {
    link: {
      kind: link.kind,
      baseUrl,
      wsUrl,
      keyId: keyId.text,
      secret: new Secret(secret.text),
      budgetClock: link.kind === 'paper_service' ? link.budget_clock : 'wall',
    },
  };
}

function judge(
  name: 'key_id' | 'secret',
  read: Awaited<ReturnType<typeof readSecret>>,
  prefix: string,
): Finding[] {
  const path = ['link', name];
  if ('reason' in read) return [{ path, ...read }];
  if (read.text.startsWith(prefix)) return [];
  const reason = `what it refers to does not start with ${prefix}`;
  return [{ path, reason, remedy: 'Check that key id and secret have not changed places.' }];
}
