import type { ClientRequest, IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { defaultDialect, type Dialect } from '../contract/dialect.ts';
import type { Cancel } from '../env/Clock.ts';
import type { Env } from '../env/Env.ts';
import { loadWs } from './loadWs.ts';
import { nameRefusal, retryAfterOf } from './nameRefusal.ts';

/** Events of one connection; `onLost` comes once, last. */
export interface ConnectionEvents {
  onOpen(): void;
  onText(text: string): void;
  /** @param refusal details of a refused upgrade's answer; absent if there was none */
  onLost(reason: string, refusal?: UpgradeRefusal): void;
}

/** Details of a refused upgrade's answer, beside its reason. */
export interface UpgradeRefusal {
  /** Its `Date`, epoch milliseconds; NaN if there is none. */
  serverTime: number;
  /** How long it asks to wait, milliseconds (LIM-2). */
  retryAfterMs?: number | undefined;
}

/** The part of one connection that the socket needs. */
export interface Connection {
  readonly isOpen: boolean;
  readonly bufferedBytes: number;
  send(text: string): void;
  close(): Promise<void>;
}

/** Starts connecting; `onLost` reports a failure. */
export type Connect = (options: ConnectionOptions, events: ConnectionEvents) => Connection;

export interface ConnectionOptions {
  url: URL;
  headers: Readonly<Record<string, string>>;
  stream: Dialect['stream'];
  /** The dialect for reading a refused upgrade; default: the default dialect. */
  dialect?: Dialect | undefined;
  env: Pick<Env, 'clock' | 'timers'>;
  ca?: string | undefined;
  handshakeTimeoutMs?: number | undefined;
  maxPayloadBytes?: number | undefined;
}

type TimerName = 'handshake' | 'ping' | 'silence' | 'goodbye';

const HANDSHAKE_TIMEOUT_MS = 10_000;
const MAX_PAYLOAD_BYTES = 16 * 1024 * 1024;
const REFUSAL_BYTES = 64 * 1024;
const CLOSE_TIMEOUT_MS = 1_000;

/** Frames of one burst follow each other within this time. */
const GAP_MS = 1;
/** A burst that takes longer is interrupted for timers and commands; a bot that keeps up never has one. */
const BURST_MS = 50;

/** Frames that are handled one after the other in one turn of the event loop; monotonic milliseconds. */
interface Burst {
  from: number;
  until: number;
  isPaused: boolean;
}

/**
 * One WebSocket connection from upgrade to end: it pings, and treats silence as a stall, since a half-open
 * socket never ends by itself (conventions §5).
 */
export class SocketConnection implements Connection {
  readonly #socket: WebSocket;
  readonly #options: ConnectionOptions;
  readonly #events: ConnectionEvents;
  readonly #timers = new Map<TimerName, Cancel>();
  #lastFrameAt: number;
  readonly #burst: Burst = { from: 0, until: 0, isPaused: false };
  #ended = false;
  #reason: string | null = null;

  constructor(options: ConnectionOptions, events: ConnectionEvents) {
    this.#options = options;
    this.#events = events;
    this.#lastFrameAt = options.env.clock.monotonicNow();
    const handshakeTimeout = options.handshakeTimeoutMs ?? HANDSHAKE_TIMEOUT_MS;
    this.#socket = new (loadWs().WebSocket)(options.url, {
      headers: options.headers,
      perMessageDeflate: false,
      maxPayload: options.maxPayloadBytes ?? MAX_PAYLOAD_BYTES,
      handshakeTimeout,
      followRedirects: false,
      rejectUnauthorized: true,
      ...(options.ca === undefined ? {} : { ca: options.ca }),
    });
    this.#listen();
    // ws restarts its own timeout with each byte; a server that drips bytes must not block the connection for
    // ever.
    this.#after('handshake', handshakeTimeout, () => this.#end('handshake_timeout'));
  }

  get isOpen(): boolean {
    return !this.#ended && this.#socket.readyState === this.#socket.OPEN;
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  /** Sends a close frame, and doesn't wait long for the answer. */
  close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#socket.readyState === this.#socket.CLOSED) return Promise.resolve();
    this.#ended = true;
    this.#cancelTimers();
    this.#after('goodbye', CLOSE_TIMEOUT_MS, () => this.#socket.terminate());
    this.#socket.once('close', () => {
      this.#cancelTimers();
      resolve();
    });
    this.#socket.close(1000);
    return promise;
  }

  #listen(): void {
    const socket = this.#socket;
    socket.on('open', () => this.#opened());
    socket.on('message', (data: Buffer, isBinary) => {
      this.#hear();
      if (isBinary) this.#end('binary_frame');
      else if (!this.#ended) this.#events.onText(data.toString());
      this.#interruptLongBurst();
    });
    socket.on('ping', () => this.#hear());
    socket.on('pong', () => this.#hear());
    socket.on('unexpected-response', (request, response) => this.#refused(request, response));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#reason ??= nameError(error);
    });
    socket.on('close', (code) => this.#end(this.#reason ?? `closed_${code}`));
  }

  #opened(): void {
    this.#cancelTimers();
    this.#hear();
    this.#pingLater();
    this.#watchSilence(this.#options.stream.clientStallMs);
    if (!this.#ended) this.#events.onOpen();
  }

  #hear(): void {
    this.#lastFrameAt = this.#options.env.clock.monotonicNow();
  }

  /**
   * Frames that wait in the system's buffer are all handled in one turn of the event loop, in which no timer runs and no
   * command is obeyed. Where that takes long, the rest of them is read after a turn for everything else.
   */
  #interruptLongBurst(): void {
    const burst = this.#burst;
    const now = this.#options.env.clock.monotonicNow();
    if (this.#lastFrameAt - burst.until > GAP_MS) burst.from = this.#lastFrameAt;
    burst.until = now;
    if (now - burst.from < BURST_MS || burst.isPaused || !this.isOpen) return;
    burst.isPaused = true;
    this.#socket.pause();
    this.#options.env.timers.after(0, () => {
      burst.isPaused = false;
      burst.until = Number.NEGATIVE_INFINITY;
      this.#socket.resume();
    });
  }

  #pingLater(): void {
    this.#after('ping', this.#options.stream.clientPingMs, () => {
      if (this.isOpen) this.#socket.ping();
      this.#pingLater();
    });
  }

  /** Checks when the silence would be long enough, so that a stall is detected in time, not a ping later. */
  #watchSilence(delayMs: number): void {
    this.#after('silence', delayMs, () => {
      const silenceMs = this.#options.env.clock.monotonicNow() - this.#lastFrameAt;
      const leftMs = this.#options.stream.clientStallMs - silenceMs;
      if (leftMs <= 0) this.#end('stalled');
      else this.#watchSilence(leftMs);
    });
  }

  /** A refused upgrade's answer contains the reason; only the start of it is read. */
  #refused(request: ClientRequest, response: IncomingMessage): void {
    const { headers, statusCode = 0 } = response;
    const serverTime = Date.parse(headers.date ?? '');
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (): void => {
      const body = Buffer.concat(chunks).toString();
      const now = Number.isNaN(serverTime) ? this.#options.env.clock.wallNow() : serverTime;
      const { dialect = defaultDialect } = this.#options;
      const header = headers[dialect.headers.retryAfter.toLowerCase()]?.toString();
      const retryAfterMs = retryAfterOf({ body, header, now, dialect });
      this.#end(nameRefusal(statusCode, body, dialect), { serverTime, retryAfterMs });
      request.destroy();
    };
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= REFUSAL_BYTES) chunks.push(chunk);
      else finish();
    });
    response.on('end', finish);
    response.on('error', finish);
  }

  #end(reason: string, refusal?: UpgradeRefusal): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#cancelTimers();
    this.#socket.terminate();
    this.#events.onLost(reason, refusal);
  }

  #after(name: TimerName, delayMs: number, run: () => void): void {
    this.#timers.get(name)?.();
    this.#timers.set(name, this.#options.env.timers.after(delayMs, run));
  }

  #cancelTimers(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }
}

function nameError(error: NodeJS.ErrnoException): string {
  if (error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') return 'frame_too_large';
  return error.code === undefined ? 'connection_failed' : `connection_failed_${error.code}`;
}
