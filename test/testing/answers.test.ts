import { concatMap, ignoreElements, map, merge, NEVER, tap } from 'rxjs';
import { expect, test } from 'vitest';
import type { WatchRow } from '../../src/contract/index.ts';
import { createMonitor, launch, placeOrder, type Intent } from '../../src/intents/index.ts';
import { testStrategy } from '../../src/testing/index.ts';
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
