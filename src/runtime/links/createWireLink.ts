import { COMMANDS, type CommandName } from '../../contract/commands.ts';
import { isTransient } from '../../contract/errorCodes.ts';
import { readRetryAfterMs } from '../../contract/readRetryAfterMs.ts';
import type { EndpointId } from '../../contract/endpoints.ts';
import type { Exchange, ServiceRequest } from '../../contract/exchange.ts';
import type { ServerFrame, StreamFrame } from '../../contract/frames.ts';
import type { Cancel, MarketClock } from '../../env/Clock.ts';
import { createLiveMarketClock } from '../../env/createLiveMarketClock.ts';
import type { Env } from '../../env/Env.ts';
import type { Link, LinkListener, LinkStatus, Subscription } from '../../env/Link.ts';
import { subscriptionKey } from '../../env/subscriptionKey.ts';
import type { ClockOffset } from '../../wire/createClockOffset.ts';
import { createFrameClock, withLateness, type FrameClock } from './createFrameClock.ts';
import { createLookAhead, type LookAhead } from './createLookAhead.ts';
import type { HttpClient } from '../../wire/createHttpClient.ts';
import type { ServiceSocket } from '../../wire/createSocket.ts';

export interface WireLinkOptions {
  http: HttpClient;
  /** Created with `decodeFrame` as its decoder. */
  socket: ServiceSocket;
  env: Env;
  /** `frames`: market time is the last frame's `ts` (a replay); `wall`: the service's wall clock. */
  market: 'frames' | 'wall';
  /** The estimate of the service's clock, for `wall`. */
  clockOffset?: ClockOffset;
}

/** The link over real sockets: HTTP for requests, WebSocket for frames and subscriptions. */
export function createWireLink(options: WireLinkOptions): Link {
  return new WireLink(options);
}

/** After which time a subscription is asked for again if the refusal has no figure: doubled each time. */
const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** A service that asks for a day must not keep a stream from a bot for that long. */
const LONGEST_STATED_MS = 300_000;

const COMMAND_OF_ENDPOINT: ReadonlyMap<EndpointId, CommandName> = new Map(
  Object.entries(COMMANDS).map(([command, endpoint]) => [endpoint, command as CommandName]),
);

class WireLink implements Link {
  readonly market: MarketClock;
  readonly #lookAhead: LookAhead;
  readonly #options: WireLinkOptions;
  /** Present if frames drive market time. */
  readonly #replayClock: FrameClock | null;
  readonly #wanted = new Map<string, Subscription>();
  /** Subscriptions by the correlation id of the message that requested them. */
  readonly #asked = new Map<string, Subscription>();
  readonly #firstFrame = Promise.withResolvers<void>();
  /** Subscriptions that the service refuses for now, and after which time each is asked for again. */
  readonly #refused = new Map<string, { waitedMs: number; cancel: Cancel }>();
  #listener: LinkListener | null = null;
  #messages = 0;

