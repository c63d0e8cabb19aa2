import { concatMap, ignoreElements, map, merge, NEVER, tap } from 'rxjs';
import { expect, test } from 'vitest';
import type { WatchRow } from '../../src/contract/index.ts';
import {
  attachTpsl,
  cancelOrder,
  closePosition,
  controlExecution,
  createMonitor,
  launch,
  launchBasket,
  modifyOrder,
  pauseMonitor,
  placeOrder,
  retireTpsl,
  stopLoss,
  stopMonitor,
  type Intent,
} from '../../src/intents/index.ts';
import { testStrategy, type StrategyTest } from '../../src/testing/index.ts';
import { planted } from './planted.ts';

const order = placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 2, price: 90 }, { ref: 'one' });

/** Emits the intents, one at each price. */
const emitting = (...intents: Intent[]) =>
  planted((ctx) => ctx.price('BTC').pipe(concatMap((_price, at) => intents.slice(at, at + 1))));

const STATES = [
  'denied',
  'accepted',
  'rejected',
  'expired',
  'unknown',
  'sending',
  'absent',
] as const;
type State = (typeof STATES)[number];
/** What may follow; nothing follows what is final. */
const AFTER: Partial<Record<State, readonly State[]>> = {
  sending: ['accepted', 'rejected', 'unknown'],
  unknown: ['accepted', 'rejected', 'absent', 'sending'],
};

test.each(STATES.flatMap((one) => STATES.map((other) => [one, other] as const)))(
  'an intent that is %s may become %s, or not',
  (one, other) => {
    const bot = testStrategy(emitting(order), { symbols: ['BTC'] }).price('BTC', 100);
    const report = (state: State) =>
      state === 'rejected'
        ? bot.outcome('one', state, 'insufficient_margin')
        : bot.outcome('one', state);
    // Only what is unknown turns out to be absent.
    if (one === 'absent') return expect(() => report(one)).toThrow("can't become");
    report(one);
    if (AFTER[one]?.includes(other) === true) report(other);
    else expect(() => report(other)).toThrow("can't become");
  },
);

const market = placeOrder.market({ symbol: 'BTC', side: 'buy', size: 2 }, { ref: 'one' });
const LEVEL = { indicator: 'sma', interval: '1m' } as const;
const leveled = placeOrder.atLevel(
  { symbol: 'BTC', side: 'buy', size: 2, price_from: LEVEL },
  { ref: 'one' },
);
const tracked = placeOrder.atLevel(
  { symbol: 'BTC', side: 'buy', size: 2, price_from: { ...LEVEL, track: true } },
  { ref: 'one' },
);
const reducing = placeOrder.market(
  { symbol: 'BTC', side: 'sell', size: 2, reduce_only: true },
  { ref: 'then' },
);
const reduces = { reduce_only: true };
/** Sells; the leg would be a short's. */
const withLeg = (symbol: string, more = {}) =>
  placeOrder.market(
    { symbol, side: 'sell', size: 1, stop_loss: stopLoss.price(120), ...more },
    { ref: 'then' },
  );
const launchWithLeg = (symbol: string) =>
  launch.pacemaker(
    {
      symbol,
      side: 'sell',
      total_size: 1,
      params: { duration_seconds: 600 },
      stop_loss: stopLoss.price(120),
    },
    { ref: 'then' },
  );
const execution = launch.pacemaker(
  { symbol: 'BTC', side: 'buy', total_size: 4, params: { duration_seconds: 600 } },
  { ref: 'one' },
);
const alarm = createMonitor(
  {
    trigger: { type: 'price_level', symbol: 'BTC', price: 110, direction: 'above' },
    action: {
      type: 'order',
      request: { symbol: 'BTC', side: 'buy', size: 1, order_type: 'market' },
    },
  },
  { ref: 'one' },
);
const [one, then] = [{ ref: 'one' }, { ref: 'then' }];
const cancel = cancelOrder(one, then);
const change = (to: Parameters<typeof modifyOrder>[1]) => modifyOrder(one, to, then);
const nothing = (): void => {};
const longOne = (bot: StrategyTest): unknown =>
  bot.position('BTC', { side: 'long', size: 1, entry_price: 100 });

