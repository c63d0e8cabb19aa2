import { requireFields } from '../contract/failures/requireFields.ts';
import { withCode, type Dialect } from '../contract/index.ts';
import { createLiveEnv, type Env } from '../env/index.ts';
import type { Client, ServiceSocket } from '../wire/index.ts';
import { connectService } from './connectService.ts';

/**
 * Address of a service, and an API key for it: the field names of the line that `trimtab paper` prints.
 */
export interface ServiceAddress {
  /** `https://…` without `/v1`; plain `http` to this machine only. */
  base_url: string;
  /** `wss://…/v1/stream`, path included; plain `ws` to this machine only. */
  ws_url: string;
  /** `vk_…` */
  key_id: string;
  /** `vs_…`; it stays in the signer, and nothing prints it. */
  secret: string;
}

export interface OpenServiceOptions {
  /** Differences of this service from the default; see {@link Dialect}. */
  dialect?: Dialect;
  /** Clock, timers, randomness and log; default: this machine's, without a log. */
  env?: Env;
  /** The socket's connection id; absent: the key's default. The client takes its own at each call. */
  wallet?: string;
  /** PEM of a private certificate authority, beside the system's. */
  ca?: string;
}

/** The signed client and the socket of one service; they share the key and the clock offset. */
export interface OpenedService {
  client: Client;
  /** Connects at its `open(listener)`, and reconnects until it is closed. */
  socket: ServiceSocket;
  /** Closes both and abandons requests in flight. A second call does nothing. */
  close(): Promise<void>;
}

/**
 * Client and socket of a service in one call. Nothing is sent before the client's first call and the
 * socket's `open`.
 *
 * ```ts
 * const { client, socket, close } = openService(paper);
 * socket.open({ onFrame: () => {}, onFault: () => {}, onStatus: () => {} });
 * const { equity } = await client.account.get();
 * equity >= 0; // => true
 * await close();
 * ```
 *
 * @param address the fields as `trimtab paper` prints them; others are ignored
 * @throws TypeError if a field is missing, empty or has a line break, with the field's name, and for an
 *   address to which requests must not go (not a URL, or plain text to another machine)
 */
export function openService(
  address: ServiceAddress,
  options: OpenServiceOptions = {},
): OpenedService {
  requireFields('openService', address);
  for (const name of ['base_url', 'ws_url', 'key_id', 'secret'] as const)
    requireText(address, name);
  const { base_url: baseUrl, ws_url: wsUrl, key_id: keyId, secret } = address;
  const { env = createLiveEnv() } = options;
  const parts = connectService({ baseUrl, wsUrl, keyId, secret }, { ...options, env });
  const { client, socket, http } = parts;
  let closing: Promise<void> | undefined;
  const closeBoth = async (): Promise<void> => {
    await Promise.all([socket.close(), http.close()]);
  };
  return { client, socket, close: () => (closing ??= closeBoth()) };
}

/** The value is not repeated: it may be the secret. */
function requireText(address: Partial<ServiceAddress>, name: keyof ServiceAddress): void {
  const value: unknown = address[name];
  if (typeof value !== 'string' || value.trim() === '') {
    const what = typeof value === 'string' ? 'empty' : value === undefined ? 'missing' : 'no text';
    throw withCode(
      'TRIMTAB_SERVICE_ADDRESS',
      new TypeError(
        `openService: \`${name}\` is ${what}; give { base_url, ws_url, key_id, secret }.`,
      ),
    );
  }
  if (/[\r\n]/.test(value)) {
    throw withCode(
      'TRIMTAB_SERVICE_ADDRESS',
      new TypeError(`openService: \`${name}\` has a line break; trim what it was read from.`),
    );
  }
}
