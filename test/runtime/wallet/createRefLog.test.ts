import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type {
  ExecutionRecord,
  FillRecord,
  MonitorRecord,
  OrderRecord,
} from '../../../src/contract/index.ts';
import {
  attachTpsl,
  bulkCancel,
  cancelOrder,
  controlExecution,
  createMonitor,
  launch,
  modifyOrder,
  placeOrder,
  setLeverage,
  stopLoss,
  type Intent,
} from '../../../src/intents/index.ts';
import { createRefLog, type RefLog } from '../../../src/runtime/wallet/createRefLog.ts';
import type { Outcome, OutcomeState } from '../../../src/strategy/index.ts';
import { NEVER, Subscription } from 'rxjs';
import { createByRef, type ByRef } from '../../../src/strategy/refs/createByRef.ts';
import type { RefState } from '../../../src/strategy/refs/RefState.ts';

const KEY = 'main/grid/bar:BTC:5m:0#0';
const place = placeOrder.limit(
  { symbol: 'BTC', side: 'buy', size: 10, price: 90 },
  { ref: 'rung' },
);
const work = launch.pacemaker(
  { symbol: 'BTC', side: 'buy', total_size: 10, params: { duration_seconds: 60 } },
  { ref: 'rung' },
);

const orderOf = (over: Partial<OrderRecord> = {}): OrderRecord => ({
  order_id: 'ord_1',
  client_order_id: 'key-1',
  symbol: 'BTC',
  side: 'buy',
  size: 10,
  filled_size: 0,
  order_type: 'limit',
  reduce_only: false,
  status: 'open',
  created_time: 1,
  updated_time: 1,
  request: null,
  ...over,
});
const executionOf = (over: Partial<ExecutionRecord> = {}): ExecutionRecord => ({
  execution_id: 'exe_1',
  client_execution_id: 'key-1',
  algo: 'pacemaker',
  symbol: 'BTC',
  side: 'buy',
  total_size: 10,
  filled_size: 0,
  remaining_size: 10,
  status: 'running',
  phase: 'working',
  progress: 0,
  fees: 0,
  reduce_only: false,
  wallet: 'main',
  created_time: 1,
  updated_time: 1,
  request: null,
  ...over,
});
const fillOf = (id: number, size: number, over: Partial<FillRecord> = {}): FillRecord => ({
  fill_id: `fil_${id}`,
  order_id: 'ord_1',
  symbol: 'BTC',
  side: 'buy',
  price: 90,
  size,
  notional: 90 * size,
  fee: 0,
  liquidity: 'maker',
  reduce_only: false,
  time: id,
  ...over,
});

/** A host's view of a log, as the bot connects them. */
function viewOf(log: RefLog): ByRef {
  return createByRef({
    refs$: log.events$,
    lastOf: () => undefined,
    toPlugin: () => NEVER,
    lifetime: new Subscription(),
    onSourceFailed: (error) => {
      throw error;
    },
  });
}

/** Plain fields, without the view's stream. */
const read = (byRef: ByRef): Omit<RefState, 'changes$'> => {
  const { changes$: _changes, ...state } = { ...byRef.view('rung') };
  return state;
};

interface Life {
  intent: Intent;
  sizes: number[];
  isCancelled: boolean;
}

