import { createDirectLink } from '../../src/operate/directLink/index.ts';
import { defaultDialect, INTERVAL_MS, SCOPES, type StreamFrame } from '../../src/contract/index.ts';
import {
  createVirtualEnv,
  openThread,
  type Link,
  type LinkListener,
  type Subscription,
} from '../../src/env/index.ts';
import { createMemoryStore } from '../../src/journal/index.ts';
import {
  createPaperService,
  generateFeed,
  paperSettings,
  type Feed,
} from '../../src/paper/index.ts';
import type { BotEvent } from '../../src/runtime/BotEvent.ts';
import type { BotPlan, PlannedStrategy } from '../../src/runtime/BotPlan.ts';
import { createBot, type Bot } from '../../src/runtime/createBot.ts';
import { createFrameClock } from '../../src/runtime/links/createFrameClock.ts';

const START = Date.UTC(2026, 0, 5);
export const MINUTE = 60_000;

/** A request that left, and the bar that it was decided on. */
export interface Sent {
  endpoint: string;
  body: Record<string, unknown>;
  decisionKey: string;
  /** Market time at which it left, epoch milliseconds. */
  time: number;
}

/** A bot on the direct link in virtual time, whose connection can be cut or stalled. */
export interface OutageBot {
  bot: Bot;
  events: BotEvent[];
  sent: Sent[];
  now(): number;
  /** Runs a given number of minutes of market time, minute by minute. */
  run(minutes: number): Promise<void>;
  /** Lets so many seconds of market time pass, and does not wait for what is being found out. */
  pass(seconds: number): Promise<void>;
  /** Closes the connection until {@link OutageBot.reopen}. */
  lose(): void;
  /** @param order puts the subscriptions, which restart, into an order of their own */
  reopen(order?: (subscriptions: Subscription[]) => Subscription[]): Promise<void>;
  /** Like a stopped process: frames wait and are delivered late, in order. */
  stall(): void;
  resume(): Promise<void>;
  close(): Promise<void>;
}

export interface OutageOptions {
  strategy: PlannedStrategy['strategy'];
  guards?: BotPlan['guards'];
  budget?: Partial<BotPlan['budget']>;
  isolation?: PlannedStrategy['isolation'];
  params?: Record<string, unknown>;
  bars?: number;
  /** Of the symbols; default: generated, by a random walk. */
  feeds?: Feed[];
  /** Market time comes from the frames that arrive, as of a paced replay. Default: it goes on in an outage. */
  byFrames?: boolean;
  /** That the strategy owns; default: BTC. */
  symbols?: readonly string[];
  /** Bars of the feed that are history at the start. */
  warmup?: number;
  wire?: (send: () => ReturnType<Link['request']>) => ReturnType<Link['request']>;
  /** Of the wallet; default: the service's. */
  balance?: number;
  /** What the streams make of a frame before the bot hears it. */
  receives?: (frame: StreamFrame) => StreamFrame;
}

