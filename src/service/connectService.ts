import { defaultDialect, type Dialect } from '../contract/index.ts';
import type { Env } from '../env/index.ts';
import { decodeFrame } from '../frames/index.ts';
import {
  createChangeableSigner,
  createClient,
  createClockOffset,
  createHttpClient,
  createKeyedSocket,
  createSendGate,
  createSigner,
  type Client,
  type ClockOffset,
  type HttpClient,
  type KeyedSocket,
  type SendGate,
  type ServiceSocket,
  type Signer,
} from '../wire/index.ts';
import { createKeyChange, type KeyChange, type KeyPair } from './createKeyChange.ts';

export interface ServiceParts {
  http: HttpClient;
  socket: ServiceSocket;
  client: Client;
  clockOffset: ClockOffset;
  key: KeyChange;
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
  const signerOf = (pair: KeyPair) =>
    createSigner({ ...pair, dialect, clock: env.clock, offsetMs });
  const signer = createChangeableSigner(signerOf({ keyId, secret }));
  const shared = { baseUrl, dialect, env, clockOffset, ca };
  const plain = createHttpClient({ ...shared, signer });
  const decode = (text: string) => decodeFrame(text, dialect);
  const keyed = createKeyedSocket({ wsUrl, dialect, signer, env, decode, clockOffset, wallet, ca });
  const gate = createSendGate();
  const http = gatedHttp(plain, gate);
  const clientOf = (next: Signer) => {
    const own = createHttpClient({ ...shared, signer: next });
    return { client: createClient(own, dialect), close: () => own.close() };
  };
  const key = createKeyChange({ env, signer, gate, socket: keyed, signerOf, clientOf });
  const socket = gatedSocket(keyed, gate);
  return { http, socket, client: createClient(http, dialect), clockOffset, key };
}

const gatedHttp = (http: HttpClient, gate: SendGate): HttpClient => ({
  request: (request, options) => gate.pass(() => http.request(request, options)),
  close: () => http.close(),
});

/** Commands wait like requests; a subscription is no command and belongs to its connection. */
const gatedSocket = (socket: KeyedSocket, gate: SendGate): ServiceSocket => ({
  open: (listener) => socket.open(listener),
  send: (message) => socket.send(message),
  command: (name, args, options) => gate.pass(() => socket.command(name, args, options)),
  close: () => socket.close(),
});
