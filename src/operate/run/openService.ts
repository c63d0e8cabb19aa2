import type { Dialect } from '../../contract/index.ts';
import type { Env, Link } from '../../env/index.ts';
import { decodeFrame } from '../../frames/index.ts';
import { createWireLink } from '../../runtime/createWireLink.ts';
import {
  createClient,
  createClockOffset,
  createHttpClient,
  createSigner,
  createSocket,
  type Client,
} from '../../wire/index.ts';

export interface ServiceAddress {
  baseUrl: string;
  wsUrl: string;
  keyId: string;
  secret: string;
}

export interface ServiceConnection {
  link: Link;
  client: Client;
}

/**
 * The signed client and link of one service; the same for a real one and for paper.
 *
 * @param market `frames` where a replay drives market time, `wall` on a real venue
 */
export function openService(
  address: ServiceAddress,
  options: { dialect: Dialect; env: Env; market: 'frames' | 'wall'; wallet?: string },
): ServiceConnection {
  const { dialect, env, market, wallet } = options;
  const { baseUrl, wsUrl, keyId, secret } = address;
  const clockOffset = createClockOffset();
  const offsetMs = (): number => clockOffset.offsetMs();
  const signer = createSigner({ keyId, secret, dialect, clock: env.clock, offsetMs });
  const http = createHttpClient({ baseUrl, dialect, signer, env, clockOffset });
  const decode = (text: string) => decodeFrame(text, dialect);
  const socket = createSocket({ wsUrl, dialect, signer, env, decode, clockOffset, wallet });
  const link = createWireLink({ http, socket, env, market, clockOffset });
  return { link, client: createClient(http, dialect) };
}