const close = closePosition.atMarket('BTC', {}, { ref: 'one' });
const basket = launchBasket(
  {
    name: 'two',
    legs: [
      {
        algo: 'pacemaker',
        symbol: 'BTC',
        side: 'buy',
        total_size: 4,
        params: { duration_seconds: 600 },
      },
    ],
  },
  { ref: 'one' },
);

/** What was sent first, what happened to it, and what is sent then. */
type Course = [name: string, first: Intent, happened: (bot: StrategyTest) => unknown, then: Intent];

const courses = (...of: Course[]): Course[] => of;

test.each([
  ...courses(
    ['a cancel of an order that has filled', order, (bot) => bot.fill('one'), cancel],
    ['a change of an order that has filled', order, (bot) => bot.fill('one'), change({ size: 3 })],
    ['a change of a market order', market, nothing, change({ size: 3 })],
    [
      'a stop of an execution that has ended',
      execution,
      (bot) => bot.execution('one', 'ended'),
      controlExecution.stop(one, then),
    ],
    [
      'a stop of a monitor that was stopped',
      alarm,
      (bot) => bot.monitor('one', 'stopped'),
      stopMonitor(one, then),
    ],
    [
      'a pause of a monitor that has fired',
      alarm,
      (bot) => bot.monitor('one', 'fired'),
      pauseMonitor(one, then),
    ],
  ).map((course) => [...course, 'rejected', 'invalid_transition'] as const),
  ...courses(['TRK-7: a change of a tracked entry', tracked, nothing, change({ price: 90 })]).map(
    (course) => [...course, 'rejected', 'tracked_entry_immutable'] as const,
  ),
  ...courses(
    [
      'a change to no more than has filled',
      order,
      (bot) => bot.fill('one', { size: 1 }),
      change({ size: 1 }),
    ],
    ['RULE-2: a reduce-only order with a leg', order, longOne, withLeg('BTC', reduces)],
    ['RULE-2: a sale of spot with a leg', order, nothing, withLeg('HYPE/USDC')],
    ['RULE-2: a launch that sells spot with a leg', order, nothing, launchWithLeg('HYPE/USDC')],
  ).map((course) => [...course, 'rejected', 'validation_failed'] as const),
  ...courses(
    ['a close of no position', order, nothing, closePosition.atMarket('BTC', {}, then)],
    [
      'legs for no position',
      order,
      nothing,
      attachTpsl('BTC', { stop_loss: stopLoss.price(80) }, then),
    ],
    ['a reduce-only order without a position', order, nothing, reducing],
    [
      'a reduce-only order that would add',
      order,
      (bot) => bot.position('BTC', { side: 'short', size: 1, entry_price: 100 }),
      reducing,
    ],
  ).map((course) => [...course, 'rejected', 'no_position'] as const),
  ...courses(
    ['a cancel of no order', order, nothing, cancelOrder({ ref: 'other' }, then)],
    ['a stop of no execution', order, nothing, controlExecution.stop({ ref: 'other' }, then)],
    ['a stop of no monitor', order, nothing, stopMonitor({ ref: 'other' }, then)],
    ['a stop of an order', order, nothing, controlExecution.stop(one, then)],
    ['a stop of an order as a monitor', order, nothing, stopMonitor(one, then)],
    ['a cancel of a launch', execution, nothing, cancel],
    ['a stop of a basket', basket, nothing, controlExecution.stop(one, then)],
    [
      'POS-2: legs on spot',
      order,
      nothing,
      attachTpsl('HYPE/USDC', { stop_loss: stopLoss.price(80) }, then),
    ],
    ['POS-2: no legs on spot', order, nothing, retireTpsl('HYPE/USDC', then)],
  ).map((course) => [...course, 'denied', 'request'] as const),
])('%s is not accepted', (_name, first, happened, last, state, why) => {
  const by = (answers: 'accept' | 'by_test') =>
    testStrategy(emitting(first, last), { symbols: ['BTC'], answers });
  const bot = by('by_test').price('BTC', 100).accept('one');
  happened(bot);
  bot.price('BTC', 101);
  expect(() => bot.accept('then')).toThrow(`outcome(…, '${state}', '${why}')`);
  expect(bot.outcomes.filter(({ intent }) => intent.ref === 'then')).toEqual([]);
  const alone = by('accept').price('BTC', 100);
  happened(alone);
  const answered = alone.price('BTC', 101).outcomes.at(-1)!;
  expect(answered).toMatchObject({ state, intent: then });
  expect(state === 'denied' ? answered.guard : answered.fault?.code).toBe(why);
});

