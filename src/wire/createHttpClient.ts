import type { Dialect } from '../contract/dialect.ts';
import { fillPath, type EndpointSpec } from '../contract/endpoints.ts';
import type { Exchange, ServiceRequest } from '../contract/exchange.ts';
import type { Env } from '../env/Env.ts';
import type { ClockOffset } from './createClockOffset.ts';
import type { Signer } from './createSigner.ts';
import { createTransport, type Transport, type TransportOptions } from './createTransport.ts';
import { requireSafeUrl } from './requireSafeUrl.ts';

/** Sends requests to the service over HTTP, signed, once each: retries are decided elsewhere. */
export interface HttpClient {
  /**
   * Never rejects for what happens on the wire; rejects for a request that can't be written (a path
   * parameter missing, a header with a line break).
   */
  request(request: ServiceRequest, options?: RequestOptions): Promise<Exchange>;
  /** Gives up what is under way, and closes the connections. */
  close(): Promise<void>;
}

export interface RequestOptions {
  /** Default 30 s (LIM-3). */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface HttpClientOptions extends Omit<TransportOptions, 'origin' | 'env'> {
  /** Without `/v1`; a path prefix is kept and signed. */
  baseUrl: string;
  dialect: Dialect;
  signer: Signer;
  env: Pick<Env, 'clock' | 'timers'>;
  /** Learns the service's clock from its answers where given. */
  clockOffset?: ClockOffset;
  /** What carries the bytes; default: HTTP/1.1 to the address. */
  transport?: Transport;
}

/** @throws TypeError for an address that requests must not go to, see {@link requireSafeUrl} */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { dialect, signer, env, clockOffset } = options;
  const url = requireSafeUrl(options.baseUrl, 'http');
  const prefix = `${url.pathname.replace(/\/+$/, '')}/v1`;
  const transport = options.transport ?? createTransport({ ...options, origin: url.origin });

  return {
    async request(request, { timeoutMs, signal } = {}) {
      const spec = dialect.endpoints[request.endpoint];
      const path = prefix + fillPath(spec.path, request.pathParams) + toQueryString(request.query);
      const { body } = request;
      const signed = spec.scope === null ? {} : signer.sign({ method: spec.method, path, body });
      const headers = { ...plainHeaders(request, dialect), ...signed };
      const sentAt = env.clock.wallNow();
      const message = { method: spec.method, path, headers, body, timeoutMs, signal };
      const exchange = await transport.send(message);
      if (clockOffset) learnFrom(exchange, { clockOffset, spec, sentAt, env });
      return exchange;
    },
    close: () => transport.close(),
  };
}

/** `?a=1&b=x%2Fy`, in the order given; empty where there is none. */
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
  spec: EndpointSpec;
  sentAt: number;
  env: Pick<Env, 'clock'>;
}

function learnFrom(exchange: Exchange, { clockOffset, spec, sentAt, env }: Learning): void {
  if (exchange.kind !== 'answered') return;
  const { headers, body } = exchange.response;
  // An answer from a cache on the way tells an old time.
  if ('age' in headers) return;
  const receivedAt = env.clock.wallNow();
  const date = Date.parse(headers['date'] ?? '');
  clockOffset.learn({ serverTime: date, resolutionMs: 1000, sentAt, receivedAt });
  const exact = (body as { server_time?: unknown } | null)?.server_time;
  if (spec.path === '/status' && typeof exact === 'number') {
    clockOffset.learn({ serverTime: exact, resolutionMs: 1, sentAt, receivedAt });
  }
}
