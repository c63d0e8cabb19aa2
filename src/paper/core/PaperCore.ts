import type {
  ConnectionRecord,
  Layer,
  LayerStatus,
  Scope,
  ServiceRequest,
  Tier,
} from '../../contract/index.ts';
import type { Subscription } from '../../env/index.ts';
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
import type { StreamSubscription } from './StreamSubscription.ts';

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
  /** A signed request as it arrived by HTTP. */
  handleHttp(raw: RawRequest): RawResponse;
  /** Refuses a request without evaluating it; for faults that a test injects. */
  refuse(raw: RawRequest, error: ServiceError): RawResponse;
  /** For an answer that is given before a request reaches the core (AUTH-7). */
  nextRequestId(): string;
  /**
   * Runs the callback when an HTTP request that arrives now reaches the venue: at once, or when the
   * replay has advanced by its latency.
   */
  holdHttp(method: string, target: string, run: () => void): void;
  /**
   * The entry for callers in the same process, which model their latency themselves. It lies behind
   * authentication and before the gate, so scopes, budgets and idempotency apply to them too.
   *
   * @param wallTime epoch milliseconds
   */
  call(key: ApiKey, request: ServiceRequest, wallTime: number): Outcome;
  /** Weight left in the key's window, as HTTP reports it with each response. */
  remainingWeight(key: ApiKey): number;
  /** Opens a stream and sends its welcome; undefined if the key was revoked meanwhile. */
  openSession(grant: StreamGrant, port: StreamPort, wallTime: number): Session | undefined;
  /**
   * Adds a key. The caller provides the secret and shows it once (AUTH-5).
   *
   * @throws ServiceError `unknown_wallet`, `wallet_not_linked`
   */
  addKey(
    request: NewKeyRequest,
    credentials: { keyId: string; secret: string },
    wallTime: number,
  ): ApiKey;
  /** Adds a wallet with its own account; `balance` is USDC. */
  addConnection(
    label: string,
    balance: number,
    status?: ConnectionRecord['status'],
  ): ConnectionRecord;
  /** Announces a layer's failure or recovery on `_meta` (STR-4). */
  setLayer(layer: Layer, status: LayerStatus, detail: string | null): void;
  /** Frames of these subscriptions are no event until which the replay moves, until others are set. */
  setApart(subscriptions: readonly Subscription[]): void;
  /**
   * Moves the replay to `toTime` inclusive; with `untilEvent` no further than to the next instant at
   * which a frame goes to any session (conventions §7). This is the only way in which a replay's time
   * moves, so a step means the same with sockets and without. The response to a request in transit counts
   * as a frame.
   *
   * @returns whether a frame went to a session
   */
  advanceTo(toTime: number, untilEvent?: boolean): boolean;
  /**
   * The subscriptions to candles, in the order in which they get a bar, for a caller in the same process that hands
   * closed bars on by itself; null if frames take time to arrive. A new list after each change.
   */
  candleSubscriptions(): readonly StreamSubscription[] | null;
  /** Whether requests or frames take time to arrive, so that the replay has to move for them. */
  readonly hasLatency: boolean;
  /** Announces on every stream that the replay was stepped to `toTime`. */
  announceAdvanced(toTime: number): void;
  /** The whole service as plain data, secrets of keys included, from which `createPaperCore` resumes. */
  save(wallTime: number): SavedService;
  /**
   * Applies a recorded change to the state in which it was recorded.
   *
   * @throws if it does not fit that state
   */
  repeat(change: Change): void;
}