test('an order that has filled stays so, whatever record its cancel is given', () => {
  const bot = testStrategy(emitting(order, cancel), { symbols: ['BTC'] }).price('BTC', 100);
  bot.fill('one').price('BTC', 101);
  expect(() => bot.accept('then', { order_id: 'ord_1' })).toThrow("'invalid_transition'");
});

test('a basket, whose executions have no name in a test, says how to show what its legs do', () => {
  const bot = testStrategy(emitting(basket, cancel), { symbols: ['BTC'] }).price('BTC', 100);
  bot.accept('one');
  const remedy = /launch_basket.*\n +Show what its legs fill by foreignFill, or by position/s;
  expect(() => bot.fill('one')).toThrow(remedy);
  expect(() => bot.execution('one', 'status', { status: 'running' })).toThrow(remedy);
});

test('a cancel of an order that the service refused finds nothing', () => {
  const bot = testStrategy(emitting(order, cancel), { symbols: ['BTC'] }).price('BTC', 100);
  bot.outcome('one', 'rejected', 'insufficient_margin').price('BTC', 101);
  expect(() => bot.accept('then')).toThrow("outcome(…, 'rejected', 'not_found')");
});

test.each(
  courses(
    ['a cancel of an open order', order, nothing, cancel],
    ['a larger size', order, (bot) => bot.fill('one', { size: 1 }), change({ size: 1.5 })],
    ['a new price for an order at a level', leveled, nothing, change({ price: 90 })],
    ['TRK-7: a cancel of a tracked entry', tracked, nothing, cancel],
    [
      'TRK-4: a change of an entry that is tracked no more',
      tracked,
      (bot) => bot.leg('entry_tracking_stopped', { ref: 'one' }),
      change({ price: 90 }),
    ],
    [
      'a stop of a monitor that has fired',
      alarm,
      (bot) => bot.monitor('one', 'fired'),
      stopMonitor(one, then),
    ],
    ['a stop of an execution', execution, nothing, controlExecution.stop(one, then)],
    ['a reduce-only order of a position', order, longOne, reducing],
    ['a short with a leg', order, nothing, withLeg('BTC')],
    ['a launch of a short with a leg', order, nothing, launchWithLeg('BTC')],
    [
      'a cancel by the id of an earlier process',
      order,
      nothing,
      cancelOrder({ order_id: 'ord_9' }, then),
    ],
    ['a cancel by an own id', order, nothing, cancelOrder({ client_order_id: 'mine' }, then)],
  ),
)('%s is accepted', (_name, first, happened, last) => {
  const bot = testStrategy(emitting(first, last), { symbols: ['BTC'], answers: 'accept' });
  happened(bot.price('BTC', 100));
  expect(bot.price('BTC', 101).outcomes.at(-1)).toMatchObject({ state: 'accepted', intent: then });
});

test('the record of an order of an earlier process makes its ref known', () => {
  const bot = testStrategy(emitting(cancelOrder({ ref: 'other' }, then)), { symbols: ['BTC'] });
  bot.price('BTC', 100).accept('then', { order_id: 'ord_9', status: 'cancelled' });
  expect(bot.outcomes.at(-1)).toMatchObject({ state: 'accepted', record: { order_id: 'ord_9' } });
});

test('an order without an answer may be there', () => {
  const bot = testStrategy(emitting(order, cancel), { symbols: ['BTC'] }).price('BTC', 100);
  bot.price('BTC', 101).accept('then');
  expect(bot.outcomes.at(-1)).toMatchObject({ state: 'accepted', intent: then });
});

test.each([
  ['a stop of a launch', execution, controlExecution.stop(one, then)],
  ['a pause of a launch', execution, controlExecution.pause(one, then)],
  ['a stop of a monitor', alarm, stopMonitor(one, then)],
])('%s waits for the answer that gives the id', (_name, first, last) => {
  for (const state of [undefined, 'unknown'] as const) {
    const bot = testStrategy(emitting(first, last), { symbols: ['BTC'] }).price('BTC', 100);
    if (state !== undefined) bot.outcome('one', state);
    bot.price('BTC', 101);
    expect(() => bot.accept('then')).toThrow("outcome(…, 'deferred', ");
    bot.outcome('then', 'deferred').accept('one').accept('then');
    expect(bot.outcomes.at(-1)).toMatchObject({ state: 'accepted', intent: then });
  }
});

