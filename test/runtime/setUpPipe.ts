import { createBudget } from '../../src/budget/index.ts';
import type { Exchange, ServiceRequest } from '../../src/contract/index.ts';
import { createVirtualEnv } from '../../src/env/index.ts';
import { effectOf } from '../../src/intents/effectOf.ts';
import { launch, placeOrder, type Intent } from '../../src/intents/index.ts';
import { toServiceRequest } from '../../src/intents/toServiceRequest.ts';
import { createJournal, createMemoryStore, type JournalStore } from '../../src/journal/index.ts';
import { createPipe } from '../../src/runtime/pipe/createPipe.ts';
import type { PipeOptions, Prepared } from '../../src/runtime/pipe/Pipe.ts';
import type { Emission } from '../../src/strategy/Emission.ts';
import { laneOf } from '../../src/runtime/pipe/laneOf.ts';
import { learnBudget } from '../../src/runtime/links/learnBudget.ts';
import type { PipeEvent } from '../../src/runtime/PipeEvent.ts';

export const buy = launch.pacemaker({
  symbol: 'BTC',
  side: 'buy',
  total_size: 1,
  params: { duration_seconds: 60 },
});
export const order = placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 1, price: 100 });

export const emission = (decisionKey: string, intent: Intent = buy): Emission => ({
  intent,
  instance: 'ema',
  wallet: 'main',
  decisionKey,
  cause: 'bar:BTC:1m:0',
  ordinal: 0,
  marketTime: 0,
  trigger: {},
});

/** Ids of the records of all endpoints. */
const RECORD = {
  order_id: 'ord_1',
  execution_id: 'exe_1',
  monitor_id: 'mon_1',
  basket_id: 'bas_1',
  legs: {},
  leverage: 1,
  results: [],
};

/** The service's answer: a record, or the whole envelope around an error. */
export const answered = (status: number, body: object = RECORD): Exchange => ({
  kind: 'answered',
  response: {
    status,
    headers: {},
    body: 'error' in body ? { request_id: 'req_1', ...body } : body,
  },
});
export const rateLimited = answered(429, {
  error: { code: 'rate_limited', message: '', details: { retry_after_seconds: 5 } },
});
export const silence: Exchange = { kind: 'no_answer', reason: 'timeout' };

function endpointOf(intent: Intent): ServiceRequest['endpoint'] {
  const made = toServiceRequest(intent, { idempotencyKey: '', resolve: (_kind, ref) => ref });
  if (!made.ok) throw new Error(made.reason);
  return made.request.endpoint;
}

/** A pipe in virtual time whose service answers from a script, repeating the last answer. */
export function setUpPipe(
  script: Exchange[],
  over: Partial<PipeOptions> = {},
  store: JournalStore = createMemoryStore(),
) {
  const env = createVirtualEnv({ seed: 7 });
  const sent: Array<{ request: ServiceRequest; time: number; journaled: string[] }> = [];
  const events: PipeEvent[] = [];
  const journal = createJournal(store, { clock: env.clock, market: env.queue });
  const budget = createBudget({
    limit: 1_000,
    windowMs: 60_000,
    share: 0.9,
    reserveShare: 0.3,
    reserveFloor: 40,
    now: () => env.queue.now(),
  });
  const remainingHeader = 'x-service-weight-remaining';
  const learning = learnBudget(budget, { remainingHeader, wallNow: () => env.clock.wallNow() });
  let answers = 0;
  const pipe = createPipe({
    env,
    market: env.queue,
    journal,
    budget,
    at: (time, run) => env.queue.at(time, run),
    keyInUse: () => '',
    prepare: ({ intent }, key) => {
      const effect = effectOf(intent);
      const prepared: Prepared = {
        request: {
          endpoint: endpointOf(intent),
          pathParams: {},
          query: {},
          body: JSON.stringify(intent),
          idempotencyKey: key,
        },
        lane: laneOf(effect),
        weight: 20,
        opens: !effect.isExit,
        verdict: { passed: true, passedGuards: ['entry_gate'] },
      };
      return { ok: true, prepared };
    },
    send: async (request) => {
      const key = request.idempotencyKey ?? '';
      const journaled = journal.store.entries(key).map((entry) => entry.state);
      sent.push({ request, time: env.queue.now(), journaled });
      const exchange = script[Math.min(answers++, script.length - 1)]!;
      return learning.leaves()(exchange);
    },
    lookUp: async () => ({ kind: 'unclear' }),
    absentAfterMs: 60_000,
    waitForRow: () => {},
    onEvent: (event) => events.push(event),
    onFatal: (error) => {
      throw error;
    },
    concurrency: 1,
    shareOf: () => 1,
    entryRefusal: () => undefined,
    present: () => env.queue.now(),
    explainTooOld: () => undefined,
    explainLifted: () => undefined,
    isKilled: () => false,
    isPaused: () => false,
    mayRun: () => true,
    isCut: () => false,
    ...over,
  });
  /** Runs microtasks and timers until nothing is left to do before `untilMs`. */
  const run = async (untilMs: number): Promise<void> => {
    for (;;) {
      for (let tick = 0; tick < 50; tick++) await Promise.resolve();
      const next = env.queue.nextTime();
      if (next === undefined || next > untilMs) break;
      env.queue.advanceTo(next);
    }
    env.queue.advanceTo(untilMs);
  };
  const states = (): string[] => events.map((event) => event.state);
  return { env, pipe, sent, events, states, journal, run };
}
