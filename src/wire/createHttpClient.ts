import { isOfCache } from '../contract/isOfCache.ts';
import { requireFields } from '../contract/failures/requireFields.ts';
import { defaultDialect, type Dialect } from '../contract/dialect.ts';
import { fillPath, type EndpointId } from '../contract/endpoints.ts';
import { readEnvelope } from '../contract/errorEnvelope.ts';
import type { Exchange, ServiceRequest } from '../contract/exchange.ts';
import type { Env } from '../env/Env.ts';
import type { ClockOffset } from './createClockOffset.ts';
import type { Signer } from './createSigner.ts';
import { createTransport, type Transport, type TransportOptions } from './createTransport.ts';
import { requireSafeUrl } from './requireSafeUrl.ts';

/** Sends requests to the service over HTTP, signed, once each: retries are decided elsewhere. */
export interface HttpClient {
  /**
   * Never rejects for failures on the wire; rejects for a request that can't be written (a path parameter
   * missing, a header with a line break).
   */
  request(request: ServiceRequest, options?: RequestOptions): Promise<Exchange>;
  /** Aborts what is in flight, and closes the connections. */
  close(): Promise<void>;
}

export interface RequestOptions {
  /** Default 30 s (LIM-3). */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface HttpClientOptions extends Omit<TransportOptions, 'origin' | 'env'> {
  /** Without `/v1`; a path prefix is retained and signed. */
  baseUrl: string;
  dialect: Dialect;
  signer: Signer;
  env: Pick<Env, 'clock' | 'timers'>;
  /** Learns the service's clock from its answers, if given. */
  clockOffset?: ClockOffset;
  /** The transport; default: HTTP/1.1 to the address. */
  transport?: Transport;
}

/**
 * The service by HTTP: each request is signed and sent once, and what came of it is a value, an answer or the reason why
 * there is none.
 *
 * ```ts
 * const { clock, timers } = createLiveEnv();
 * const signer = createSigner({ keyId: paper.key_id, secret: paper.secret, dialect: defaultDialect, clock });
 * const http = createHttpClient({ baseUrl: paper.base_url, dialect: defaultDialect, signer, env: { clock, timers } });
 * const exchange = await http.request({ endpoint: 'account.get', pathParams: {}, query: {}, body: '' });
 * exchange.kind; // => 'answered'
 * await http.close();
 * ```
 *
 * @throws TypeError for an address that requests must not go to, see {@link requireSafeUrl}
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  requireFields('createHttpClient', options, ['baseUrl', 'dialect', 'signer', 'env']);
  const { dialect, signer, env, clockOffset } = options;
  const url = requireSafeUrl(options.baseUrl, 'http');
  const prefix = `${url.pathname.replace(/\/+$/, '')}/v1`;
  const transport = options.transport ?? createTransport({ ...options, origin: url.origin });

  return {
    async request(request, { timeoutMs, signal } = {}) {
      const spec = dialect.endpoints[request.endpoint];
      const { pathParams, query, body } = dialect.shapes.toWire(request);
      const path = prefix + fillPath(spec.path, pathParams) + toQueryString(query);
      const signed = spec.scope === null ? {} : signer.sign({ method: spec.method, path, body });
      const headers = { ...plainHeaders({ ...request, body }, dialect), ...signed };
      const sentAt = env.clock.wallNow();
      const message = { method: spec.method, path, headers, body, timeoutMs, signal };
      const { endpoint } = request;
      const exchange = readByDialect(await transport.send(message), { dialect, endpoint });
      if (clockOffset) learnFrom(exchange, { clockOffset, endpoint, sentAt, env });
      return exchange;
    },
    close: () => transport.close(),
  };
}

/** `?a=1&b=x%2Fy`, in the given order; empty if there is none. */
function toQueryString(query: ServiceRequest['query']): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function plainHeaders(request: ServiceRequest, dialect: Dialect): Record<string, string> {
  const headers: Record<string, string> = { Accept: 'application/json', 'User-Agent': 'trimtab' };
  if (request.body !== '') headers['Content-Type'] = 'application/json';
  if (request.wallet !== undefined) headers[dialect.headers.wallet] = request.wallet;
  if (request.idempotencyKey !== undefined) headers['Idempotency-Key'] = request.idempotencyKey;
  return headers;
}

interface Learning {
  clockOffset: ClockOffset;
  endpoint: EndpointId;
  sentAt: number;
  env: Pick<Env, 'clock'>;
}

function learnFrom(exchange: Exchange, { clockOffset, endpoint, sentAt, env }: Learning): void {
  if (exchange.kind !== 'answered') return;
  const { status, headers, body } = exchange.response;
  // An answer from a cache carries an old time, and a gateway's refusal one of its own.
  if (isOfCache(exchange.response)) return;
  const refusal = readEnvelope(body);
  if (status >= 300 && refusal === undefined) return;
  const isTimeRefused = refusal?.error.code === 'timestamp_out_of_window';
  const receivedAt = env.clock.wallNow();
  const times = { sentAt, receivedAt, isTimeRefused };
  const exact = (body as { server_time?: unknown } | null)?.server_time;
  // One answer is one reading: two of the same machine would confirm each other.
  if (endpoint === 'utility.status' && typeof exact === 'number')
    return clockOffset.learn({ serverTime: exact, resolutionMs: 1, ...times });
  clockOffset.learn({
    serverTime: Date.parse(headers['date'] ?? ''),
    resolutionMs: 1000,
    ...times,
  });
}

/**
 * An answer in the framework's names and shapes. A page that could not be read may still contain its request
 * id, which a support desk needs. An answer that the dialect's functions can't read counts as no answer: what
 * became of the request is unknown.
 */
function readByDialect(
  exchange: Exchange,
  { dialect, endpoint }: { dialect: Dialect; endpoint: EndpointId },
): Exchange {
  if (exchange.kind === 'not_sent') return exchange;
  if (exchange.kind === 'no_answer') {
    const { unread } = exchange;
    if (unread === undefined) return exchange;
    return { ...exchange, ...requestIdOf(unread.headers, dialect) };
  }
  const { response } = exchange;
  const headers = withOurNames(response.headers, dialect);
  try {
    return {
      kind: 'answered',
      response: dialect.shapes.fromWire(endpoint, { ...response, headers }),
    };
  } catch (cause) {
    const unread = { status: response.status, headers, isEmpty: false };
    const lost = { kind: 'no_answer', reason: 'not_normalised', cause, unread } as const;
    return { ...lost, ...requestIdOf(headers, dialect) };
  }
}

function requestIdOf(headers: Readonly<Record<string, string>>, { headers: names }: Dialect) {
  const requestId = headers[names.requestId.toLowerCase()];
  return requestId === undefined ? {} : { requestId };
}

/** Headers also under the framework's names, if the service names them otherwise. */
function withOurNames(
  headers: Readonly<Record<string, string>>,
  { headers: names }: Dialect,
): Readonly<Record<string, string>> {
  const all: Record<string, string> = { ...headers };
  for (const [use, ours] of Object.entries(defaultDialect.headers)) {
    const theirs = headers[names[use as keyof typeof names].toLowerCase()];
    if (theirs !== undefined) all[ours.toLowerCase()] = theirs;
  }
  return all;
}
