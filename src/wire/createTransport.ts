import type { Pool } from 'undici';
import type { Exchange } from '../contract/exchange.ts';
import { LIMITS } from '../contract/limits.ts';
import type { Env } from '../env/Env.ts';
import { ExchangeHandler } from './ExchangeHandler.ts';
import { loadUndici } from './loadUndici.ts';

/** One HTTP request, ready to be written. `path` goes out verbatim. */
export interface TransportRequest {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Milliseconds for the whole exchange, including connecting and waiting for a connection. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface TransportOptions {
  origin: string;
  env: Pick<Env, 'timers'>;
  /** Maximum connections for reads, and as many for all else; default 16. Further requests wait for one. */
  connections?: number | undefined;
  maxResponseBytes?: number | undefined;
  /** PEM of a private certificate authority, beside the system's. */
  ca?: string | undefined;
}

/** HTTP/1.1 to one origin: no redirects, no retries, verified TLS, bounded answers. */
export interface Transport {
  send(request: TransportRequest): Promise<Exchange>;
  /** Aborts what is in flight, and closes the connections. */
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;

/** The largest answer is a page of 5,000 candles, about 1 MiB. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** The only place that speaks HTTP. Rejects only for requests that can't be written at all. */
export function createTransport(options: TransportOptions): Transport {
  const { env, maxResponseBytes = MAX_RESPONSE_BYTES } = options;
  // Lists that hang keep their connections for half a minute: no order waits behind them.
  const reads = createPool(options);
  const writes = createPool(options);
  const running = new Set<ExchangeHandler>();
  let closed = false;

  const send = async (request: TransportRequest): Promise<Exchange> => {
    if (closed) return { kind: 'not_sent', reason: 'closed' };
    if (request.signal?.aborted === true) return { kind: 'not_sent', reason: 'aborted' };
    const handler = new ExchangeHandler(maxResponseBytes);
    const cancelTimer = env.timers.after(request.timeoutMs ?? LIMITS.clientTimeoutMs, () =>
      handler.giveUp('timeout'),
    );
    const onAbort = (): void => handler.giveUp('aborted');
    request.signal?.addEventListener('abort', onAbort, { once: true });
    running.add(handler);
    try {
      const { method, path, headers, body } = request;
      const pool = method === 'GET' ? reads : writes;
      pool.dispatch({ method, path, headers, body: body === '' ? null : body }, handler);
      return await handler.exchange;
    } finally {
      cancelTimer();
      request.signal?.removeEventListener('abort', onAbort);
      running.delete(handler);
    }
  };

  return {
    send,
    async close() {
      closed = true;
      for (const handler of running) handler.giveUp('closed');
      await Promise.all([reads.destroy(), writes.destroy()]);
    },
  };
}

function createPool({ origin, connections = 16, ca }: TransportOptions): Pool {
  const authority = ca === undefined ? {} : { ca };
  const undici = loadUndici();
  return new undici.Pool(origin, {
    connections,
    pipelining: 1,
    // undici queues HTTP/2 streams again after a lost session; a second send is the framework's decision.
    allowH2: false,
    // Verification is enforced even if NODE_TLS_REJECT_UNAUTHORIZED disables it.
    connect: { timeout: CONNECT_TIMEOUT_MS, rejectUnauthorized: true, ...authority },
    // The environment's timer bounds the whole exchange; undici's own are coarse.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
