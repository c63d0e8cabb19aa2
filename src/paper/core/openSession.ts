import type { Layer, LayerStatus } from '../../contract/index.ts';
import type { StreamGrant } from './RawExchange.ts';
import { Session, type SessionParts } from './Session.ts';
import type { StreamPort } from './StreamPort.ts';

export interface OpenSessionParts extends Omit<SessionParts, 'key' | 'wallet' | 'port'> {
  layers: Readonly<Record<Layer, LayerStatus>>;
}

/** Opens a stream and sends its welcome; undefined if the key was revoked meanwhile. */
export function openSession(
  { layers, ...parts }: OpenSessionParts,
  { grant, port, wallTime }: { grant: StreamGrant; port: StreamPort; wallTime: number },
): Session | undefined {
  const key = parts.keyring.find(grant.keyId);
  if (key === undefined) return undefined;
  const session = new Session({ ...parts, key, wallet: grant.wallet, port });
  session.welcome({ connectivity: { ...layers }, server_time: wallTime });
  try {
    for (const wish of grant.subscriptions) session.subscribe(wish);
  } catch (error) {
    session.close();
    throw error;
  }
  return session;
}
