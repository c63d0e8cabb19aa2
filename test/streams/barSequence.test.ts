import { describe, expect, test } from 'vitest';
import type { Interval } from '../../src/contract/intervals.ts';
import { createVirtualEnv } from '../../src/env/createVirtualEnv.ts';
import type { Subscription } from '../../src/env/Link.ts';
import {
  createBarSequence,
  createStreams,
  LONGEST_HOLD_MS,
  type CandleEvent,
} from '../../src/streams/index.ts';
import { bar, bars, MINUTE } from './records.ts';
import { ScriptedLink } from './ScriptedLink.ts';

const SYMBOLS = ['LTC', 'XMR'] as const;

const subscriptionOf = (symbol: string, interval: Interval = '1m'): Subscription => ({
  channel: 'candles',
  params: { symbol, interval, limit: 500 },
});

/** Two symbols of one strategy over a link whose answers come when the test says so. */
async function setUp(history = 3) {
  const link = new ScriptedLink();
  const env = createVirtualEnv();
  const streams = createStreams({ link, env });
  const sequence = createBarSequence({
    placeOf: (symbol) => SYMBOLS.indexOf(symbol as (typeof SYMBOLS)[number]),
    symbols: SYMBOLS.length,
    limit: (_due, end) => env.timers.after(LONGEST_HOLD_MS, end),
  });
  await streams.open();
  const seen: string[] = [];
  const held: string[] = [];
  const follow = (symbol: string, interval: Interval = '1m') => {
    const place = sequence.join(symbol, interval, () => held.push(symbol));
    const write = (event: CandleEvent): void => {
      const { kind, catchUp } = event;
      const isHistory = kind === 'closed' && event.history;
      const what = isHistory ? 'history' : catchUp === true ? 'late' : kind;
      seen.push(`${symbol} ${event.bar.time / MINUTE} ${what}`);
    };
    const subscription = streams.candles(symbol, interval, { history, place }).subscribe(write);
    subscription.add(() => place.leave());
    return subscription;
  };
  /** The service's answer: bars from one to before another. */
  const answer = (symbol: string, from: number, to: number): void => {
    link.market.advanceTo(Math.max(link.market.now(), to * MINUTE));
    link.say(subscriptionOf(symbol), 'snapshot', { candles: bars(from, to) });
  };
  const close = (symbol: string, at: number): void => {
    link.market.advanceTo(Math.max(link.market.now(), (at + 1) * MINUTE));
    link.say(subscriptionOf(symbol), 'bar_closed', bar(at));
  };
  const taken = (): string[] => seen.splice(0);
  return { link, env, streams, sequence, held, follow, answer, close, taken };
}

/** As {@link setUp}, live. */
async function setUpLive() {
  const made = await setUp();
  const { follow, sequence, answer, taken } = made;
  follow('LTC');
  follow('XMR');
  sequence.begin();
  answer('LTC', 0, 10);
  answer('XMR', 0, 10);
  taken();
  return made;
}

/** The connection is lost and restored; no snapshot has come yet. */
function reconnect(link: ScriptedLink): void {
  link.lose();
  link.reopen(SYMBOLS.map((symbol) => subscriptionOf(symbol)));
}

