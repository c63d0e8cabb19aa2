import type { Dialect } from '../../contract/index.ts';
import type { Env, Link } from '../../env/index.ts';
import { createWireLink } from '../../runtime/index.ts';
import { connectService, type KeyChange } from '../../service/index.ts';
import type { Client } from '../../wire/index.ts';

export interface ServiceAddress {
  baseUrl: string;
  wsUrl: string;
  keyId: string;
  secret: string;
}

export interface ServiceConnection {
  link: Link;
  client: Client;
  /** The service's clock minus this machine's, milliseconds. */
  clockOffsetMs(): number;
  /** The key that signs, which can be replaced. */
  key: KeyChange;
}

/**
 * The signed client and link of one service; the same for a real one and for paper.
 *
 * @param market `frames` if a replay drives market time, `wall` on a real venue
 */
export function openService(
  address: ServiceAddress,
  options: { dialect: Dialect; env: Env; market: 'frames' | 'wall'; wallet?: string },
): ServiceConnection {
  const { market, ...rest } = options;
  const { http, socket, client, clockOffset, key } = connectService(address, rest);
  const link = createWireLink({ http, socket, env: rest.env, market, clockOffset });
  return { link, client, clockOffsetMs: clockOffset.offsetMs, key };
}
