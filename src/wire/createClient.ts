import { requireFields } from '../contract/failures/requireFields.ts';
import type { Dialect } from '../contract/dialect.ts';
import {
  ENDPOINT_IDS,
  endpointSpec,
  type BodyOf,
  type EndpointId,
  type PathParamsOf,
  type QueryOf,
  type ResponseOf,
} from '../contract/endpoints.ts';
import type { Exchange, ServiceRequest } from '../contract/exchange.ts';
import { createUuid } from '../env/createUuid.ts';
import { UnsendableValueError } from './errors/UnsendableValueError.ts';
import { readRecord } from './readRecord.ts';
import { requireCall, requirePathParams, requireRequest } from './requireCall.ts';
import { requireSendable } from './requireSendable.ts';

/** Streams are long answers, not records: the socket and the event stream serve them. */
type RecordEndpoint = Exclude<EndpointId, `streams.${string}`>;
type FamilyOf<E extends string> = E extends `${infer Family}.${string}` ? Family : never;

interface CallOptions {
  /** Connection id; absent: the key's default. */
  wallet?: string;
  /**
   * A launch without a key is given one, since the service refuses it otherwise (AUTH-6). A caller that
   * supplies its own can send the same again after a {@link NoAnswerError}; a generated one is in that error.
   */
  idempotencyKey?: string;
}

type BodyPart<E extends EndpointId> = BodyOf<E> extends undefined ? unknown : { body: BodyOf<E> };
/** An endpoint without a query has the empty record for it, whose keys are any string. */
type QueryPart<E extends EndpointId> = string extends keyof QueryOf<E>
  ? unknown
  : object extends QueryOf<E>
    ? { query?: QueryOf<E> }
    : { query: QueryOf<E> };

/** A method's arguments: path parameters by name, `query`, `body`, and the call's headers. */
type CallInput<E extends EndpointId> = CallOptions &
  Record<PathParamsOf<E>, string> &
  QueryPart<E> &
  BodyPart<E>;

/** The argument may be omitted if nothing in it is required. */
type CallArguments<E extends EndpointId> =
  CallOptions extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>];

export type ClientMethod<E extends EndpointId> = (
  ...input: CallArguments<E>
) => Promise<ResponseOf<E>>;

/** One typed method per endpoint, by family: `client.orders.place({ body })`. */
export type Client = {
  [Family in FamilyOf<RecordEndpoint>]: {
    [
      E in RecordEndpoint as E extends `${Family}.${infer Method}` ? Method : never
    ]: ClientMethod<E>;
  };
} & {
  /** The layer below: an exchange as it was, never an exception for an answer of the service. */
  request(request: ServiceRequest): Promise<Exchange>;
};

interface Requester {
  request(request: ServiceRequest): Promise<Exchange>;
}

/**
 * Creates the client from the endpoint table (spec §4). A method returns the record, checked against the
 * table's schema with unknown fields retained (ERR-2).
 *
 * ```ts
 * const { clock, timers } = createLiveEnv();
 * const signer = createSigner({ keyId: paper.key_id, secret: paper.secret, dialect: defaultDialect, clock });
 * const http = createHttpClient({ baseUrl: paper.base_url, dialect: defaultDialect, signer, env: { clock, timers } });
 * const client = createClient(http, defaultDialect);
 * const { equity } = await client.account.get();
 * equity >= 0; // => true
 * await http.close();
 * ```
 *
 * @throws ServiceFaultError the service refused the request (ERR-1)
 * @throws NotSentError | NoAnswerError the exchange failed on the wire
 * @throws UnexpectedResponseError a success in another shape
 * @throws TypeError before anything is sent: a parameter that is missing, of another type, or unknown
 * @throws UnsendableValueError before anything is sent: a value that JSON can't carry, such as NaN
 */
export function createClient(http: Requester, dialect: Pick<Dialect, 'endpoints'>): Client {
  requireFields('createClient', http, ['request']);
  const client: Record<string, unknown> = {
    request: async (request: ServiceRequest) => {
      requireRequest(request);
      return http.request(request);
    },
  };
  for (const endpoint of ENDPOINT_IDS) {
    const [family = '', method = ''] = endpoint.split('.');
    if (family === 'streams') continue;
    const methods = (client[family] ??= {}) as Record<string, unknown>;
    const { response } = dialect.endpoints[endpoint];
    methods[method] = async (input: LooseInput = {}) => {
      const request = toServiceRequest(endpoint, input);
      const { idempotencyKey } = request;
      return readRecord({ endpoint, idempotencyKey }, await http.request(request), response);
    };
  }
  return client as Client;
}

interface LooseInput extends CallOptions {
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  body?: unknown;
  [pathParam: string]: unknown;
}

/**
 * The request of a method's input; `body` becomes the exact text that is signed and sent (AUTH-2).
 *
 * @throws TypeError for what is no input of that method
 * @throws UnsendableValueError with the path of the field that JSON or an address can't carry
 */
export function toServiceRequest(endpoint: EndpointId, input: LooseInput): ServiceRequest {
  requireCall(endpoint, input);
  const { wallet, query = {}, body, ...rest } = input;
  const { idempotencyKey = needsKey(endpoint) ? createUuid() : undefined, ...pathParams } = rest;
  const given = Object.entries(query).filter((pair) => pair[1] !== undefined);
  for (const [name, value] of given) requireWord(['query', name], value);
  for (const [name, value] of Object.entries(pathParams)) {
    if (value !== undefined) requireWord([name], value);
  }
  requirePathParams(endpoint, pathParams);
  requireSendable(body);
  return {
    endpoint,
    pathParams: pathParams as Record<string, string>,
    query: Object.fromEntries(given) as ServiceRequest['query'],
    body: endpointSpec(endpoint).body === null || body === undefined ? '' : JSON.stringify(body),
    ...(wallet === undefined ? {} : { wallet }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
}

/** `POST /v1/execute` is refused without a key (AUTH-6). */
export const needsKey = (endpoint: EndpointId): boolean => endpoint === 'executions.launch';

/** A value in an address is a text, a finite number or a boolean. */
function requireWord(path: readonly string[], value: unknown): void {
  requireSendable(value, path);
  if (typeof value !== 'object') return;
  const what = value === null ? 'null' : 'an object';
  const remedy = 'an address takes a text, a number or a boolean; leave the parameter out';
  throw new UnsendableValueError(path.join('.'), what, remedy);
}