describe('history at the start', () => {
  test('is merged by time, and at one time in the order of the service', async () => {
    const { follow, sequence, answer, taken, held } = await setUp();
    follow('XMR');
    follow('LTC');
    sequence.begin();
    answer('XMR', 0, 10);
    expect(taken()).toEqual([]);
    expect(held).toEqual(['XMR']);
    answer('LTC', 0, 10);
    expect(taken()).toEqual([
      'LTC 7 history',
      'XMR 7 history',
      'LTC 8 history',
      'XMR 8 history',
      'LTC 9 history',
      'XMR 9 history',
    ]);
    expect(held).toEqual(['XMR']);
  });

  test('of longer bars comes after that of shorter ones that close with them', async () => {
    const { link, follow, sequence, answer, taken } = await setUp(2);
    follow('LTC', '5m');
    follow('XMR');
    sequence.begin();
    answer('XMR', 8, 10);
    const closed = [0, 5].map((minute) => ({ ...bar(0), time: minute * MINUTE }));
    link.say(subscriptionOf('LTC', '5m'), 'snapshot', { candles: closed });
    expect(taken()).toEqual(['LTC 0 history', 'XMR 8 history', 'XMR 9 history', 'LTC 5 history']);
  });

  test('of one stream with two listeners reaches them bar by bar, as live bars do', async () => {
    const { follow, sequence, answer, taken } = await setUp(2);
    follow('LTC');
    follow('LTC');
    sequence.begin();
    answer('LTC', 0, 10);
    expect(taken()).toEqual(['LTC 8 history', 'LTC 8 history', 'LTC 9 history', 'LTC 9 history']);
  });

  test('of one stream alone comes at once', async () => {
    const { follow, sequence, answer, taken, held } = await setUp(1);
    follow('LTC');
    sequence.begin();
    answer('LTC', 0, 10);
    expect(taken()).toEqual(['LTC 9 history']);
    expect(held).toEqual([]);
  });

  test('that is known already waits until the strategy is set up', async () => {
    const { streams, follow, sequence, answer, taken, held } = await setUp(2);
    for (const symbol of SYMBOLS) streams.candles(symbol, '1m', { history: 1 }).subscribe();
    answer('LTC', 0, 10);
    answer('XMR', 0, 10);
    follow('LTC');
    follow('XMR');
    expect(taken()).toEqual([]);
    expect(held).toEqual(['LTC', 'XMR']);
    sequence.begin();
    expect(taken()).toEqual(['LTC 8 history', 'XMR 8 history', 'LTC 9 history', 'XMR 9 history']);
  });

  test('has what closes meanwhile in its place', async () => {
    const { follow, sequence, answer, close, taken } = await setUp(1);
    follow('LTC');
    follow('XMR');
    sequence.begin();
    answer('LTC', 0, 10);
    close('LTC', 10);
    answer('XMR', 0, 11);
    close('LTC', 11);
    expect(taken()).toEqual(['LTC 9 history', 'LTC 10 closed', 'XMR 10 history', 'LTC 11 closed']);
  });

  test('is not held for longer than its limit: a slow stream brings its own later', async () => {
    const { env, follow, sequence, answer, close, taken } = await setUp(1);
    follow('LTC');
    follow('XMR');
    sequence.begin();
    answer('LTC', 0, 10);
    close('LTC', 10);
    env.queue.advanceTo(env.clock.wallNow() + LONGEST_HOLD_MS - 1);
    expect(taken()).toEqual([]);
    env.queue.advanceTo(env.clock.wallNow() + 1);
    expect(taken()).toEqual(['LTC 9 history', 'LTC 10 closed']);
    close('LTC', 11);
    expect(taken()).toEqual(['LTC 11 closed']);
    answer('XMR', 0, 12);
    close('LTC', 12);
    expect(taken()).toEqual(['XMR 11 history', 'LTC 12 closed']);
  });

  test('whose longest time has passed within a step of a replay has the snapshots of that step', () => {
    const seen: string[] = [];
    let due = (): void => {};
    const sequence = createBarSequence({
      placeOf: () => 0,
      symbols: 1,
      limit(isDue) {
        due = isDue;
        return () => {};
      },
    });
    const [first, second] = [0, 1].map(() => sequence.join('LTC', '1m', () => {}));
    const hand = (place = first!, kind: 'history' | 'live', name: string, time: number): void =>
      place.hand(kind, time, () => seen.push(name));
    sequence.begin();
    hand(first, 'history', 'a', 1);
    hand(first, 'history', 'b', 3);
    due();
    hand(second, 'history', 'c', 2);
    expect(seen).toEqual([]);
    hand(first, 'live', 'd', 4);
    expect(seen, 'what happens live waits no longer').toEqual(['a', 'c', 'b', 'd']);
  });

  test('counts as held no longer once it was delivered: its end comes at once', () => {
    const seen: string[] = [];
    const sequence = createBarSequence({
      placeOf: () => 0,
      symbols: 1,
      limit: () => () => {},
    });
    const [first, second] = [0, 1].map(() => sequence.join('LTC', '1m', () => seen.push('held')));
    const hand = (kind: 'history' | 'loaded'): void => first!.hand(kind, 1, () => seen.push(kind));
    sequence.begin();
    hand('history');
    sequence.giveUp();
    expect(seen).toEqual(['held', 'history']);
    second!.awaitBlock();
    hand('loaded');
    expect(seen).toEqual(['held', 'history', 'loaded']);
    hand('history');
    expect(seen, 'the first that is held again').toEqual(['held', 'history', 'loaded', 'held']);
  });

  test.each([
    ['refused for good', {}, ['LTC 9 history']],
    ['refused for now', { isAskedAgain: true }, []],
  ] as const)('does not wait for a stream that is %s', async (_what, more, expected) => {
    const { link, follow, sequence, answer, taken } = await setUp(1);
    follow('LTC');
    follow('XMR');
    sequence.begin();
    const error = { code: 'unknown_symbol', message: 'No.' };
    link.listener.onFault?.({
      kind: 'refused',
      subscription: subscriptionOf('XMR'),
      error,
      ...more,
    });
    answer('LTC', 0, 10);
    expect(taken()).toEqual(expected);
  });

  test('of a stream that is subscribed later comes at once, while others are held too', async () => {
    const { streams, follow, sequence, answer, close, taken } = await setUp(2);
    streams.candles('LTC', '1m', { history: 1 }).subscribe();
    answer('LTC', 0, 10);
    follow('LTC');
    follow('XMR');
    sequence.begin();
    expect(taken()).toEqual([]);
    follow('LTC');
    expect(taken()).toEqual(['LTC 8 history', 'LTC 9 history']);
    close('LTC', 10);
    answer('XMR', 9, 11);
    expect(taken().slice(-3)).toEqual(['LTC 10 closed', 'LTC 10 closed', 'XMR 10 history']);
  });

  test('that nobody asked for holds nothing', async () => {
    const { follow, sequence, answer, close, taken, held } = await setUp(0);
    follow('LTC');
    follow('XMR');
    sequence.begin();
    answer('LTC', 0, 10);
    close('LTC', 10);
    expect(taken()).toEqual(['LTC 10 closed']);
    expect(held).toEqual([]);
  });

  test('reaches nobody whose strategy has ended, and leaves no timer', async () => {
    const { env, follow, sequence, answer, taken } = await setUp(1);
    const all = [follow('LTC'), follow('XMR')];
    sequence.begin();
    answer('LTC', 0, 10);
    for (const one of all.toReversed()) one.unsubscribe();
    expect(taken()).toEqual([]);
    expect(env.queue.nextTime()).toBeUndefined();
  });

  test('goes on when the stream that it waits for is withdrawn', async () => {
    const { follow, sequence, answer, close, taken } = await setUp(1);
    follow('LTC');
    const withdrawn = follow('XMR');
    sequence.begin();
    answer('LTC', 0, 10);
    withdrawn.unsubscribe();
    close('LTC', 10);
    expect(taken()).toEqual(['LTC 9 history', 'LTC 10 closed']);
  });
});

