import { withCode } from '../contract/failures/withCode.ts';
import type { Interval } from '../contract/intervals.ts';
import type { ConnectionRecord } from '../contract/records.ts';
import { showNoAnswer } from '../contract/showNoAnswer.ts';
import type { Scope, Tier } from '../contract/vocabulary.ts';
import type { Env } from '../env/Env.ts';
import type { Subscription } from '../env/Link.ts';
import { createTransport } from './createTransport.ts';
import { toServiceError } from './errors/toServiceError.ts';
import { isLoopback } from '../contract/isLoopback.ts';
import { requireSafeUrl } from './requireSafeUrl.ts';

/** Epoch milliseconds of the replay; `speed` is a factor of wall time. */
export interface ReplayState {
  time: number;
  start_time: number;
  end_time: number;
  speed: number | 'max';
  state: 'paused' | 'running' | 'ended';
}

export interface PaperKeyRequest {
  label: string;
  scopes: readonly Scope[];
  connection_id?: string;
  tier?: Tier;
}

export interface PaperKey {
  key_id: string;
  scopes: Scope[];
  connection_id: string;
}

/**
 * `to_time` is inclusive; `bars` are counted in time, gaps included. `until: 'event'` goes no further than the
 * next instant at which the service has a frame for any client; the answer has the time reached.
 */
export type AdvanceRequest = ({ to_time: number } | { bars: number; interval: Interval }) & {
  until?: 'event';
  /** Subscriptions whose frames are no such event: nothing is decided by them. */
  apart_from?: readonly Subscription[];
};

/** A fault to inject, as conventions §7 list them. */
export interface PaperFault {
  kind: string;
  rate?: number;
  match?: string;
  for_requests?: number;
  for_seconds?: number;
  [parameter: string]: unknown;
}

/** Operations for drivers of a paper service; none of this exists at a real one (conventions §7). */
export interface PaperControls {
  createKey(request: PaperKeyRequest): Promise<PaperKey & { secret: string }>;
  keys(): Promise<PaperKey[]>;
  revokeKey(keyId: string): Promise<void>;
  createConnection(request: {
    label: string;
    balance: number;
    status?: string;
  }): Promise<ConnectionRecord>;
  replay(): Promise<ReplayState>;
  /** Resolves once everything that follows is done and every frame was handed to its sockets. */
  advance(request: AdvanceRequest): Promise<ReplayState>;
  /** 0 pauses. */
  speed(speed: number | 'max'): Promise<ReplayState>;
  /** The faults that are in force. */
  faults(): Promise<PaperFault[]>;
  addFaults(faults: readonly PaperFault[]): Promise<void>;
  clearFaults(): Promise<void>;
  /** Drops the service's sockets; running executions become `interrupted`. */
  restart(): Promise<void>;
  openapi(): Promise<unknown>;
  asyncapi(): Promise<unknown>;
  close(): Promise<void>;
}

/** A long step of a replay computes for a while before it answers. */
const STEP_TIMEOUT_MS = 600_000;

/**
 * Drives a paper service on this machine. Methods throw: a driver can do nothing without its answer.
 *
 * @throws TypeError for an address that isn't this machine
 */
export function createPaperControls(baseUrl: string, env: Pick<Env, 'timers'>): PaperControls {
  const url = requireSafeUrl(baseUrl, 'http');
  if (!isLoopback(url.hostname))
    throw withCode(
      'TRIMTAB_WIRE_UNSAFE_ADDRESS',
      new TypeError('Paper controls answer to this machine only.'),
    );
  const prefix = `${url.pathname.replace(/\/+$/, '')}/paper`;
  const transport = createTransport({ origin: url.origin, env, connections: 2 });

  const call = async (method: string, path: string, content?: unknown): Promise<unknown> => {
    const body = content === undefined ? '' : JSON.stringify(content);
    const headers: Record<string, string> =
      body === '' ? {} : { 'Content-Type': 'application/json' };
    const request = { method, path: prefix + path, headers, body, timeoutMs: STEP_TIMEOUT_MS };
    const exchange = await transport.send(request);
    if (exchange.kind !== 'answered') {
      const message = `The paper service did not answer ${method} ${path}: ${showNoAnswer(exchange)}`;
      throw withCode('TRIMTAB_WIRE_NO_ANSWER', new Error(message, { cause: exchange.cause }));
    }
    const { response } = exchange;
    if (response.status < 200 || response.status > 299) throw toServiceError(response);
    return response.body;
  };
  const get = (path: string) => call('GET', path);
  const post = (path: string, content: unknown = {}) => call('POST', path, content);
  const remove = async (path: string) => void (await call('DELETE', path));

  return {
    createKey: async (request) => (await post('/keys', request)) as PaperKey & { secret: string },
    keys: async () => ((await get('/keys')) as { items: PaperKey[] }).items,
    revokeKey: (keyId) => remove(`/keys/${encodeURIComponent(keyId)}`),
    createConnection: async (request) => (await post('/connections', request)) as ConnectionRecord,
    replay: async () => (await get('/replay')) as ReplayState,
    advance: async (request) => (await post('/replay/advance', request)) as ReplayState,
    speed: async (speed) => (await post('/replay/speed', { speed })) as ReplayState,
    faults: async () => ((await get('/faults')) as { items: PaperFault[] }).items,
    addFaults: async (faults) => void (await post('/faults', faults)),
    clearFaults: () => remove('/faults'),
    restart: async () => void (await post('/restart')),
    openapi: () => get('/openapi.json'),
    asyncapi: () => get('/asyncapi.json'),
    close: () => transport.close(),
  };
}
