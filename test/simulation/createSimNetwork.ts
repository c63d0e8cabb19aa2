import type { Exchange, StreamFrame } from '../../src/contract/index.ts';
import type { Cancel } from '../../src/env/index.ts';
import type { RawRequest, RawResponse, Session, StreamPort } from '../../src/paper/index.ts';
import { frameText, shareData } from '../../src/paper/core/StreamPort.ts';
import type { Transport, TransportRequest } from '../../src/wire/createTransport.ts';
import { nameRefusal, retryAfterOf } from '../../src/wire/nameRefusal.ts';
import { readAnswer } from '../../src/wire/readAnswer.ts';
import type {
  Connect,
  ConnectionEvents,
  ConnectionOptions,
  UpgradeRefusal,
} from '../../src/wire/SocketConnection.ts';
import type { Journey } from './createBooksCheck.ts';
import { createDoor } from './createDoor.ts';
import { createLateFrames } from './createLateFrames.ts';
import type { FaultPlan } from './createFaultPlan.ts';
import type { InvariantChecker } from './createInvariantChecker.ts';
import type { SimService } from './createSimService.ts';
import { isLate, isSuspended } from './Scenario.ts';
import { never, type SimProcess } from './SimProcess.ts';
import type { Simulation } from './Simulation.ts';

export interface NetworkParts {
  sim: Simulation;
  service: SimService;
  faults: FaultPlan;
  checker: NetworkCheck;
}

/** The checker's view of the network. */
export type NetworkCheck = Pick<
  InvariantChecker,
  | 'sending'
  | 'sendingText'
  | 'served'
  | 'concluded'
  | 'opened'
  | 'lost'
  | 'emitted'
  | 'delivered'
  | 'underWay'
>;

/** The network between one process and the service: the same bytes as a real one, in virtual time. */
export interface SimNetwork {
  transport: Transport;
  connect: Connect;
  /** Cuts every connection, as a broken route does. */
  cut(reason: string): void;
  /** Drops all traffic for this long, without an error. */
  stall(forMs: number): void;
}

const TIMEOUT_MS = 30_000;
const STALL_MS = 15_000;
const PING_MS = 5_000;
const HELD_MS = 500;

export function createSimNetwork(parts: NetworkParts, process: SimProcess): SimNetwork {
  const connections = new Set<SimConnection>();
  const endDown = parts.service.onDown(() => {
    for (const connection of connections) connection.end('closed_1012');
  });
  process.onKilled(() => {
    endDown();
    for (const connection of connections) connection.vanish();
  });
  return {
    transport: createTransport(parts, process),
    connect(options, events) {
      const connection = new SimConnection(parts, process, options, events);
      connections.add(connection);
      connection.onEnd = () => connections.delete(connection);
      return connection;
    },
    cut(reason) {
      for (const connection of connections) connection.end(reason);
    },
    stall(forMs) {
      for (const connection of connections) connection.stall(forMs);
    },
  };
}

function toRaw(message: TransportRequest, wallTime: number): RawRequest {
  const headers = Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return {
    method: message.method,
    target: message.path,
    headers,
    bodyText: message.body,
    wallTime,
  };
}