describe('what closed during an outage', () => {
  test('is merged by time', async () => {
    const { link, answer, close, taken, held } = await setUpLive();
    reconnect(link);
    answer('LTC', 0, 13);
    close('LTC', 13);
    expect(taken()).toEqual([]);
    expect(held, 'no more history').toEqual(['LTC']);
    answer('XMR', 0, 13);
    close('XMR', 13);
    expect(taken()).toEqual([
      'LTC 10 late',
      'XMR 10 late',
      'LTC 11 late',
      'XMR 11 late',
      'LTC 12 late',
      'XMR 12 late',
      'LTC 13 closed',
      'XMR 13 closed',
    ]);
  });

  test('does not wait for a stream that brought its answer without a bar', async () => {
    const { link, answer, taken } = await setUpLive();
    reconnect(link);
    answer('XMR', 0, 10);
    answer('LTC', 0, 11);
    expect(taken()).toEqual(['LTC 10 late']);
  });

  test('is not held for longer than the limit', async () => {
    const { env, link, answer, close, taken } = await setUpLive();
    reconnect(link);
    answer('LTC', 0, 11);
    env.queue.advanceTo(env.clock.wallNow() + LONGEST_HOLD_MS);
    expect(taken()).toEqual(['LTC 10 late']);
    close('LTC', 11);
    expect(taken()).toEqual(['LTC 11 closed']);
  });

  test('holds nothing live of a stream that missed nothing', async () => {
    const { link, answer, close, taken } = await setUpLive();
    reconnect(link);
    answer('LTC', 0, 10);
    close('LTC', 10);
    expect(taken()).toEqual(['LTC 10 closed']);
  });

  test('after a gap in one stream, the others go on', async () => {
    const { link, close, taken } = await setUpLive();
    link.next(subscriptionOf('XMR'), 'bar_closed', bar(10));
    close('XMR', 11);
    close('LTC', 10);
    expect(taken()).toEqual(['LTC 10 closed']);
  });
});

