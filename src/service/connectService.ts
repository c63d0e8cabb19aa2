import { defaultDialect, type Dialect } from '../contract/index.ts';
import type { Env } from '../env/index.ts';
import { decodeFrame } from '../frames/index.ts';
import {
  createClient,
  createClockOffset,
  createHttpClient,
  createSigner,
  createSocket,
  type Client,
  type ClockOffset,
  type HttpClient,
  type ServiceSocket,
} from '../wire/index.ts';

export interface ServiceParts {
  http: HttpClient;
  socket: ServiceSocket;
  client: Client;
  clockOffset: ClockOffset;
}

/** The parts that talk to one service, with a shared signer and a shared clock offset. */
export function connectService(
  address: { baseUrl: string; wsUrl: string; keyId: string; secret: string },
  options: { env: Env; dialect?: Dialect; wallet?: string | undefined; ca?: string | undefined },
): ServiceParts {
  const { env, dialect = defaultDialect, wallet, ca } = options;
  const { baseUrl, wsUrl, keyId, secret } = address;
  const clockOffset = createClockOffset();
  const offsetMs = (): number => clockOffset.offsetMs();
  const signer = createSigner({ keyId, secret, dialect, clock: env.clock, offsetMs });
  const http = createHttpClient({ baseUrl, dialect, signer, env, clockOffset, ca });
  const decode = (text: string) => decodeFrame(text, dialect);
  const socket = createSocket({ wsUrl, dialect, signer, env, decode, clockOffset, wallet, ca });
  return { http, socket, client: createClient(http, dialect), clockOffset };
}
