import {
  fillPath,
  type Dialect,
  type EndpointId,
  type EndpointSpec,
  type Exchange,
  type ServiceResponse,
} from '../../contract/index.ts';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import type { Env } from '../../env/index.ts';
import type { Transport } from '../../wire/createTransport.ts';
import { createSigner } from '../../wire/index.ts';
import { codeOf, type Answer } from './Answer.ts';
import type { Dealt } from './createOwnWork.ts';
import { Difference } from './Difference.ts';
import type { Trace } from './Trace.ts';

/** A request from the endpoint table. */
export interface Asked {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number | boolean>>;
  body?: unknown;
  /** The exact text, if `JSON.stringify` is not suitable. */
  bodyText?: string;
  wallet?: string;
  idempotencyKey?: string;
  /** Added last; an undefined value removes a header. */
  headers?: Readonly<Record<string, string | undefined>>;
  signing?: Signing;
  /** Accepts a 429 as a response instead of waiting for budget. */
  impatient?: boolean;
}

/** How a signature differs from the correct one. */
export interface Signing {
  secret?: string;
  keyId?: string;
  shiftSeconds?: number;
  /** Signed instead of what is sent; a path as it is given, below the service's address, its query included. */
  instead?: { method?: string; path?: string; body?: string };
  /** How the signature is written, instead of in lowercase. */
  written?: (signature: string) => string;
  /** No credentials at all. */
  off?: boolean;
}

/** A raw request: everything below the address, as it goes out. */
export interface RawAsked extends Omit<Asked, 'params' | 'query' | 'body'> {
  method: string;
  /** Below the service's address, `/v1` included, as sent. */
  path: string;
  /** Its endpoint, if the table has it: the dialect needs it to read the response. */
  endpoint?: EndpointId;
}

/** A client with a key. */
export interface Actor {
  readonly keyId: string;
  /** The key's default connection; empty if it isn't known. */
  readonly wallet: string;
  call(endpoint: EndpointId, asked?: Asked): Promise<Answer>;
  raw(asked: RawAsked): Promise<Answer>;
  /** The headers of a signed request, for sockets and event streams. */
  sign(path: string, signing?: Signing): Record<string, string>;
}

export interface ActorParts {
  keyId: string;
  secret: string;
  wallet: string;
  /** Path before `/v1`, empty or with a leading slash. */
  prefix: string;
  dialect: Dialect;
  transport: Transport;
  env: Pick<Env, 'clock'>;
  offsetMs: () => number;
  trace: Trace;
  /** Called before each request. @throws to end the check, for a run that was interrupted */
  beforeSend?(): void;
  /** Takes note of each request of the table that was sent, and of its answer; null if none came. */
  onDealt?(dealt: Dealt): void;
  /** Resolves when the exhausted budget may be available again. */
  waitForBudget: (retryAfterSeconds: number) => Promise<void>;
}

const MOST_WAITS = 5;

export function createActor(parts: ActorParts): Actor {
  const { dialect, transport, trace, prefix } = parts;

  const sign = (
    message: { method: string; path: string; body: string },
    signing: Signing = {},
  ): Record<string, string> => {
    if (signing.off === true) return {};
    const { keyId = parts.keyId, secret = parts.secret, shiftSeconds = 0 } = signing;
    const offsetMs = (): number => parts.offsetMs() + shiftSeconds * 1_000;
    const { instead } = signing;
    const isOther = instead?.path !== undefined;
    const spoken = isOther ? signingQueries(dialect) : dialect;
    const signer = createSigner({
      keyId,
      secret,
      dialect: spoken,
      clock: parts.env.clock,
      offsetMs,
    });
    const path = isOther ? prefix + instead.path : message.path;
    const signed = signer.sign({ ...message, ...instead, path });
    const { written = (text: string) => text } = signing;
    return { ...signed, 'X-Service-Signature': written(signed['X-Service-Signature']) };
  };

  const once = async (asked: RawAsked): Promise<Answer> => {
    const { method, bodyText: body = '' } = asked;
    const path = prefix + asked.path;
    const headers = withoutUndefined({
      Accept: 'application/json',
      ...(body === '' ? {} : { 'Content-Type': 'application/json' }),
      ...(asked.wallet === undefined ? {} : { [dialect.headers.wallet]: asked.wallet }),
      ...(asked.idempotencyKey === undefined ? {} : { 'Idempotency-Key': asked.idempotencyKey }),
      ...sign({ method, path, body }, asked.signing),
      ...asked.headers,
    });
    parts.beforeSend?.();
    trace.note(`${method} ${path}${body === '' ? '' : ` ${body.slice(0, 800)}`}`);
    const exchange = await transport.send({ method, path, headers, body });
    const { endpoint } = asked;
    const read = (response: ServiceResponse): ServiceResponse =>
      dialect.shapes.fromWire(endpoint ?? 'utility.status', response);
    if (endpoint !== undefined && exchange.kind !== 'not_sent') {
      const answer = exchange.kind === 'answered' ? read(exchange.response) : null;
      parts.onDealt?.({ endpoint, body, answer });
    }
    return read(answerOf(exchange));
  };

  const raw = async (asked: RawAsked): Promise<Answer> => {
    for (let waits = 0; ; waits++) {
      const answer = await once(asked);
      const isSpent = answer.status === 429 && codeOf(answer) === 'rate_limited';
      if (!isSpent || asked.impatient === true || waits === MOST_WAITS) return answer;
      await parts.waitForBudget(Number(answer.body.error.details?.retry_after_seconds ?? 1));
    }
  };

  return {
    keyId: parts.keyId,
    wallet: parts.wallet,
    raw,
    sign: (path, signing) => sign({ method: 'GET', path, body: '' }, signing),
    async call(endpoint, asked = {}) {
      const { params, query, body, ...rest } = asked;
      const spec = dialect.endpoints[endpoint];
      const text = body === undefined ? '' : JSON.stringify(body);
      const sent = dialect.shapes.toWire({
        endpoint,
        pathParams: params ?? {},
        query: query ?? {},
        body: text,
      });
      const target = targetOf(spec, sent.pathParams, sent.query);
      const bodyText = asked.bodyText ?? sent.body;
      return { ...(await raw({ ...rest, ...target, bodyText, endpoint })), endpoint };
    },
  };
}

/** Method and path of an endpoint, parameters and query filled in. */
function targetOf(
  spec: EndpointSpec,
  params: Asked['params'] = {},
  query: Asked['query'] = {},
): { method: string; path: string } {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  const tail = pairs.length === 0 ? '' : `?${pairs.join('&')}`;
  return { method: spec.method, path: `/v1${fillPath(spec.path, params)}${tail}` };
}

function answerOf(exchange: Exchange): ServiceResponse {
  if (exchange.kind === 'answered') return exchange.response;
  const { reason, cause } = exchange;
  const why = cause instanceof Error ? `${reason} (${cause.message})` : reason;
  throw new Difference('an answer in JSON', `${exchange.kind}: ${why}`);
}

const signingQueries = (dialect: Dialect): Dialect => ({
  ...dialect,
  signing: { ...dialect.signing, signQueryString: true },
});