test.each([cancel, controlExecution.stop(one, then)])(
  'the ref of a close at the market names no order and no execution: %o',
  (last) => {
    const bot = testStrategy(emitting(close, last), { symbols: ['BTC'] });
    longOne(bot);
    bot.price('BTC', 100).accept('one').price('BTC', 101);
    expect(() => bot.accept('then')).toThrow("outcome(…, 'denied', 'request')");
  },
);

test('a stop means the newer launch, and the older one if nothing came of that', () => {
  const stop = controlExecution.stop(one, then);
  const launched = () => {
    const bot = testStrategy(emitting(execution, { ...execution }, stop), { symbols: ['BTC'] });
    return bot.price('BTC', 100).accept('one').price('BTC', 101);
  };
  expect(() => launched().price('BTC', 102).accept('then')).toThrow("'deferred'");
  const refused = launched().outcome('one', 'denied', 'max_order_size').price('BTC', 102);
  expect(refused.accept('then').outcomes.at(-1)).toMatchObject({ state: 'accepted', intent: then });
});

test.each([
  ['launch', execution, controlExecution.stop(one, then)],
  ['monitor', alarm, stopMonitor(one, then)],
  ['order', order, cancel],
])(
  'a control goes on meaning the %s that it meant, though its ref is used again',
  (_name, first, last) => {
    const bot = testStrategy(emitting(first, last, { ...first }), { symbols: ['BTC'] });
    bot.price('BTC', 100).accept('one').price('BTC', 101).price('BTC', 102);
    bot.outcome('one', 'unknown').accept('then');
    expect(bot.outcomes.at(-1)).toMatchObject({ state: 'accepted', intent: last });
  },
);

test('of two intents with one ref the later one is meant', () => {
  const bot = testStrategy(emitting(order, { ...order }), { symbols: ['BTC'] });
  bot.price('BTC', 100).outcome('one', 'denied', 'margin');
  bot.price('BTC', 101).accept('one').fill('one', { size: 2 });
  expect(bot.positionOf('BTC')).toMatchObject({ size: 2 });
});

test('a fill is known by its ref when it is shown, and what was shown stays as it was', () => {
  const shown: Array<readonly [unknown, string]> = [];
  const filled: number[] = [];
  const strategy = planted((ctx) =>
    merge(
      ctx.fills$.pipe(tap(({ ref }) => void filled.push(ctx.byRef(ref!).filled))),
      ctx.orders$.pipe(tap((event) => void shown.push([event, JSON.stringify(event)]))),
    ).pipe(ignoreElements(), (seen$) =>
      merge(seen$, ctx.price('BTC').pipe(concatMap((_price, at) => (at === 0 ? [order] : [])))),
    ),
  );
  const bot = testStrategy(strategy, { symbols: ['BTC'] })
    .price('BTC', 100)
    .accept('one');
  bot.fill('one', { size: 0.5 }).fill('one', { size: 1.5 });
  expect(filled).toEqual([0.5, 2]);
  expect(shown.length).toBeGreaterThan(2);
  for (const [event, text] of shown) expect(JSON.stringify(event)).toBe(text);
});

test('an execution that has ended takes no fill, whatever remained of it', () => {
  const params = { duration_seconds: 600 };
  const request = { symbol: 'BTC', side: 'buy' as const, total_size: 4, params };
  const bot = testStrategy(emitting(launch.pacemaker(request, { ref: 'one' })), {
    symbols: ['BTC'],
  });
  bot.price('BTC', 100).accept('one').fill('one', { size: 1, price: 100 });
  bot.execution('one', 'ended', { status: 'stopped', reason: 'user_stop' });
  expect(() => bot.fill('one', { size: 1, price: 100 })).toThrow('Fill what is still open');
});