function createTransport(parts: NetworkParts, process: SimProcess): Transport {
  const { sim, service, faults, checker } = parts;
  const door = createDoor(parts);
  const running = new Set<(exchange: Exchange) => void>();
  let isClosed = false;

  /** The answer of the service or of a gateway on arrival; null: the request never arrived. */
  function serve(message: TransportRequest, plan: ReturnType<FaultPlan['exchange']>): RawResponse {
    const raw = toRaw(message, Math.floor(sim.queue.now()));
    if (plan.storm !== null) return service.refusal(429, raw, plan.storm);
    if (plan.errorBefore) return service.refusal(sim.elapsed() % 2 === 0 ? 500 : 503, raw);
    const response = door(message, raw, plan);
    return plan.errorAfter ? service.refusal(500, raw) : response;
  }

  function toExchange(response: RawResponse, plan: ReturnType<FaultPlan['exchange']>): Exchange {
    const text = plan.strange ? '<html>Bad gateway</html>' : response.bodyText;
    const body = plan.truncate ? text.slice(0, Math.floor(text.length / 2)) : text;
    return readAnswer({ ...response, body: Buffer.from(body) });
  }

  return {
    send(message) {
      if (isClosed) return Promise.resolve({ kind: 'not_sent', reason: 'closed' });
      if (!process.passes('before_send')) return never();
      const signedAt = sim.queue.now();
      // Signed already, it leaves when the machine runs again.
      if (!process.isSuspended) return leave(message, signedAt);
      return new Promise((resolve) => process.takes(() => resolve(leave(message, signedAt))));
    },
    close() {
      isClosed = true;
      for (const conclude of running) conclude({ kind: 'no_answer', reason: 'closed' });
      return Promise.resolve();
    },
  };

  function leave(message: TransportRequest, signedAt: number): Promise<Exchange> {
    const attempt = checker.sending(process.index, message, signedAt);
    const plan = faults.exchange();
    const { promise, resolve } = Promise.withResolvers<Exchange>();
    let cancelTimer: Cancel = () => {};
    let isOver = false;
    const conclude = (exchange: Exchange): void => {
      if (isOver || !process.passes('before_answer')) return;
      isOver = true;
      running.delete(conclude);
      cancelTimer();
      checker.concluded(process.index, attempt, exchange);
      resolve(exchange);
      process.passes('after_answer');
    };
    running.add(conclude);
    const finish = (exchange: Exchange): void => process.takes(() => conclude(exchange));
    const lose = (how: 'reset' | 'silence'): void => {
      if (how === 'reset') finish({ kind: 'no_answer', reason: 'connection_reset' });
    };
    cancelTimer = process.env.timers.after(TIMEOUT_MS, () =>
      conclude({ kind: 'no_answer', reason: 'timeout' }),
    );
    if (plan.refuse || !service.isUp()) {
      sim.after(3, () => finish({ kind: 'not_sent', reason: 'connection_refused' }));
      return promise;
    }
    attempt.left = true;
    process.passes('after_send');
    sim.after(plan.requestMs, () => {
      if (plan.loseRequest !== null) return lose(plan.loseRequest);
      if (!service.isUp()) return lose('reset');
      const response = serve(message, plan);
      sim.after(plan.answerMs, () => {
        service.answered(toRaw(message, Math.floor(sim.queue.now())));
        if (plan.loseAnswer !== null) lose(plan.loseAnswer);
        else finish(toExchange(response, plan));
      });
    });
    return promise;
  }
}

/** What is to be told of a frame. */
interface Fate extends Journey {
  /** It is lost, or out of order. */
  spoil(): void;
  /** It has come in order. */
  reported(): void;
}

/** One socket connection: frames in order, with a delay, unless a fault reorders them. */
class SimConnection {
  onEnd: () => void = () => {};
  readonly #parts: NetworkParts;
  readonly #process: SimProcess;
  readonly #events: ConnectionEvents;
  readonly #latencyMs: number;
  #session: Session | undefined;
  #state: 'connecting' | 'open' | 'ended' = 'connecting';
  #stalledUntil = 0;
  #heardAt = 0;
  #cancelSilence: Cancel = () => {};
  #lastDelivery = 0;
  readonly #onWire: Array<{ text: string; reported: () => void }> = [];
  #held: (() => void) | null = null;