export async function openOutageBot(options: OutageOptions): Promise<OutageBot> {
  const { strategy, guards = {}, budget, isolation, params = {}, bars = 900 } = options;
  const { warmup = 120, wire = (send) => send(), symbols = ['BTC'], byFrames = false } = options;
  const { receives = (frame) => frame } = options;
  const generate = (symbol: string, at: number) =>
    generateFeed({
      symbol,
      interval: '1m',
      bars,
      seed: 5 + at,
      startTime: START,
      startPrice: 61_000,
    });
  const feeds = options.feeds ?? symbols.map(generate);
  const settings = paperSettings.parse({
    feeds: [{ symbol: 'BTC', interval: '1m', generate: { seed: 1, bars: 2 } }],
    port: 0,
    paused: true,
    budget_clock: 'replay',
    limits: budget === undefined ? 'off' : 'on',
    warmup,
    ...(options.balance === undefined ? {} : { balance: options.balance }),
  });
  const env = createVirtualEnv({ startTime: feeds[0]!.time[warmup]! });
  const core = createPaperService({ settings, data: { feeds, funding: {} } }, env);
  const credentials = { keyId: 'vk_direct', secret: 'vs_direct' };
  core.addKey({ label: 'direct', scopes: SCOPES }, credentials, env.clock.wallNow());
  const direct = createDirectLink({ core, keyId: credentials.keyId, env });
  const wanted = new Map<string, Subscription>();
  const held: StreamFrame[] = [];
  const sent: Sent[] = [];
  const decided = new Map<string, string>();
  let line: 'up' | 'lost' | 'stalled' = 'up';
  let received!: LinkListener;
  const clock = createFrameClock(() => direct.market.now());
  const hear = (frame: StreamFrame): void => {
    clock.advanceTo(frame.ts);
    received.onFrame(receives(frame));
  };
  const link: Link = {
    market: byFrames ? clock : direct.market,
    ...(byFrames ? { present: () => direct.market.now() } : {}),
    open(listener) {
      received = listener;
      return direct.open({
        ...listener,
        onFrame(frame) {
          if (line === 'up') hear(frame);
          else if (line === 'stalled') held.push(frame);
        },
      });
    },
    subscribe(subscription) {
      wanted.set(JSON.stringify(subscription), subscription);
      direct.subscribe(subscription);
    },
    unsubscribe(subscription) {
      wanted.delete(JSON.stringify(subscription));
      direct.unsubscribe(subscription);
    },
    request(request) {
      const { endpoint, idempotencyKey = '', body } = request;
      const decisionKey = decided.get(idempotencyKey);
      // Reads of the runtime have no decision.
      if (decisionKey === undefined) return direct.request(request);
      const content = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>);
      sent.push({ endpoint, body: content, decisionKey, time: direct.market.now() });
      return wire(() => direct.request(request));
    },
    close: () => direct.close(),
  };
  const plan: BotPlan = {
    dialect: defaultDialect,
    seed: 1,
    strategies: [
      {
        strategy,
        params,
        name: 'one',
        symbols,
        wallet: 'main',
        capitalShare: 1,
        isolation,
      },
    ],
    guards,
    budget: {
      limit: defaultDialect.budget.standard,
      share: 0.9,
      reserveShare: 0.3,
      reserveFloor: 40,
      clock: 'market',
      ...budget,
    },
    concurrency: 1,
    instruments: core.engine.market.instruments,
    resyncMs: null,
    scopes: SCOPES,
    markInterval: () => '1m',
  };
  const events: BotEvent[] = [];
  const bot = createBot({
    plan,
    link,
    env,
    store: createMemoryStore(),
    threads: { openThread, waits: true },
    defaultWallet: 'main',
    onFatal(error) {
      throw error;
    },
  });
  bot.events$.subscribe((event) => {
    events.push(event);
    if (event.kind !== 'intent') return;
    decided.set(event.event.key, event.event.emission.decisionKey);
  });
  const settle = async (): Promise<void> => {
    await bot.settled();
    direct.advanceTo(direct.market.now());
    await bot.settled();
  };
  await bot.start();
  await settle();

  return {
    bot,
    events,
    sent,
    now: () => direct.market.now(),
    async run(minutes) {
      for (let minute = 0; minute < minutes; minute++) {
        direct.advanceTo(direct.market.now() + INTERVAL_MS['1m']);
        await settle();
      }
    },
    async pass(seconds) {
      for (let second = 0; second < seconds; second++) {
        direct.advanceTo(direct.market.now() + 1_000);
        await new Promise(setImmediate);
      }
    },
    lose() {
      line = 'lost';
      clock.lost();
      received.onStatus({ state: 'lost', reason: 'test' });
    },
    async reopen(order = (all) => all) {
      line = 'up';
      received.onStatus({ state: 'open' });
      for (const subscription of order([...wanted.values()])) direct.subscribe(subscription);
      await settle();
    },
    stall() {
      line = 'stalled';
    },
    async resume() {
      line = 'up';
      for (const frame of held.splice(0)) hear(frame);
      await settle();
    },
    close: () => bot.stop(),
  };
}