/** Everything that reports one intent's life, in channels whose own order is fixed. */
function channelsOf({ intent, sizes, isCancelled }: Life) {
  const isOrder = intent.kind === 'place_order';
  const filledAfter = (count: number) => sizes.slice(0, count).reduce((sum, size) => sum + size, 0);
  const total = filledAfter(sizes.length);
  const end = total === 10 ? 'filled' : isCancelled ? 'cancelled' : undefined;
  const at = (count: number, isLast = false) => {
    const filled_size = filledAfter(count);
    // On a tape of bars everything of one bar has one time, its end included.
    const updated_time = 1 + count;
    if (!isOrder) {
      const status =
        isLast && end !== undefined ? (end === 'filled' ? 'completed' : 'stopped') : 'running';
      return executionOf({ filled_size, updated_time, status, remaining_size: 10 - filled_size });
    }
    const status = isLast && end !== undefined ? end : 'open';
    return orderOf({ filled_size, updated_time, status });
  };
  const states = sizes.map((_, index) => at(index + 1));
  const records = [at(0), ...states, ...(end === undefined ? [] : [at(sizes.length, true)])];
  // An execution's fills name its child orders and itself, never the client id.
  const names = isOrder
    ? { client_order_id: 'key-1' }
    : { execution_id: 'exe_1', order_id: 'ord_9' };
  const fills = sizes.map((size, index) => fillOf(index, size, names));
  type Step = (log: RefLog, byRef: ByRef) => void;
  const outcome =
    (state: Outcome['state']): Step =>
    (log, byRef) => {
      const step = { state, intent, decisionKey: KEY, time: 1 } as Outcome;
      if (state === 'accepted') log.became(KEY, intent, at(0));
      log.outcome(step);
      byRef.outcome(step);
    };
  const frames = records.map((record): Step => (log) => {
    if (isOrder) log.order(record as OrderRecord);
    else log.execution(record as ExecutionRecord);
  });
  // A fill may be read again after an outage, and then passes once more.
  const fillSteps = fills.map(
    (fill): Step =>
      (log) =>
        log.fill(fill),
  );
  const cancels: Step[] =
    end === 'cancelled' && isOrder
      ? [(log) => log.became('other', cancelOrder({ ref: 'rung' }), records.at(-1))]
      : [];
  const oracle = {
    ref: 'rung',
    state: 'accepted' as const,
    size: 10,
    filled: total,
    remaining: 10 - total,
    ended: end !== undefined,
    fills,
    order: isOrder ? records.at(-1)! : null,
    executions: isOrder ? [] : [records.at(-1)!],
    monitor: null,
  };
  const outcomes = [outcome('guarded'), outcome('sending'), outcome('accepted')];
  return { channels: [outcomes, frames, fillSteps, cancels], oracle };
}

const lives = fc.record({
  intent: fc.constantFrom<Intent>(place, work),
  sizes: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }),
  isCancelled: fc.boolean(),
});