describe('bars that are read, where the service has no channel', () => {
  async function setUpReading() {
    const link = new ScriptedLink();
    link.market.advanceTo(10 * MINUTE + 5_000);
    const failing = new Set<string>();
    link.answer = ({ query, pathParams }) => {
      if (failing.has(pathParams['symbol']!)) return { kind: 'not_sent', reason: 'test' };
      const closed = Math.floor(link.market.now() / MINUTE);
      const from = Number(query['start_time'] ?? (closed - 2) * MINUTE) / MINUTE;
      const body = { candles: bars(Math.min(from, closed), closed), cached: true, age_seconds: 0 };
      return { kind: 'answered', response: { status: 200, headers: {}, body } };
    };
    const env = createVirtualEnv();
    const streams = createStreams({ link, env, lacks: ['candles'] });
    await streams.open();
    const sequence = createBarSequence({
      placeOf: (symbol) => SYMBOLS.indexOf(symbol as (typeof SYMBOLS)[number]),
      symbols: SYMBOLS.length,
      limit: (_due, end) => link.market.at(link.market.now() + LONGEST_HOLD_MS, end),
    });
    const seen: string[] = [];
    for (const symbol of SYMBOLS) {
      const place = sequence.join(symbol, '1m', () => {});
      streams
        .candles(symbol, '1m', { history: 2, place })
        .subscribe(({ bar: { time }, catchUp }) =>
          seen.push(`${symbol} ${time / MINUTE}${catchUp === true ? ' late' : ''}`),
        );
    }
    sequence.begin();
    const advanceTo = async (time: number): Promise<void> => {
      link.market.advanceTo(time);
      await new Promise(setImmediate);
    };
    await new Promise(setImmediate);
    return { seen, failing, advanceTo, taken: () => seen.splice(0) };
  }

  test('have one order in history', async () => {
    const { taken } = await setUpReading();
    expect(taken()).toEqual(['LTC 8', 'XMR 8', 'LTC 9', 'XMR 9']);
  });

  test('have it after reads that failed, and live bars of one wait for no failing read', async () => {
    const { failing, advanceTo, taken } = await setUpReading();
    taken();
    for (const symbol of SYMBOLS) failing.add(symbol);
    for (let time = 11 * MINUTE; time < 13.5 * MINUTE; time += 250) await advanceTo(time);
    failing.clear();
    await advanceTo(14 * MINUTE - 1_000);
    expect(taken()).toEqual([
      'LTC 10 late',
      'XMR 10 late',
      'LTC 11 late',
      'XMR 11 late',
      'LTC 12 late',
      'XMR 12 late',
    ]);
    failing.add('XMR');
    for (let time = 14 * MINUTE; time < 14 * MINUTE + 1_000; time += 250) await advanceTo(time);
    for (let time = 15 * MINUTE; time < 15 * MINUTE + 1_000; time += 250) await advanceTo(time);
    expect(taken()).toEqual(['LTC 13', 'LTC 14']);
  });
});

test('what a stream had held when it left is not delivered, and the last to leave ends the wait', () => {
  const env = createVirtualEnv();
  const sequence = createBarSequence({
    placeOf: (symbol) => SYMBOLS.indexOf(symbol as (typeof SYMBOLS)[number]),
    symbols: SYMBOLS.length,
    limit: (_due, end) => env.timers.after(LONGEST_HOLD_MS, end),
  });
  const seen: string[] = [];
  const [first, second, third] = ['LTC', 'XMR', 'LTC'].map((symbol) =>
    sequence.join(symbol, '1m', () => {}),
  );
  sequence.begin();
  first!.hand('history', 1, () => seen.push('first'));
  second!.hand('history', 2, () => {
    seen.push('second');
    // It leaves while what was held with it is delivered.
    third!.leave();
  });
  third!.hand('history', 3, () => seen.push('third'));
  first!.leave();
  env.queue.advanceTo(LONGEST_HOLD_MS);
  expect(seen).toEqual(['second']);
});
