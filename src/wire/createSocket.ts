import { requireFields } from '../contract/failures/requireFields.ts';
import type { Dialect } from '../contract/dialect.ts';
import type { Exchange } from '../contract/exchange.ts';
import type {
  ClientMessage,
  FrameDecoding,
  FrameFault,
  ResultFrame,
  ServerFrame,
} from '../contract/frames.ts';
import { LIMITS } from '../contract/limits.ts';
import type { Cancel } from '../env/Clock.ts';
import type { Env } from '../env/Env.ts';
import type { LinkStatus } from '../env/Link.ts';
import { createBackoff } from './createBackoff.ts';
import type { ClockOffset, ClockSample } from './createClockOffset.ts';
import type { Signer } from './createSigner.ts';
import { PendingCommands } from './PendingCommands.ts';
import { openCandidate, type Candidate } from './openCandidate.ts';
import { readNamedRefusal } from './nameRefusal.ts';
import { readResult } from './readResult.ts';
import { requireSafeUrl } from './requireSafeUrl.ts';
import { requireSendable } from './requireSendable.ts';
import {
  SocketConnection,
  type Connect,
  type Connection,
  type ConnectionEvents,
  type ConnectionOptions,
} from './SocketConnection.ts';

/** Events of a socket, in order; results of pending commands are not among them. */
export interface SocketListener {
  onFrame(frame: ServerFrame): void;
  onFault(fault: FrameFault): void;
  onStatus(status: LinkStatus): void;
}

export interface CommandOptions {
  wallet?: string | undefined;
  /** Mandatory for `execute` (AUTH-6). */
  idempotencyKey?: string | undefined;
  /** Default 30 s (LIM-3). */
  timeoutMs?: number | undefined;
}

/** The service's WebSocket: maintains one connection, reconnecting as often as needed. */
export interface ServiceSocket {
  /** Starts connecting, and reconnects until it is closed. */
  open(listener: SocketListener): void;
  /**
   * @returns false when there is no connection to write to
   * @throws UnsendableValueError for parameters that JSON can't carry
   */
  send(message: ClientMessage): boolean;
  /**
   * Rejects only for arguments that can't be written (such as NaN); a connection lost after the write is
   * `no_answer` (STR-6).
   */
  command(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options?: CommandOptions,
  ): Promise<Exchange>;
  close(): Promise<void>;
}

/** A socket whose key can be replaced while it is open. */
export interface KeyedSocket extends ServiceSocket {
  /**
   * Opens a connection of the next key beside the present one. A socket that is down anyway needs none: it
   * connects with the next key.
   */
  prepare(next: Signer): Promise<PreparedConnection | { refused: string }>;
}

/** A connection of the next key that waits to take over. */
export interface PreparedConnection {
  /**
   * Takes over from the present connection, which is closed: `lost` and `open` follow each other at once, so that
   * every subscription starts over with a snapshot. The socket's signer must have the next key by now.
   */
  use(): void;
  drop(): Promise<void>;
}

export interface SocketOptions extends Pick<
  ConnectionOptions,
  'ca' | 'handshakeTimeoutMs' | 'maxPayloadBytes'
> {
  /** Complete, path included. */
  wsUrl: string;
  dialect: Dialect;
  signer: Signer;
  env: Pick<Env, 'clock' | 'timers' | 'random' | 'log'>;
  /** Parses a text from the server; the shapes of frames are not this module's concern. */
  decode: (text: string) => FrameDecoding;
  /** The session's connection id; absent: the key's default. */
  wallet?: string | undefined;
  /** Learns the service's clock from a refused upgrade, if given. */
  clockOffset?: ClockOffset | undefined;
  /** Opens one connection; default: a WebSocket to the address. */
  connect?: Connect | undefined;
}

const connectWebSocket: Connect = (options, events) => new SocketConnection(options, events);

const MAX_PENDING_COMMANDS = 1_000;
/** A service that asks for a day must not leave a bot blind for that long. */
const MAX_RETRY_AFTER_MS = 300_000;
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;

/**
 * The service by WebSocket: one connection, opened again whenever it is lost, on which frames arrive and commands are
 * sent. Nothing is connected before {@link ServiceSocket.open}.
 *
 * ```ts
 * const env = createLiveEnv();
 * const dialect = defaultDialect;
 * const signer = createSigner({ keyId: paper.key_id, secret: paper.secret, dialect, clock: env.clock });
 * const decode = (text: string) => decodeFrame(text, dialect);
 * const socket = createSocket({ wsUrl: paper.ws_url, dialect, signer, env, decode });
 * await new Promise<void>((connected) => {
 *   const onStatus = ({ state }: { state: string }): void => void (state === 'open' && connected());
 *   socket.open({ onFrame: () => {}, onFault: () => {}, onStatus });
 * });
 * await socket.close();
 * ```
 *
 * @throws TypeError for an address that frames must not go to, see {@link requireSafeUrl}
 */