  // Fields, so that each frame passes through them directly.
  readonly #receive = (server: ServerFrame): void => {
    if (server.kind === 'stream') {
      return this.#lookAhead.take(server.frame);
    }
    if (server.kind === 'ack') this.#onAck(server.frame.id);
    if (server.kind === 'error') this.#onRefusal(server.frame);
    this.#listener?.onControlFrame?.(server);
  };

  readonly #deliver = (frame: StreamFrame): void => {
    this.#replayClock?.advanceTo(frame.ts);
    this.#listener?.onFrame(frame);
    this.#firstFrame.resolve();
  };

  constructor(options: WireLinkOptions) {
    this.#options = options;
    this.#replayClock = options.market === 'frames' ? createFrameClock(() => this.present()) : null;
    const offsetMs = (): number => options.clockOffset?.offsetMs() ?? 0;
    this.market = this.#replayClock ?? withLateness(createLiveMarketClock(options.env, offsetMs));
    const holds = options.market === 'frames';
    this.#lookAhead = createLookAhead(options.env, this.#deliver, { holds });
  }

  /** By the newest frame and the time since, independent of changes to the wall clock. */
  present(): number {
    return Math.max(this.market.now(), this.#lookAhead.present() ?? 0);
  }

  /**
   * Resolves with the first frame, which is the welcome: from then on market time is paused. Waits as long as
   * the service can't be reached; the listener receives the reason.
   */
  open(listener: LinkListener): Promise<void> {
    this.#listener = listener;
    this.#options.socket.open({
      onFrame: this.#receive,
      onFault: (fault) => listener.onFault?.({ kind: 'undecodable', fault }),
      onStatus: (status) => this.#follow(status),
    });
    return this.#firstFrame.promise;
  }

  subscribe(subscription: Subscription): void {
    this.#wanted.set(subscriptionKey(subscription), subscription);
    this.#ask('subscribe', subscription);
  }

  unsubscribe(subscription: Subscription): void {
    if (this.#wanted.delete(subscriptionKey(subscription))) this.#ask('unsubscribe', subscription);
  }

  request(request: ServiceRequest): Promise<Exchange> {
    const command = COMMAND_OF_ENDPOINT.get(request.endpoint);
    if (command === undefined || request.via !== 'socket') {
      return this.#options.http.request(request);
    }
    const { wallet, idempotencyKey } = request;
    return this.#options.socket.command(command, toArgs(request), { wallet, idempotencyKey });
  }

  async close(): Promise<void> {
    this.#stopAskingAgain();
    await Promise.all([this.#options.socket.close(), this.#options.http.close()]);
    this.#firstFrame.resolve();
  }

  #follow(status: LinkStatus): void {
    if (status.state === 'lost') {
      this.#asked.clear();
      this.#stopAskingAgain();
      this.#lookAhead.lost();
      this.#replayClock?.lost();
    }
    // Before the listener is notified: what it then subscribes is requested once, not twice.
    if (status.state === 'open') {
      for (const subscription of this.#wanted.values()) this.#ask('subscribe', subscription);
    }
    this.#listener?.onStatus(status);
  }

  /** Without a connection nothing is lost: all subscriptions are requested once there is one. */
  #ask(op: 'subscribe' | 'unsubscribe', subscription: Subscription): void {
    this.#messages += 1;
    const id = `sub-${this.#messages}`;
    const { channel, params } = subscription;
    const sent = this.#options.socket.send({ id, op, channel, params: { ...params } });
    if (sent && op === 'subscribe') this.#asked.set(id, subscription);
  }

  #onAck(id: string): void {
    const subscription = this.#asked.get(id);
    if (subscription === undefined) return;
    this.#asked.delete(id);
    const key = subscriptionKey(subscription);
    // Somebody else may have asked meanwhile.
    this.#refused.get(key)?.cancel();
    this.#refused.delete(key);
  }

  #onRefusal({ id, error }: (ServerFrame & { kind: 'error' })['frame']): void {
    const subscription = this.#asked.get(id ?? '');
    if (subscription === undefined) return;
    this.#asked.delete(id ?? '');
    const refused = { kind: 'refused', subscription, error } as const;
    if (!isTransient(error.code)) return this.#listener?.onFault?.(refused);
    this.#listener?.onFault?.({ ...refused, isAskedAgain: true });
    this.#askAgain(subscription, readRetryAfterMs(error.details?.['retry_after_seconds']));
  }

  /** An exhausted budget, or a service in trouble, is not a permanent refusal (LIM-2). */
  #askAgain(subscription: Subscription, statedMs: number | undefined): void {
    const key = subscriptionKey(subscription);
    const former = this.#refused.get(key);
    former?.cancel();
    const doubledMs = former === undefined ? SHORTEST_WAIT_MS : 2 * former.waitedMs;
    const waitedMs = statedMs
      ? Math.min(statedMs, LONGEST_STATED_MS)
      : Math.min(LONGEST_WAIT_MS, doubledMs);
    const cancel = this.#options.env.timers.after(waitedMs, () => {
      if (this.#wanted.has(key)) this.#ask('subscribe', subscription);
      else this.#refused.delete(key);
    });
    this.#refused.set(key, { waitedMs, cancel });
  }

  #stopAskingAgain(): void {
    for (const { cancel } of this.#refused.values()) cancel();
    this.#refused.clear();
  }
}

/** A command's args are the body, the path's parameters and the query in one object (STR-6). */
function toArgs({ body, pathParams, query }: ServiceRequest): Record<string, unknown> {
  const content = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>);
  return { ...content, ...query, ...pathParams };
}
