import { resolve } from 'node:path';
import { isLoopback } from '../contract/index.ts';
import type { Environment } from './environment.ts';
import type { Finding } from './Finding.ts';
import type { GuardSettings } from './guardSettings.ts';
import type { SecretReference } from './linkSettings.ts';
import { toListenAddress, type ListenAddress, type OperateSettings } from './operateSettings.ts';
import { readSecret } from './readSecret.ts';
import { resolveNotify, uncoveredSecondsOf, type NotifyConfig } from './resolveNotify.ts';
import { Secret } from './Secret.ts';

/** The operator's server and alerts, their secrets read. */
export interface OperateConfig {
  /** A socket's path is absolute; null: no server. */
  listen: ListenAddress | null;
  hosts: readonly string[];
  readToken: Secret | null;
  controlToken: Secret | null;
  /** Null: alerts are sent nowhere. */
  notify: NotifyConfig | null;
  /** After how long a position without a stop is an alert of a monitor, seconds; absent or null: never. */
  uncoveredSeconds?: number | null;
}

interface From {
  environment: Environment;
  directory: string;
  /** Whether tokens are read; a command to a bot needs none of them. */
  withKey: boolean;
  guards: GuardSettings;
}

const LEAST_TOKEN = 16;
/** A header can't carry anything else. */
const SENDABLE = /^[\x21-\x7e]+$/;

export async function resolveOperate(
  settings: OperateSettings | undefined,
  from: From,
): Promise<{ operate: OperateConfig | null } | { findings: Finding[] }> {
  if (settings === undefined) return { operate: null };
  const listen = resolveListen(settings.listen, from.directory);
  const { hosts } = settings;
  if (!from.withKey) {
    return { operate: { listen, hosts, readToken: null, controlToken: null, notify: null } };
  }
  const findings: Finding[] = listen === null ? [] : exposed(settings, listen);
  const read = async (name: 'read_token' | 'control_token'): Promise<Secret | null> => {
    const token = await readToken(name, settings[name], from);
    if (token === null || 'text' in token) return token === null ? null : new Secret(token.text);
    findings.push(token);
    return null;
  };
  const readable = await read('read_token');
  const controlToken = await read('control_token');
  if (controlToken !== null && readable?.reveal() === controlToken.reveal()) {
    findings.push({
      code: 'TRIMTAB_CONFIG_BAD_VALUE',
      path: ['operate', 'control_token'],
      reason: 'is the same as read_token, so that who may read may also control',
      remedy: 'Make another one: openssl rand -hex 24',
    });
  }
  const notify = await resolveNotify(settings.notify, from.guards, from);
  if ('findings' in notify) findings.push(...notify.findings);
  if (findings.length > 0 || 'findings' in notify) return { findings };
  const uncoveredSeconds = uncoveredSecondsOf(from.guards);
  return {
    operate: { listen, hosts, readToken: readable, controlToken, ...notify, uncoveredSeconds },
  };
}

function resolveListen(text: string, directory: string): ListenAddress | null {
  const address = toListenAddress(text);
  if (address === undefined) return null;
  return 'socket' in address ? { socket: resolve(directory, address.socket) } : address;
}

/** A server that other machines can reach needs both tokens, and TLS in front of it. */
function exposed(settings: OperateSettings, listen: ListenAddress): Finding[] {
  if ('socket' in listen || isLoopback(listen.host)) return [];
  const missing = (['read_token', 'control_token'] as const).filter(
    (name) => settings[name] === undefined,
  );
  const lacks = [...missing, ...(settings.tls_in_front ? [] : ['tls_in_front: true'])];
  if (lacks.length === 0) return [];
  return [
    {
      code: 'TRIMTAB_CONFIG_BAD_VALUE',
      path: ['operate', 'listen'],
      reason: `${listen.host} can be reached from other machines, and this is missing: ${lacks.join(', ')}`,
      remedy:
        'Listen on 127.0.0.1, or give both tokens and set tls_in_front once a proxy with TLS stands before it.',
    },
  ];
}

async function readToken(
  name: 'read_token' | 'control_token',
  reference: SecretReference | undefined,
  from: From,
): Promise<{ text: string } | Finding | null> {
  if (reference === undefined) return null;
  const path = ['operate', name];
  const found = await readSecret(reference, from);
  if (!('text' in found)) return { code: 'TRIMTAB_CONFIG_SECRET', path, ...found };
  if (found.text.length >= LEAST_TOKEN && SENDABLE.test(found.text)) return found;
  return {
    code: 'TRIMTAB_CONFIG_SECRET',
    path,
    reason: `what it refers to is no token: at least ${LEAST_TOKEN} printable characters without blanks`,
    remedy: 'Make one: openssl rand -hex 24',
  };
}