export function createSocket(options: SocketOptions): ServiceSocket {
  return createKeyedSocket(options);
}

/** As {@link createSocket}, for an owner that changes the key. */
export function createKeyedSocket(options: SocketOptions): KeyedSocket {
  requireFields('createSocket', options, ['wsUrl', 'dialect', 'signer', 'env', 'decode']);
  return new ReconnectingSocket(options);
}

class ReconnectingSocket implements KeyedSocket {
  readonly #options: SocketOptions;
  readonly #url: URL;
  readonly #pending: PendingCommands;
  readonly #backoff: ReturnType<typeof createBackoff>;
  #listener: SocketListener | null = null;
  #connection: Connection | null = null;
  #cancelRetry: Cancel = () => {};
  #attempt = 0;
  #openedAt: number | null = null;
  /** When the previous connection was lost, by the monotonic clock. */
  #lostAt: number | null = null;
  #commands = 0;
  #closed = false;

  constructor(options: SocketOptions) {
    this.#options = options;
    this.#url = requireSafeUrl(options.wsUrl, 'ws');
    this.#pending = new PendingCommands(options.env.timers);
    this.#backoff = createBackoff(options.env.random);
  }

  open(listener: SocketListener): void {
    if (this.#listener !== null) throw new Error('The socket is open already.');
    this.#listener = listener;
    this.#connect();
  }

  send(message: ClientMessage): boolean {
    const connection = this.#connection;
    if (message.op !== 'command') requireSendable(message.params, ['params']);
    if (connection === null || !connection.isOpen) return false;
    connection.send(this.#options.dialect.shapes.encodeClientMessage(message));
    return true;
  }

  async command(
    name: string,
    args: Readonly<Record<string, unknown>>,
    { wallet, idempotencyKey, timeoutMs = LIMITS.clientTimeoutMs }: CommandOptions = {},
  ): Promise<Exchange> {
    requireSendable(args);
    const refusal = this.#refusalNow();
    if (refusal !== null) return { kind: 'not_sent', reason: refusal };
    this.#commands += 1;
    const id = `cmd-${this.#commands}`;
    const result = this.#pending.wait(id, timeoutMs);
    this.send({
      id,
      op: 'command',
      command: name,
      args,
      ...(wallet === undefined ? {} : { wallet }),
      ...(idempotencyKey === undefined ? {} : { idempotency_key: idempotencyKey }),
    });
    return result;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancelRetry();
    const connection = this.#connection;
    this.#connection = null;
    this.#pending.lose('closed');
    await connection?.close();
    this.#listener?.onStatus({ state: 'closed' });
  }

  async prepare(next: Signer): Promise<PreparedConnection | { refused: string }> {
    const { connect = connectWebSocket } = this.#options;
    const opened = await openCandidate(connect, this.#connectionOptions(next));
    if (!('lost' in opened)) {
      return { use: () => this.#replace(opened), drop: () => opened.drop() };
    }
    const isDown = this.#connection?.isOpen !== true;
    if (readNamedRefusal(opened.lost) !== undefined || !isDown) return { refused: opened.lost };
    return { use: () => this.#replace(undefined), drop: () => Promise.resolve() };
  }

  /** The owner has waited for the commands of the old connection; one without a result stays unknown. */
  #replace(next: Candidate | undefined): void {
    if (this.#closed || this.#listener === null) return void next?.drop();
    const old = this.#connection;
    this.#cancelRetry();
    this.#connection = null;
    this.#pending.lose('key_changed');
    if (old !== null) this.#listener.onStatus({ state: 'lost', reason: 'key_changed' });
    void old?.close();
    const isTaken = next?.take(this.#eventsOf(), (connection) => {
      this.#connection = connection;
      this.#opened();
    });
    if (isTaken !== true) this.#connect();
  }

  #refusalNow(): string | null {
    if (this.#closed) return 'closed';
    if (this.#connection === null || !this.#connection.isOpen) return 'not_connected';
    if (this.#pending.size >= MAX_PENDING_COMMANDS) return 'too_many_pending';
    return this.#connection.bufferedBytes > MAX_BUFFERED_BYTES ? 'backpressure' : null;
  }

  #connect(): void {
    if (this.#closed) return;
    this.#attempt += 1;
    this.#listener?.onStatus({ state: 'connecting', attempt: this.#attempt });
    const { connect = connectWebSocket } = this.#options;
    const options = this.#connectionOptions(this.#options.signer);
    this.#connection = connect(options, { onOpen: () => this.#opened(), ...this.#eventsOf() });
  }

  #eventsOf(): Pick<ConnectionEvents, 'onText' | 'onLost'> {
    const sentAt = this.#options.env.clock.wallNow();
    return {
      onText: (text) => this.#receive(text),
      onLost: (reason, refusal) => {
        if (refusal !== undefined) this.#learnClock(reason, { ...refusal, sentAt });
        this.#lost(reason, refusal?.retryAfterMs);
      },
    };
  }

  #connectionOptions(signer: Signer): ConnectionOptions {
    const { env, dialect, ca, handshakeTimeoutMs, maxPayloadBytes } = this.#options;
    return {
      url: this.#url,
      headers: this.#upgradeHeaders(signer),
      stream: dialect.stream,
      dialect,
      env,
      ca,
      handshakeTimeoutMs,
      maxPayloadBytes,
    };
  }

  /** The upgrade is signed like `GET /v1/stream` with an empty body (conventions §5). */
  #upgradeHeaders(signer: Signer): Record<string, string> {
    const { wallet, dialect } = this.#options;
    const path = this.#url.pathname + this.#url.search;
    const selector = wallet === undefined ? {} : { [dialect.headers.wallet]: wallet };
    return { ...signer.sign({ method: 'GET', path, body: '' }), ...selector };
  }

  #opened(): void {
    const now = this.#options.env.clock.monotonicNow();
    this.#openedAt = now;
    this.#listener?.onStatus({ state: 'open' });
    if (this.#lostAt === null) return;
    const seconds = Math.round((now - this.#lostAt) / 1_000);
    this.#lostAt = null;
    const fields = { address: this.#url.host, seconds };
    this.#options.env.log.warn(`socket reconnected after ${seconds} s`, fields);
  }

  #receive(text: string): void {
    const decoding = this.#options.decode(text);
    if (!decoding.ok) return this.#listener?.onFault(decoding.fault);
    if (!this.#settle(decoding.frame)) this.#listener?.onFrame(decoding.frame);
  }

  /** A command that the service can't parse at all is answered with an error frame of its id. */
  #settle({ kind, frame }: ServerFrame): boolean {
    if (kind !== 'result' && kind !== 'error') return false;
    if (typeof frame.id !== 'string' || !this.#pending.has(frame.id)) return false;
    const result = kind === 'result' ? frame : { ...frame, type: 'result' as const, ok: false };
    const exchange = readResult(result as ResultFrame, this.#options.dialect.headers);
    return this.#pending.settle(frame.id, exchange);
  }

  #lost(reason: string, retryAfterMs = 0): void {
    this.#connection = null;
    this.#pending.lose('connection_lost');
    this.#resetBackoffAfterHealthyTime();
    this.#listener?.onStatus({ state: 'lost', reason });
    if (this.#closed) return;
    const { clock, log, timers } = this.#options.env;
    this.#lostAt ??= clock.monotonicNow();
    // The requested wait is the minimum; the jitter keeps many clients from coming back at once.
    const delayMs = Math.min(retryAfterMs, MAX_RETRY_AFTER_MS) + this.#backoff.next();
    const fields = { address: this.#url.host, reason, delay_ms: Math.round(delayMs) };
    log.warn('socket lost', fields);
    this.#cancelRetry = timers.after(delayMs, () => this.#connect());
  }

  /** Avoids a storm of quick attempts at a service that accepts and drops at once. */
  #resetBackoffAfterHealthyTime(): void {
    const { env, dialect } = this.#options;
    if (this.#openedAt === null) return;
    const livedMs = env.clock.monotonicNow() - this.#openedAt;
    if (livedMs >= dialect.stream.clientStallMs) {
      this.#backoff.reset();
      this.#attempt = 0;
    }
    this.#openedAt = null;
  }

  /** By a refused upgrade, unless a gateway wrote it. */
  #learnClock(reason: string, read: Pick<ClockSample, 'serverTime' | 'sentAt'>): void {
    const code = readNamedRefusal(reason)?.code ?? '';
    if (code === '') return;
    const receivedAt = this.#options.env.clock.wallNow();
    const isTimeRefused = code === 'timestamp_out_of_window';
    this.#options.clockOffset?.learn({ ...read, resolutionMs: 1000, receivedAt, isTimeRefused });
  }
}
