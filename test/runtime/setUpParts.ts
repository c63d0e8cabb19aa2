import { defaultDialect, SCOPES, type ServiceRequest } from '../../src/contract/index.ts';
import {
  createVirtualEnv,
  silentLog,
  type Link,
  type Log,
  type Subscription,
} from '../../src/env/index.ts';
import { createMemoryStore } from '../../src/journal/index.ts';
import type { BotPlan } from '../../src/runtime/BotPlan.ts';
import { createBooks } from '../../src/runtime/createBooks.ts';
import { createControl } from '../../src/runtime/createControl.ts';
import type { OwnerDecision } from '../../src/runtime/control/index.ts';
import { answered } from './setUpPipe.ts';

const NOTHING = { items: [], next_cursor: null };

/** What a bot is made of, at a service in virtual time that accepts everything, lists nothing and streams nothing. */
export function setUpService({
  strategies = [{ name: 'ema' }, { name: 'other' }] as ReadonlyArray<{
    name: string;
    wallet?: string;
    symbols?: readonly string[];
  }>,
  guards = {} as BotPlan['guards'],
  decisions = [] as readonly OwnerDecision[],
  instruments = [] as BotPlan['instruments'],
  resyncMs = null as number | null,
  /** Of an earlier process; the time goes on. */
  store = createMemoryStore(),
  startTime = 0,
  /** Default: one that streams nothing. */
  link: given = undefined as Link | undefined,
} = {}) {
  const warned: Array<[string, unknown]> = [];
  const log: Log = {
    ...silentLog,
    warn: (message, details) => void warned.push([message, details]),
  };
  const env = { ...createVirtualEnv({ seed: 1, startTime }), log };
  const sent: ServiceRequest[] = [];
  const subscribed: Subscription[] = [];
  const plan: BotPlan = {
    dialect: defaultDialect,
    seed: 1,
    strategies: strategies.map(({ name, wallet = 'main', symbols = ['BTC'] }) => ({
      strategy: { scopes: SCOPES } as never,
      params: {},
      name,
      symbols,
      wallet,
      capitalShare: 0.5,
    })),
    guards,
    budget: { limit: 1_000, share: 0.9, reserveShare: 0.3, reserveFloor: 40, clock: 'wall' },
    concurrency: 1,
    instruments,
    scopes: SCOPES,
    resyncMs,
    markInterval: () => '1m',
  };
  const link: Link = given ?? {
    market: env.queue,
    open: async () => {},
    subscribe: (subscription) => void subscribed.push(subscription),
    unsubscribe() {},
    request(request) {
      sent.push(request);
      return answered(200, request.endpoint.endsWith('.list') ? NOTHING : undefined);
    },
    close: async () => {},
  };
  /** Lets so many seconds pass, and everything happen that is due by then. */
  async function pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      for (let tick = 0; tick < 50; tick++) await Promise.resolve();
      env.queue.advanceTo(env.queue.now() + 1_000);
    }
  }
  const options = {
    plan,
    env,
    link,
    decisions,
    store,
    defaultWallet: 'main',
    onFatal(error: unknown) {
      throw error;
    },
  };
  return { ...options, options, sent, subscribed, warned, pass };
}

/** The first two parts of a bot on that service, before any frame. */
export function setUpParts(given: Parameters<typeof setUpService>[0] = {}) {
  const service = setUpService(given);
  const books = createBooks(service.options);
  return { ...service, books, control: createControl(books, service.decisions) };
}