test.each([
  [{}, 'completed', 'filled'],
  [{ status: 'stopped' }, 'stopped', 'user_stop'],
  [{ reason: 'sweep_limit' }, 'stopped', 'sweep_limit'],
  [{ reason: 'mark_complete' }, 'completed', 'mark_complete'],
] as const)('an end says why in the words of its status: %j', (change, status, reason) => {
  const ends: unknown[] = [];
  const request = { symbol: 'BTC', side: 'buy', total_size: 1 } as const;
  const params = { duration_seconds: 600 };
  const strategy = planted((ctx) =>
    merge(
      ctx.price('BTC').pipe(map(() => launch.pacemaker({ ...request, params }, { ref: 'one' }))),
      ctx.executions$.pipe(
        tap(({ event, execution }) => {
          if (event === 'ended') ends.push([execution.status, execution.reason]);
        }),
        ignoreElements(),
      ),
    ),
  );
  const bot = testStrategy(strategy, { symbols: ['BTC'] }).price('BTC', 100);
  bot.fill('one', { size: 0.4 }).execution('one', 'ended', change);
  expect(ends).toEqual([[status, reason]]);
});

test('a row of a leg has the size and the form of its leg as types', () => {
  const read = ({ size, form }: WatchRow): [number | null | undefined, unknown] => [size, form];
  const rows: unknown[] = [];
  const strategy = planted((ctx) =>
    ctx.watch$.pipe(
      tap(({ row }) => void rows.push(read(row))),
      ignoreElements(),
    ),
  );
  testStrategy(strategy, { symbols: ['BTC'] }).leg('leg_armed', { size: 2, form: 'trail' });
  expect(rows).toEqual([[2, 'trail']]);
});

test('a monitor that is armed again stays armed, and one that was stopped is not there after a restart', () => {
  const found: string[][] = [];
  const monitor = (ref: string, rearm: boolean) =>
    createMonitor(
      {
        trigger: { type: 'price_level', symbol: 'BTC', price: 110, direction: 'above' },
        action: {
          type: 'order',
          request: { symbol: 'BTC', side: 'buy', size: 1, order_type: 'market' },
        },
        rearm,
      },
      { ref },
    );
  const strategy = planted((ctx) => {
    const shown: string[] = [];
    found.push(shown);
    return merge(
      ctx.monitors$.pipe(
        tap(({ event, monitor: { status, ref, fired_count: count } }) => {
          shown.push(`${event} ${ref} ${status} ${count}`);
        }),
        ignoreElements(),
      ),
      ctx
        .price('BTC')
        .pipe(
          concatMap((_price, at) =>
            [monitor('again', true), monitor('once', false)].slice(at, at + 1),
          ),
        ),
    );
  });
  const bot = testStrategy(strategy, { symbols: ['BTC'] });
  bot.price('BTC', 100).accept('again').price('BTC', 101).accept('once');
  bot.monitor('again', 'fired').monitor('once', 'fired').monitor('again', 'fired');
  bot.monitor('once', 'stopped').restart();
  expect(found).toEqual([
    [
      'armed again armed 0',
      'armed once armed 0',
      'fired again armed 1',
      'fired once fired 1',
      'fired again armed 2',
      'stopped once stopped 1',
    ],
    ['snapshot again armed 2'],
  ]);
});

test('a position is shown to those of its symbol alone', () => {
  const shown: string[] = [];
  const strategy = planted((ctx) =>
    merge(
      ...['BTC', 'ETH'].map((symbol) =>
        ctx.position(symbol).pipe(tap((one) => void shown.push(`${symbol} ${one?.size ?? 0}`))),
      ),
    ).pipe(ignoreElements()),
  );
  const bot = testStrategy(strategy, { symbols: ['BTC', 'ETH'] });
  bot.position('ETH', { side: 'long', size: 3, entry_price: 90 });
  expect(shown).toEqual(['BTC 0', 'ETH 0', 'ETH 3']);
});

test('history that closes after the present is refused', () => {
  const bot = testStrategy(
    planted(() => NEVER),
    { symbols: ['BTC'] },
  );
  const history = (time: number) => () =>
    bot.bars('BTC', '5m', [{ time, close: 100 }], { liveness: 'warm_up' });
  expect(history(bot.now - 300_000)).not.toThrow();
  const other = testStrategy(
    planted(() => NEVER),
    { symbols: ['BTC'] },
  );
  const late = () =>
    other.bars('BTC', '5m', [{ time: other.now, close: 100 }], { liveness: 'warm_up' });
  expect(late).toThrow('is history, and closes after the present');
});
