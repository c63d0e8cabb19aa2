import {
  defaultDialect,
  withCode,
  type Dialect,
  type ServiceFault,
  type ServiceRequest,
  type StreamFrame,
} from '../../src/contract/index.ts';
import { isMap } from '../../src/contract/isMap.ts';
import {
  createLiveEnv,
  pause,
  silentLog,
  subscriptionKey,
  type Log,
  type Subscription,
} from '../../src/env/index.ts';
import { createClient, type Client } from '../../src/wire/index.ts';
import { openVenueLink, type VenueLink } from '../../src/operate/directLink/index.ts';
import { paperSettingsOf, requireVenueOptions, type VenueOptions } from './paperSettingsOf.ts';
import { readSpan } from './readSpan.ts';

export interface PaperVenueOptions extends VenueOptions {
  dialect?: Dialect;
  /** Seed of random delays (0). */
  seed?: string | number;
  /** Receives the log of the service. Default: none. */
  log?: Log;
}

/** A paper service without sockets: calls in, answers and frames out, in the time of the replay. */
export interface VenueInProcess {
  /** One typed method an endpoint, as over HTTP; nothing is signed. The key has all scopes on the wallet `main`. */
  readonly client: Client;
  /** Time of the replay, epoch milliseconds. */
  now(): number;
  /** The end of the tape, epoch milliseconds. */
  readonly endTime: number;
  /**
   * Moves the replay on. Frames are delivered before the promise resolves, and so are the answers to requests that
   * wait for a latency.
   *
   * @param span `'1h'`, or milliseconds
   * @returns the time that was reached
   */
  advance(span: string | number): Promise<number>;
  /**
   * Frames of a channel (conventions §5), the snapshot first: `venue.subscribe('candles', { symbol, interval }, …)`.
   *
   * @returns to end it
   * @throws Error if the service refuses the channel or its params
   */
  subscribe(
    channel: string,
    params: Subscription['params'],
    onFrame: (frame: StreamFrame) => void,
  ): () => void;
  close(): Promise<void>;
}

/** See the entry of this folder. */
export async function paperVenue(options: PaperVenueOptions): Promise<VenueInProcess> {
  requireVenueOptions('paperVenue', options);
  const { dialect = defaultDialect, seed = 0, log = silentLog, ...given } = options;
  const { settings: paper, data } = await paperSettingsOf('paperVenue', given, {});
  const { core, link } = openVenueLink({ paper, data, dialect, seed, log });
  const streams = createStreams();
  await link.open({
    onFrame: streams.deliver,
    onFault: (fault) => fault.kind === 'refused' && streams.refuse(fault.error),
    onStatus: () => {},
  });
  const request = (asked: ServiceRequest) => Promise.resolve(link.request(asked));
  return {
    client: createClient({ request }, dialect),
    now: () => core.engine.now,
    endTime: core.engine.endTime,
    advance: async (span) => advance(link, core.engine, readSpan(span)),
    subscribe(channel, params, onFrame) {
      requireSubscription(channel, params, onFrame);
      const subscription = { channel, params };
      streams.add(subscription, onFrame);
      link.subscribe(subscription);
      streams.requireAccepted(subscription);
      link.advanceTo(0);
      return () => {
        streams.remove(subscription);
        link.unsubscribe(subscription);
      };
    },
    close: () => link.close(),
  };
}

/** Request by request, where they wait for a latency: an answer may lead to the next request. */
async function advance(
  link: VenueLink['link'],
  engine: { readonly now: number; readonly endTime: number },
  spanMs: number,
): Promise<number> {
  const target = Math.min(engine.now + spanMs, engine.endTime);
  for (;;) {
    const due = Math.min(link.dueTime?.() ?? Infinity, target);
    // A step ends where a frame is due, too.
    do link.advanceTo(due);
    while (engine.now < due);
    const arrived = (await link.arrive?.(engine.now, settled)) ?? 0;
    if (arrived > 0) link.advanceTo(0);
    else if (due >= target) return engine.now;
  }
}

/** @throws TypeError for what no subscription has, in a program without types */
function requireSubscription(channel: unknown, params: unknown, onFrame: unknown): void {
  const refuse = (what: string): never => {
    throw withCode('TRIMTAB_USAGE', new TypeError(`subscribe(channel, params, onFrame): ${what}`));
  };
  if (typeof channel !== 'string') refuse('channel is not a text.');
  if (!isMap(params)) refuse('params is not an object; give {} for none.');
  if (typeof onFrame !== 'function') refuse('onFrame is not a function.');
}

/** What follows from an answer has been requested. */
const settled = (): Promise<void> => pause(createLiveEnv().timers, 0);

/** Frames → the callback of their subscription. */
function createStreams() {
  const callbacks = new Map<string, (frame: StreamFrame) => void>();
  let refusal: ServiceFault | undefined;
  const remove = (subscription: Subscription): void =>
    void callbacks.delete(subscriptionKey(subscription));
  return {
    add(subscription: Subscription, onFrame: (frame: StreamFrame) => void): void {
      if (callbacks.has(subscriptionKey(subscription))) {
        const { channel, params } = subscription;
        const what = `${channel} ${JSON.stringify(params)} has a subscription; end it first.`;
        throw withCode('TRIMTAB_USAGE', new Error(what));
      }
      refusal = undefined;
      callbacks.set(subscriptionKey(subscription), onFrame);
    },
    remove,
    deliver: (frame: StreamFrame): void => callbacks.get(subscriptionKey(frame))?.(frame),
    refuse(fault: ServiceFault): void {
      refusal = fault;
    },
    requireAccepted(subscription: Subscription): void {
      if (refusal === undefined) return;
      remove(subscription);
      const { channel, params } = subscription;
      const what = `${channel} ${JSON.stringify(params)}`;
      const message = `The service refuses ${what}: ${refusal.code}: ${refusal.message}`;
      throw withCode('TRIMTAB_STREAM_REFUSED', new Error(message));
    },
  };
}