  constructor(
    parts: NetworkParts,
    process: SimProcess,
    options: ConnectionOptions,
    events: ConnectionEvents,
  ) {
    this.#parts = parts;
    this.#process = process;
    this.#events = events;
    this.#latencyMs = 2 + Math.floor(process.env.random.next() * 40);
    const { sim } = parts;
    sim.after(this.#latencyMs, () => this.#upgrade(options));
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  readonly bufferedBytes = 0;

  send(text: string): void {
    const { sim } = this.#parts;
    if (!this.#process.passes('before_send')) return;
    const askedAt = sim.queue.now();
    this.#process.takes(() => this.#leave(text, askedAt));
  }

  #leave(text: string, askedAt: number): void {
    const { sim, checker } = this.#parts;
    checker.sendingText(this.#process.index, text, askedAt);
    sim.after(this.#latencyMs, () => {
      if (this.#state !== 'open' || this.#isStalled) return;
      this.#parts.service.tick();
      this.#session?.receive(text, sim.queue.now());
    });
  }

  close(): Promise<void> {
    this.#state = 'ended';
    this.#session?.close();
    this.onEnd();
    return Promise.resolve();
  }

  /** The peer is gone; the service notices at once, the worst case for requests in flight. */
  vanish(): void {
    this.#state = 'ended';
    this.#session?.close();
    this.onEnd();
  }

  stall(forMs: number): void {
    this.#stalledUntil = this.#parts.sim.queue.now() + forMs;
  }

  end(reason: string, refusal?: UpgradeRefusal): void {
    if (this.#state === 'ended') return;
    this.vanish();
    this.#parts.checker.lost(this.#process.index);
    this.#process.takes(() => {
      if (this.#process.alive) this.#events.onLost(reason, refusal);
    });
  }

  get #isStalled(): boolean {
    return this.#parts.sim.queue.now() < this.#stalledUntil;
  }

  #upgrade(options: ConnectionOptions): void {
    const { url, headers } = options;
    const { sim, service, checker } = this.#parts;
    if (!this.#process.alive || this.#state === 'ended') return;
    if (this.#process.isSuspended) return this.#process.takes(() => this.#upgrade(options));
    if (!service.isUp()) return this.end('connection_failed');
    const message = { method: 'GET', path: url.pathname, headers, body: '' };
    const response = service.handle({
      ...toRaw(message, Math.floor(sim.queue.now())),
      upgrade: true,
    });
    const { grant } = response;
    if (grant === undefined) {
      const reason = nameRefusal(response.status, response.bodyText);
      const now = Math.floor(sim.queue.now());
      return this.end(reason, {
        serverTime: Date.parse(response.headers['date'] ?? ''),
        retryAfterMs: retryAfterOf({
          body: response.bodyText,
          header: response.headers['retry-after'],
          now,
        }),
      });
    }
    this.#state = 'open';
    this.#heardAt = this.#process.env.clock.monotonicNow();
    this.#watch();
    checker.opened(this.#process.index);
    this.#events.onOpen();
    this.#session = service.open(grant, this.#port());
  }

  /** The client pings; a pong or a frame is a sign of life, and 15 s without one is a stall. */
  #watch(): void {
    const { clock, timers } = this.#process.env;
    const askedAt = clock.monotonicNow();
    timers.after(PING_MS, () => {
      if (this.#state !== 'open') return;
      const now = clock.monotonicNow();
      // After a suspension nothing that came has been read yet: the silence ends at its own time.
      if (now - askedAt >= STALL_MS) return this.#watch();
      if (!this.#isStalled) this.#heardAt = now;
      if (!this.#isStalled && isSuspended(this.#parts.sim.scenario)) this.#awaitSilence();
      if (now - this.#heardAt >= STALL_MS) return this.end('stalled');
      this.#watch();
    });
  }

  /** As the client does: a timer of its own, in its place among those that are overdue after a suspension. */
  #awaitSilence(): void {
    const { clock, timers } = this.#process.env;
    this.#cancelSilence();
    this.#cancelSilence = timers.after(STALL_MS, () => {
      const isSilent = clock.monotonicNow() - this.#heardAt >= STALL_MS;
      if (this.#state === 'open' && isSilent) this.end('stalled');
    });
  }

  #port(): StreamPort {
    const { sim, checker } = this.#parts;
    const emit = (frame: StreamFrame, text: string): void => {
      const { index } = this.#process;
      const journey = checker.underWay(index, frame);
      const emitted = checker.emitted(index, frame);
      const spoil = (): void => {
        emitted();
        journey.spoilt();
      };
      this.#pass(text, { ...journey, spoil, reported: () => checker.delivered(index, frame) });
    };
    const late = createLateFrames(this.#parts, (frame, headText) =>
      emit(frame, frameText(frame, shareData(frame.data), headText)),
    );
    return {
      frame: (frame, data, headText) => {
        // No fault here opens a socket without its welcome.
        if (frame.event === 'welcome') return this.#deliver(frameText(frame, data, headText), 0);
        if (isLate(sim.scenario)) return late(frame, headText);
        emit(frame, frameText(frame, data, headText));
      },
      control: (message) => this.#deliver(JSON.stringify(message), 0),
      close: (code) => this.end(`closed_${code}`),
    };
  }

  #pass(text: string, { spoil, arrived, lost, reported }: Fate): void {
    const { faults } = this.#parts;
    if (faults.hits('frame_missing') !== null) {
      lost();
      return spoil();
    }
    const slow = faults.hits('frame_slow') ?? 0;
    if (faults.hits('frame_reorder') !== null && this.#held === null) {
      spoil();
      this.#held = () => this.#deliver(text, slow, arrived);
      // Without a later frame it is late, but not lost.
      this.#parts.sim.after(HELD_MS, () => this.#release());
      return;
    }
    this.#deliver(text, slow, () => {
      reported();
      arrived();
    });
    if (faults.hits('frame_duplicate') !== null) this.#deliver(text, slow);
    this.#release();
  }

  #release(): void {
    const late = this.#held;
    this.#held = null;
    late?.();
  }

  #deliver(text: string, slowMs: number, reported: () => void = () => {}): void {
    const { sim } = this.#parts;
    const due = sim.queue.now() + this.#latencyMs + slowMs;
    this.#lastDelivery = Math.max(this.#lastDelivery, due, this.#stalledUntil);
    this.#onWire.push({ text, reported });
    sim.queue.at(this.#lastDelivery, () => this.#arrive());
  }

  /** The oldest frame comes: one that waits is overtaken by none, as on a socket. */
  #arrive(): void {
    const { sim } = this.#parts;
    if (this.#state !== 'open' || !this.#process.alive) return;
    if (this.#isStalled) return void sim.queue.at(this.#stalledUntil, () => this.#arrive());
    if (this.#process.isSuspended)
      return this.#process.takes(() => void sim.after(this.#latencyMs, () => this.#arrive()));
    const { text, reported } = this.#onWire.shift()!;
    reported();
    this.#events.onText(text);
  }
}