describe('what is known of a ref', () => {
  test('is the same in any interleaving of answers, frames, fills and cancels, whenever it is asked for', () => {
    fc.assert(
      fc.property(
        lives,
        fc.array(fc.nat(3), { maxLength: 40 }),
        fc.nat(20),
        (life, order, askedAt) => {
          const { channels, oracle } = channelsOf(life);
          const log = createRefLog();
          log.named(KEY, life.intent, 'key-1');
          const byRef = viewOf(log);
          const left = channels.map((steps) => [...steps]);
          let done = 0;
          let hasEnded = false;
          for (const choice of [...order, ...Array.from({ length: 40 }, (_, index) => index % 4)]) {
            const step = left[choice]!.shift();
            if (step === undefined) continue;
            if (done++ === askedAt) byRef.view('rung');
            step(log, byRef);
            const { filled, remaining, size, ended } = read(viewOf(log));
            // A late frame shows it open again.
            if (hasEnded) expect(ended).toBe(true);
            hasEnded = ended;
            expect(remaining).toBeGreaterThanOrEqual(0);
            expect(filled).toBeLessThanOrEqual(size || filled);
          }
          expect(read(byRef)).toMatchObject(oracle);
          expect(read(viewOf(log))).toMatchObject(oracle);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('a bot that runs for months', () => {
  const stop = { stop_loss: stopLoss.price(80) };
  const intents: Readonly<Record<string, (ref: string) => Intent>> = {
    'changes its orders': (ref) => modifyOrder({ ref: 'rung' }, { price: 91 }, { ref }),
    'cancels orders': (ref) => cancelOrder({ ref: 'rung' }, { ref }),
    'cancels all of them': (ref) => bulkCancel({ symbol: 'BTC' }, { ref }),
    'moves its stop': (ref) => attachTpsl('BTC', stop, { ref }),
    'sets the leverage': (ref) => setLeverage('BTC', { leverage: 2, mode: 'cross' }, { ref }),
    'pauses executions': (ref) => controlExecution.pause({ ref: 'rung' }, { ref }),
  };

  test.each(Object.keys(intents))('%s, forgets the oldest refs and none that is open', (name) => {
    const log = createRefLog();
    const byRef = viewOf(log);
    byRef.view('rung');
    log.named(KEY, place, 'key-1');
    log.order(orderOf());
    const accepted = (intent: Intent, decisionKey: string): void =>
      byRef.outcome({ state: 'accepted', intent, decisionKey, time: 1 } as Outcome);
    accepted(place, KEY);
    // The answer of another one never came: what became of it is unknown.
    const lost = placeOrder.market({ symbol: 'BTC', side: 'buy', size: 1 }, { ref: 'lost' });
    byRef.outcome({ state: 'unknown', intent: lost, decisionKey: 'lost', time: 1 } as Outcome);
    for (let at = 0; at < 3_000; at++) accepted(intents[name]!(`ref-${at}`), `decision-${at}`);
    expect(byRef.view('ref-0').state).toBeUndefined();
    expect(byRef.view('ref-1500').state).toBeUndefined();
    expect(byRef.view('ref-2999').state).toBe('accepted');
    expect(byRef.view('rung')).toMatchObject({ state: 'accepted', ended: false });
    expect(byRef.view('lost')).toMatchObject({ state: 'unknown', ended: false });
  });

  test('a control has ended once the service has taken it', () => {
    const byRef = viewOf(createRefLog());
    byRef.view('move');
    const intent = modifyOrder({ ref: 'rung' }, { price: 91 }, { ref: 'move' });
    const step = (state: Outcome['state']): void =>
      byRef.outcome({ state, intent, decisionKey: 'move', time: 1 } as Outcome);
    step('sending');
    expect(byRef.view('move').ended).toBe(false);
    step('accepted');
    expect(byRef.view('move').ended).toBe(true);
  });
});

test('a ref is forgotten after a thousand newer ones, unless its intent is open or unanswered', () => {
  const log = createRefLog();
  const placed = (key: string) =>
    placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 1, price: 90 }, { ref: `ref ${key}` });
  const shown = (key: string): OrderRecord =>
    orderOf({ order_id: `ord_${key}`, client_order_id: key });
  const report = (key: string, state: OutcomeState): void => {
    log.named(key, placed(key), key);
    log.outcome({ state, intent: placed(key), decisionKey: key, time: 0 });
  };
  report('rejected', 'rejected');
  report('unknown', 'unknown');
  report('open', 'accepted');
  log.order(shown('open'));
  for (let at = 0; at < 1_200; at++) report(`newer ${at}`, 'rejected');
  expect(log.refOf(shown('rejected'))).toBeUndefined();
  expect(log.refOf(shown('unknown'))).toBe('ref unknown');
  expect(log.refOf(shown('open'))).toBe('ref open');
});

test('a monitor that is shown is followed, be its ref the only one or one of several', () => {
  const request = {
    trigger: { type: 'price_level', symbol: 'BTC', price: 80, direction: 'below' },
    action: {
      type: 'order',
      request: { symbol: 'BTC', side: 'buy', size: 1, order_type: 'market' },
    },
  } as const;
  const watch = createMonitor(request, { ref: 'rung' });
  for (const others of [0, 1, 2]) {
    const log = createRefLog();
    const view = viewOf(log);
    log.named(KEY, watch, 'key-1');
    for (let at = 0; at < others; at++)
      log.named(`${KEY}${at}`, { ...watch, ref: `o${at}` }, `o${at}`);
    const record = { monitor_id: 'mon_1', status: 'armed', ...request } as unknown as MonitorRecord;
    log.became(KEY, watch, record);
    log.monitor({ ...record, status: 'fired' });
    expect(read(view).monitor).toMatchObject({ monitor_id: 'mon_1', status: 'fired' });
  }
});
