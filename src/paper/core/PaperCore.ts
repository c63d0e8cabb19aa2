import type {
  ConnectionRecord,
  Layer,
  LayerStatus,
  Scope,
  ServiceRequest,
  Tier,
} from '../../contract/index.ts';
import type { Outcome } from './Admission.ts';
import type { Connections } from './createConnections.ts';
import type { ApiKey, Keyring } from './createKeyring.ts';
import type { Change } from '../state/Change.ts';
import type { SavedService } from '../state/SavedService.ts';
import type { Engine } from './Engine.ts';
import type { RawRequest, RawResponse, StreamGrant } from './RawExchange.ts';
import type { ServiceError } from './ServiceError.ts';
import type { Session } from './Session.ts';
import type { StreamPort } from './StreamPort.ts';

export interface NewKeyRequest {
  label: string;
  scopes: readonly Scope[];
  /** Absent: `main`. */
  connectionId?: string;
  tier?: Tier;
}

/**
 * The paper service without its sockets: requests in, answers out, frames to the sessions. It has no
 * clock and no randomness of its own; wall time and secrets are passed in, market time is its
 * engine's.
 */
export interface PaperCore {
  readonly engine: Engine;
  readonly keyring: Keyring;
  readonly connections: Connections;
  readonly layers: Readonly<Record<Layer, LayerStatus>>;
  /** A signed request as HTTP brought it. */
  handleHttp(raw: RawRequest): RawResponse;
  /** Answers a request with a refusal, without looking at it; for faults that a test asked for. */
  refuse(raw: RawRequest, error: ServiceError): RawResponse;
  /**
   * Runs when an HTTP request that comes now reaches the venue: at once, or after its latency, when the
   * replay has come so far.
   */
  holdHttp(method: string, target: string, run: () => void): void;
  /**
   * The door of callers in the same process, who see to their latency themselves: behind authentication, before the gate, so that scopes,
   * budgets and idempotency hold for them too.
   *
   * @param wallTime epoch milliseconds
   */
  call(key: ApiKey, request: ServiceRequest, wallTime: number): Outcome;
  /** Weight left in the key's window, as HTTP tells it with each answer. */
  remainingWeight(key: ApiKey): number;
  /** Opens a stream and sends its welcome; undefined where the key was revoked meanwhile. */
  openSession(grant: StreamGrant, port: StreamPort, wallTime: number): Session | undefined;
  /**
   * Adds a key. The secret is given by the caller, who shows it once (AUTH-5).
   *
   * @throws ServiceError `unknown_wallet`, `wallet_not_linked`
   */
  addKey(
    request: NewKeyRequest,
    credentials: { keyId: string; secret: string },
    wallTime: number,
  ): ApiKey;
  /** Adds a wallet with an account of its own; `balance` is USDC. */
  addConnection(
    label: string,
    balance: number,
    status?: ConnectionRecord['status'],
  ): ConnectionRecord;
  /** Announces a layer's trouble or recovery on `_meta` (STR-4). */
  setLayer(layer: Layer, status: LayerStatus, detail: string | null): void;
  /**
   * Moves the replay to `toTime` inclusive; with `untilEvent` no further than to the next instant at
   * which a frame goes to any session (conventions §7). The only way in which a replay's time moves,
   * so that a step means the same with sockets and without. An answer to a request that was on its way
   * counts as a frame.
   *
   * @returns whether a frame went to a session
   */
  advanceTo(toTime: number, untilEvent?: boolean): boolean;
  /** Says on every stream that the replay was stepped to `toTime`. */
  announceAdvanced(toTime: number): void;
  /** The whole service as plain data, secrets of keys included; `createPaperCore` takes it up again. */
  save(wallTime: number): SavedService;
  /**
   * Carries out a recorded change again, upon the state in which it was recorded.
   *
   * @throws where it does not fit that state
   */
  repeat(change: Change): void;
}
