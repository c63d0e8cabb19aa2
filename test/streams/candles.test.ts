import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createVirtualEnv } from '../../src/env/createVirtualEnv.ts';
import { barOpenTime } from '../../src/contract/intervals.ts';
import type { CandleRecord } from '../../src/contract/records.ts';
import type { MarketClock } from '../../src/env/Clock.ts';
import type { Link, Subscription } from '../../src/env/Link.ts';
import { withLateness } from '../../src/runtime/links/createFrameClock.ts';
import { createStreams, type CandleEvent, type StreamFault } from '../../src/streams/index.ts';
import { bar, bars, MINUTE } from './records.ts';
import { ScriptedLink } from './ScriptedLink.ts';

const subscription: Subscription = {
  channel: 'candles',
  params: { symbol: 'BTC', interval: '1m', limit: 500 },
};

async function setUpWith(link: ScriptedLink) {
  const env = createVirtualEnv();
  const streams = createStreams({ link, env });
  const faults: StreamFault[] = [];
  streams.faults$.subscribe((fault) => faults.push(fault));
  await streams.open();
  return { env, streams, faults };
}

async function setUp(closedBars: () => number, history = 3) {
  const link = new ScriptedLink();
  link.snapshots = ({ params }) => {
    const limit = Number(params['limit']);
    link.market.advanceTo(closedBars() * MINUTE);
    return { candles: bars(Math.max(0, closedBars() - limit), closedBars()) };
  };
  const { env, streams, faults } = await setUpWith(link);
  const seen: CandleEvent[] = [];
  const candles = streams.candles('BTC', '1m', { history });
  const subscribed = candles.subscribe((event) => seen.push(event));
  return { link, env, streams, faults, seen, candles, subscribed };
}

/** The same link by another clock. */
const withMarket = (link: Link, market: MarketClock): Link => ({
  market,
  open: (listener) => link.open(listener),
  subscribe: (one) => link.subscribe(one),
  unsubscribe: (one) => link.unsubscribe(one),
  request: (request) => link.request(request),
  close: () => link.close(),
});

const times = (events: readonly CandleEvent[]) => events.map(({ bar }) => bar.time / MINUTE);
const flags = (events: readonly CandleEvent[]) =>
  events.map((event) => (event.kind === 'closed' ? event.history : null));

test('MKT-1: history comes first, then live bars, each once and in order', async () => {
  const { link, seen } = await setUp(() => 10);
  link.say(subscription, 'bar_closed', bar(10));
  link.say(subscription, 'bar_closed', bar(11));
  expect(times(seen)).toEqual([7, 8, 9, 10, 11]);
  expect(flags(seen)).toEqual([true, true, true, false, false]);
});

test('without history the first bar is the next that closes', async () => {
  const { link, seen } = await setUp(() => 10, 0);
  link.say(subscription, 'bar_closed', bar(10));
  expect(times(seen)).toEqual([10]);
});

test('the same candles are one subscription, held until the last listener leaves', async () => {
  const { link, candles, subscribed, streams } = await setUp(() => 10);
  const later: CandleEvent[] = [];
  link.say(subscription, 'bar_closed', bar(10));
  const second = candles.subscribe((event) => later.push(event));
  const other: CandleEvent[] = [];
  const third = streams
    .candles('BTC', '1m', { history: 1 })
    .subscribe((event) => other.push(event));
  link.say(subscription, 'bar_closed', bar(11));
  expect(times(later)).toEqual([8, 9, 10, 11]);
  expect(flags(later)).toEqual([true, true, true, false]);
  expect(times(other)).toEqual([10, 11]);
  subscribed.unsubscribe();
  second.unsubscribe();
  expect(link.asked).toHaveLength(1);
  third.unsubscribe();
  expect(link.asked.map((line) => line[0])).toEqual(['+', '-']);
});

test('after everyone left, a new listener restarts with history', async () => {
  let closed = 10;
  const { candles, subscribed } = await setUp(() => closed);
  subscribed.unsubscribe();
  closed = 20;
  const seen: CandleEvent[] = [];
  candles.subscribe((event) => seen.push(event));
  expect(times(seen)).toEqual([17, 18, 19]);
  expect(flags(seen)).toEqual([true, true, true]);
});

test('MKT-1: the bar in progress arrives on request, and never after it closed', async () => {
  const link = new ScriptedLink();
  link.snapshots = () => ({ candles: [bar(0), bar(1, false)] });
  const streams = createStreams({ link, env: createVirtualEnv() });
  await streams.open();
  const seen: CandleEvent[] = [];
  streams
    .candles('BTC', '1m', { history: 5, forming: true })
    .subscribe((event) => seen.push(event));
  const params = { ...subscription.params, include_forming: true };
  link.say({ ...subscription, params }, 'bar_forming', bar(1, false));
  link.say({ ...subscription, params }, 'bar_closed', bar(1));
  link.say({ ...subscription, params }, 'bar_forming', bar(1, false));
  expect(seen.map(({ kind, bar }) => `${kind} ${bar.time / MINUTE}`)).toEqual([
    'closed 0',
    'forming 1',
    'forming 1',
    'closed 1',
  ]);
});

describe('what was missed', () => {
  test('bars that closed during an outage come from the snapshot, as new ones', async () => {
    let closed = 10;
    const { link, seen, faults } = await setUp(() => closed);
    link.say(subscription, 'bar_closed', bar(10));
    link.lose();
    closed = 15;
    link.reopen([subscription]);
    link.say(subscription, 'bar_closed', bar(15));
    expect(times(seen)).toEqual([7, 8, 9, 10, 11, 12, 13, 14, 15]);
    expect(flags(seen).slice(3)).toEqual([false, false, false, false, false, false]);
    expect(faults).toEqual([]);
  });

  test('a missing frame is reported, and its bar is filled in', async () => {
    let closed = 10;
    const { link, seen, faults } = await setUp(() => closed);
    link.next(subscription, 'bar_closed', bar(10));
    closed = 12;
    link.say(subscription, 'bar_closed', bar(11));
    link.say(subscription, 'bar_closed', bar(12));
    expect(times(seen)).toEqual([7, 8, 9, 10, 11, 12]);
    expect(faults).toMatchObject([{ kind: 'gap', channel: 'candles', expected: 2, got: 3 }]);
    expect(link.asked.map((line) => line[0])).toEqual(['+', '+']);
  });

  test('an outage longer than the snapshot covers is reported', async () => {
    let closed = 10;
    const { link, seen, faults } = await setUp(() => closed);
    link.lose();
    closed = 600;
    link.reopen([subscription]);
    expect(faults).toMatchObject([
      { kind: 'candles_missing', from: 10 * MINUTE, until: 100 * MINUTE },
    ]);
    expect(times(seen).slice(3, 5)).toEqual([100, 101]);
  });

  test('with lost, repeated or swapped frames each bar comes once and in order', () => {
    const mishaps = fc.array(fc.constantFrom('ok', 'ok', 'lose', 'repeat', 'swap', 'drop'), {
      maxLength: 60,
    });
    return fc.assert(
      fc.asyncProperty(mishaps, async (steps) => {
        let closed = 5;
        const { link, seen } = await setUp(() => closed, 2);
        for (const step of steps) {
          const index = closed;
          closed += 1;
          link.market.advanceTo(closed * MINUTE);
          if (step === 'drop') {
            link.lose();
            link.reopen([subscription]);
            continue;
          }
          const frame = link.next(subscription, 'bar_closed', bar(index));
          if (step === 'lose') continue;
          if (step === 'swap') {
            closed += 1;
            link.market.advanceTo(closed * MINUTE);
            link.deliver(link.next(subscription, 'bar_closed', bar(index + 1)));
          }
          link.deliver(frame);
          if (step === 'repeat') link.deliver(frame);
        }
        link.lose();
        link.reopen([subscription]);
        expect(times(seen)).toEqual(Array.from({ length: closed - 3 }, (_, index) => index + 3));
      }),
    );
  });

  test('a missing snapshot is requested again, and reported', async () => {
    const link = new ScriptedLink();
    const env = createVirtualEnv();
    const streams = createStreams({ link, env });
    const faults: StreamFault[] = [];
    streams.faults$.subscribe((fault) => faults.push(fault));
    await streams.open();
    const seen: CandleEvent[] = [];
    streams.candles('BTC', '1m', { history: 2 }).subscribe((event) => seen.push(event));
    link.snapshots = () => ({ candles: bars(0, 4) });
    env.queue.advanceTo(4_999);
    expect(seen).toEqual([]);
    env.queue.advanceTo(5_000);
    expect(times(seen)).toEqual([2, 3]);
    expect(faults).toMatchObject([{ kind: 'no_snapshot' }]);
    env.queue.advanceTo(60_000);
    expect(link.asked).toHaveLength(2);
  });

  test('a refused subscription is reported, and not awaited', async () => {
    const link = new ScriptedLink();
    const env = createVirtualEnv();
    const streams = createStreams({ link, env });
    const faults: StreamFault[] = [];
    streams.faults$.subscribe((fault) => faults.push(fault));
    await streams.open();
    streams.candles('NOPE', '1m', { history: 0 }).subscribe();
    const params = { symbol: 'NOPE', interval: '1m', limit: 500 };
    const error = { code: 'unknown_symbol', message: 'm' };
    const refusal = {
      kind: 'refused' as const,
      subscription: { channel: 'candles', params },
      error,
    };
    link.listener.onFault?.(refusal);
    env.queue.advanceTo(60_000);
    expect(faults).toEqual([refusal]);
    expect(link.asked).toHaveLength(1);
  });
});

describe('a bar of a time that has not come', () => {
  const DAYS = 1_000_000;

  test('is refused, and reported: the stream goes on', async () => {
    const { link, seen, faults } = await setUp(() => 10);
    link.market.advanceTo(11 * MINUTE);
    link.say(subscription, 'bar_closed', bar(10));
    link.say(subscription, 'bar_closed', bar(DAYS));
    link.market.advanceTo(12 * MINUTE);
    link.say(subscription, 'bar_closed', bar(11));
    expect(times(seen)).toEqual([7, 8, 9, 10, 11]);
    expect(faults).toMatchObject([
      { kind: 'undecodable', fault: { reason: 'bad_data', detail: 'data.time' } },
    ]);
    expect((faults[0] as { fault: { text: string } }).fault.text).toContain('60000000000');
  });

  test('is left out of a snapshot, the first and a later one', async () => {
    const link = new ScriptedLink();
    const [first, second]: CandleEvent[][] = [[], []];
    link.snapshots = () => ({ candles: [...bars(0, 10), bar(DAYS), bar(DAYS + 1, false)] });
    const { streams, faults } = await setUpWith(link);
    streams.candles('BTC', '1m', { history: 2 }).subscribe((event) => first!.push(event));
    link.snapshots = () => ({ candles: [...bars(0, 11), bar(DAYS)] });
    link.lose();
    link.reopen([subscription]);
    streams.candles('BTC', '1m', { history: 2 }).subscribe((event) => second!.push(event));
    expect([times(first!), times(second!)]).toEqual([
      [8, 9, 10],
      [9, 10],
    ]);
    // One for each snapshot.
    expect(faults).toMatchObject([{ kind: 'undecodable' }, { kind: 'undecodable' }]);
  });

  test('is refused in progress, too', async () => {
    const link = new ScriptedLink();
    link.snapshots = () => ({ candles: bars(0, 2) });
    const { streams, faults } = await setUpWith(link);
    const seen: CandleEvent[] = [];
    const asked = { history: 1, forming: true };
    streams.candles('BTC', '1m', asked).subscribe((event) => seen.push(event));
    const params = { ...subscription.params, include_forming: true };
    link.say({ ...subscription, params }, 'bar_forming', bar(DAYS, false));
    expect(times(seen)).toEqual([1]);
    expect(faults).toMatchObject([{ kind: 'undecodable' }]);
  });

  const LONG = ['2h', '4h', '1d', '1w'] as const;

  test.each(LONG)(
    'is none in progress, though a bar of %s closes hours later',
    async (interval) => {
      const now = 1_800_000_000_000;
      const open = barOpenTime(now, interval);
      const closed = { ...bar(0), time: barOpenTime(open - 1, interval) };
      const inProgress = { ...bar(0, false), time: open };
      const link = new ScriptedLink();
      link.market.advanceTo(now);
      link.snapshots = () => ({ candles: [closed, inProgress] });
      const { streams, faults } = await setUpWith(link);
      const seen: CandleEvent[] = [];
      const asked = { history: 1, forming: true };
      streams.candles('BTC', interval, asked).subscribe((event) => seen.push(event));
      const params = { ...subscription.params, interval, include_forming: true };
      const say = (event: string, data: CandleRecord): void =>
        link.say({ ...subscription, params }, event, data);
      say('bar_forming', { ...inProgress, close: 5 });
      // What a frame is of counts, whatever its bar says of itself.
      say('bar_forming', { ...inProgress, close: 6, closed: true });
      say('bar_closed', inProgress);
      say('bar_forming', { ...inProgress, time: now + 3_600_001 });
      expect(seen.map((event) => [event.kind, event.bar.time, event.bar.close])).toEqual([
        ['closed', closed.time, closed.close],
        ['forming', open, inProgress.close],
        ['forming', open, 5],
        ['forming', open, 6],
      ]);
      expect(faults).toMatchObject([{ kind: 'undecodable' }, { kind: 'undecodable' }]);
    },
  );

  test('is one if it closes more than an hour after its frame', async () => {
    const { link, seen } = await setUp(() => 10);
    link.market.advanceTo(11 * MINUTE);
    link.say(subscription, 'bar_closed', bar(71));
    expect(times(seen)).toEqual([7, 8, 9]);
    link.say(subscription, 'bar_closed', bar(70));
    expect(times(seen)).toEqual([7, 8, 9, 70]);
  });
});

test('a service that was days ahead brings bars again once its clock is set back', async () => {
  const { link, seen, streams, faults } = await setUp(() => 10_000);
  expect(times(seen)).toEqual([9_997, 9_998, 9_999]);
  link.snapshots = () => null;
  const back = new ScriptedLink();
  const later = (event: string, data: unknown, ts: number, seq: number) =>
    link.deliver({ ...back.next(subscription, event, data), ts, seq });
  const snapshot = { candles: bars(4_500, 5_000) };
  later('snapshot', snapshot, 5_000 * MINUTE, 1);
  later('snapshot', snapshot, 5_000 * MINUTE, 1);
  later('bar_closed', bar(5_000), 5_001 * MINUTE, 2);
  expect(faults).toMatchObject([{ kind: 'clock_back' }]);
  expect(times(seen).slice(3)).toEqual([5_000]);
  const joined: CandleEvent[] = [];
  streams.candles('BTC', '1m', { history: 2 }).subscribe((event) => joined.push(event));
  expect(times(joined)).toEqual([4_999, 5_000]);
});

test('bars in progress are a subscription of their own, and so is a longer history', async () => {
  const { link, streams, seen } = await setUp(() => 10, 3);
  const [forming, long]: [CandleEvent[], CandleEvent[]] = [[], []];
  streams.candles('BTC', '1m', { history: 3, forming: true }).subscribe((one) => forming.push(one));
  streams.candles('BTC', '1m', { history: 5_000 }).subscribe((one) => long.push(one));
  const own = { ...subscription, params: { ...subscription.params, include_forming: true } };
  link.say(own, 'bar_forming', bar(10, false));
  expect(link.asked).toHaveLength(3);
  expect(link.asked[2]).toContain('"limit":5000');
  expect([seen, forming, long].map((events) => events.at(-1)!.kind)).toEqual([
    'closed',
    'forming',
    'closed',
  ]);
});

test('bars come as columns only while somebody takes them', async () => {
  const { link, streams } = await setUp(() => 10, 3);
  const times: (number | undefined)[] = [];
  const taker = {
    next: (_bars: unknown, from: number) => from,
    take: () => void times.push(streams.frameTime()),
    pass: () => {},
  };
  const lane = streams.lane(subscription)!;
  expect(lane.isReady()).toBe(false);
  const own = streams.candles('BTC', '5m', { history: 1, taker });
  const held = own.subscribe();
  const longer = { channel: 'candles', params: { ...subscription.params, interval: '5m' } };
  expect(streams.lane(longer)!.isReady()).toBe(true);
  // A row stands for the frame of its bar, for as long as it is delivered.
  const column = Float64Array.from([9 * MINUTE, 10 * MINUTE, 15 * MINUTE]);
  const [time, open, high, low, close, volume] = Array.from({ length: 6 }, () => column);
  link.market.advanceTo(15 * MINUTE);
  streams.lane(longer)!.take({ time, open, high, low, close, volume } as never, 1);
  expect([times, streams.frameTime()]).toEqual([[15 * MINUTE], undefined]);
  held.unsubscribe();
  expect(streams.lane(longer)!.isReady()).toBe(false);
});

test('history beyond what a snapshot holds is a programmer’s error', () => {
  const streams = createStreams({ link: new ScriptedLink(), env: createVirtualEnv() });
  for (const history of [-1, 1.5, 5_001]) {
    expect(() => streams.candles('BTC', '1m', { history })).toThrow(RangeError);
  }
});

describe('candles by polling, if the service has no channel', () => {
  async function setUpReading() {
    const link = new ScriptedLink();
    link.market.advanceTo(10 * MINUTE + 5_000);
    /** To which the machine's clock has jumped while it stood still. */
    const jump = { to: 0 };
    const now = (): number => Math.max(link.market.now(), jump.to);
    const market = withLateness({ now, at: (time, run) => link.market.at(time, run) });
    const env = createVirtualEnv();
    const ahead: CandleRecord[] = [];
    const onBar = (): void => {};
    const state = {
      lagMs: 0,
      refuse: false,
      seconds: 7,
      isFull: false,
      mostBars: Infinity,
      ahead,
      onBar,
    };
    link.answer = ({ query }) => {
      if (state.refuse) {
        const details = { retry_after_seconds: state.seconds };
        const body = { error: { code: 'rate_limited', message: 'm', details } };
        return { kind: 'answered', response: { status: 429, headers: {}, body } };
      }
      const closed = Math.floor((link.market.now() - state.lagMs) / MINUTE);
      const from = Number(
        query['start_time'] ?? Math.max(0, closed - Number(query['limit'])) * MINUTE,
      );
      const found = bars(Math.min(closed, from / MINUTE), closed).slice(0, state.mostBars);
      const candles = [...found, ...state.ahead];
      const body = { candles, cached: true, age_seconds: 0 };
      return { kind: 'answered', response: { status: 200, headers: {}, body } };
    };
    const streams = createStreams({
      link: withMarket(link, market),
      env,
      lacks: ['candles'],
      read: (request) => (state.isFull ? undefined : link.request(request)),
    });
    const faults: StreamFault[] = [];
    streams.faults$.subscribe((fault) => faults.push(fault));
    await streams.open();
    const seen: CandleEvent[] = [];
    const subscribed = streams.candles('BTC', '1m', { history: 2 }).subscribe((event) => {
      seen.push(event);
      state.onBar();
    });
    const advanceTo = async (time: number): Promise<void> => {
      link.market.advanceTo(time);
      await new Promise(setImmediate);
    };
    await new Promise(setImmediate);
    return { link, streams, seen, faults, subscribed, advanceTo, state, jump };
  }

  test('history, then one read per boundary, of new bars only', async () => {
    const { link, seen, advanceTo } = await setUpReading();
    expect(times(seen)).toEqual([8, 9]);
    await advanceTo(11 * MINUTE);
    expect(times(seen)).toEqual([8, 9]);
    await advanceTo(11 * MINUTE + 250);
    await advanceTo(12 * MINUTE + 250);
    expect(times(seen)).toEqual([8, 9, 10, 11]);
    expect(flags(seen)).toEqual([true, true, false, false]);
    expect(link.requests.map(({ query }) => query['start_time'])).toEqual([
      undefined,
      10 * MINUTE,
      11 * MINUTE,
    ]);
  });

  test('a bar of a time that has not come is refused, and stops nothing', async () => {
    const { link, seen, faults, advanceTo, state } = await setUpReading();
    state.ahead = [bar(1_000_000)];
    await advanceTo(11 * MINUTE + 250);
    state.ahead = [];
    await advanceTo(12 * MINUTE + 250);
    expect(times(seen)).toEqual([8, 9, 10, 11]);
    expect(faults).toMatchObject([{ kind: 'undecodable' }]);
    expect(link.requests.at(-1)!.query['start_time']).toBe(11 * MINUTE);
  });

  test('the bar in progress is not read, and no fault of the service', async () => {
    const { seen, faults, advanceTo, state } = await setUpReading();
    state.ahead = [bar(1_000_000, false)];
    await advanceTo(11 * MINUTE + 250);
    expect(times(seen)).toEqual([8, 9, 10]);
    expect(faults).toEqual([]);
  });

  test.each([
    ['', false],
    [', also after a read that could not be made', true],
  ])('a minute without a trade costs some reads, and not one each second%s', async (_, isFull) => {
    const { link, advanceTo, state } = await setUpReading();
    Object.assign(state, { lagMs: 10 * MINUTE, isFull });
    await advanceTo(11 * MINUTE + 250);
    state.isFull = false;
    const reads: number[] = [];
    for (let second = 1; second < 60; second++) {
      const before = link.requests.length;
      await advanceTo(11 * MINUTE + 250 + second * 1_000);
      if (link.requests.length > before) reads.push(second);
    }
    expect(reads.slice(0, 4)).toEqual([1, 2, 3, 4]);
    expect(reads.length).toBeLessThan(18);
    expect(reads.at(-1)).toBeGreaterThan(40);
  });

  test('a read for which the rate budget has no room is made a second later', async () => {
    const { seen, faults, advanceTo, state } = await setUpReading();
    state.isFull = true;
    await advanceTo(11 * MINUTE + 250);
    state.isFull = false;
    await advanceTo(11 * MINUTE + 1_249);
    expect(times(seen)).toEqual([8, 9]);
    await advanceTo(11 * MINUTE + 1_250);
    expect(times(seen)).toEqual([8, 9, 10]);
    expect(faults).toEqual([]);
  });

  test('a bar that is read late, since the machine stood still, is caught up', async () => {
    const { seen, advanceTo, jump } = await setUpReading();
    const lates = () => seen.map(({ catchUp }) => catchUp === true);
    await advanceTo(11 * MINUTE + 250);
    jump.to = 12 * MINUTE + 250 + 40_000;
    await advanceTo(12 * MINUTE + 250);
    expect([times(seen), lates()]).toEqual([
      [8, 9, 10, 11],
      [false, false, false, true],
    ]);
    await advanceTo(13 * MINUTE + 250);
    expect(lates().at(-1)).toBe(false);
  });

  test('after an outage of more bars than an answer holds, only what closed just now is live', () => {
    const outage = fc.record({
      minutes: fc.integer({ min: 1, max: 12 }),
      second: fc.integer({ min: 1, max: 55 }),
      mostBars: fc.integer({ min: 1, max: 5 }),
    });
    return fc.assert(
      fc.asyncProperty(outage, async ({ minutes, second, mostBars }) => {
        const { link, seen, advanceTo, state } = await setUpReading();
        const ages: number[] = [];
        state.onBar = () => {
          const event = seen.at(-1)!;
          const ageMs = link.market.now() - (event.bar.time + MINUTE);
          if (event.catchUp !== true) ages.push(ageMs);
        };
        Object.assign(state, { refuse: true, seconds: 1, mostBars });
        const end = (11 + minutes) * MINUTE + second * 1_000;
        for (let time = 11 * MINUTE; time < end; time += 1_000) await advanceTo(time);
        state.refuse = false;
        for (let time = end; time < end + 3 * MINUTE; time += 250) await advanceTo(time);
        expect(times(seen)).toEqual(Array.from(seen, (_, at) => 8 + at));
        expect(seen.length).toBeGreaterThanOrEqual(5 + minutes);
        expect(Math.max(...ages)).toBeLessThanOrEqual(10_000);
        expect(ages.length).toBeGreaterThan(1);
      }),
      { numRuns: 30 },
    );
  });

  test('the bars of an outage that comes in several answers are awaited until the last', async () => {
    const { streams, advanceTo, state } = await setUpReading();
    const steps: string[] = [];
    const place = {
      isPassing: false,
      hand: (kind: string, time: number) => void steps.push(`${kind} ${time / MINUTE}`),
      awaitBlock: () => void steps.push('await'),
      settle: () => void steps.push('settle'),
      leave: () => {},
    };
    streams.candles('BTC', '1m', { history: 0, place }).subscribe();
    steps.length = 0;
    Object.assign(state, { refuse: true, seconds: 200, mostBars: 2 });
    await advanceTo(11 * MINUTE + 250);
    state.refuse = false;
    for (let second = 200; second < 205; second++) await advanceTo(11 * MINUTE + second * 1_000);
    expect(steps).toEqual([
      'await',
      'catch_up 11',
      'catch_up 12',
      'catch_up 13',
      'catch_up 14',
      'settle',
    ]);
  });

  test('a late bar is polled every second', async () => {
    const { seen, advanceTo, state } = await setUpReading();
    state.lagMs = 1_500;
    await advanceTo(11 * MINUTE + 250);
    await advanceTo(11 * MINUTE + 1_250);
    expect(times(seen)).toEqual([8, 9]);
    await advanceTo(11 * MINUTE + 2_250);
    expect(times(seen)).toEqual([8, 9, 10]);
  });

  test('LIM-2: a refused read waits as long as required, and then misses nothing', async () => {
    const { link, seen, faults, advanceTo, state } = await setUpReading();
    state.refuse = true;
    await advanceTo(11 * MINUTE + 250);
    state.refuse = false;
    const before = link.requests.length;
    await advanceTo(11 * MINUTE + 7_000);
    expect(link.requests).toHaveLength(before);
    await advanceTo(11 * MINUTE + 7_250);
    expect(times(seen)).toEqual([8, 9, 10]);
    expect(faults).toMatchObject([{ kind: 'read_failed', reason: 'answered_429' }]);
  });

  test.each([
    [86_400, 300_000],
    [300, 300_000],
    [299, 299_000],
    [0, 1_000],
  ])('a service that asks for %d s is asked again after %d ms', async (seconds, waitMs) => {
    const { link, faults, advanceTo, state } = await setUpReading();
    Object.assign(state, { refuse: true, seconds });
    const reads = () => link.requests.length;
    await advanceTo(11 * MINUTE + 250);
    expect(faults).toHaveLength(1);
    const before = reads();
    await advanceTo(11 * MINUTE + 250 + waitMs - 1);
    expect(reads()).toBe(before);
    await advanceTo(11 * MINUTE + 250 + waitMs);
    expect(reads()).toBe(before + 1);
  });

  test('it stops with a listener that leaves at a bar, and leaves nothing to run', async () => {
    const { link, subscribed, advanceTo, state } = await setUpReading();
    state.onBar = () => subscribed.unsubscribe();
    await advanceTo(11 * MINUTE + 250);
    expect(link.requests).toHaveLength(2);
    expect(link.market.nextTime()).toBeUndefined();
  });

  test('it stops with its last listener', async () => {
    const { link, subscribed, advanceTo } = await setUpReading();
    subscribed.unsubscribe();
    const before = link.requests.length;
    await advanceTo(20 * MINUTE);
    expect(link.requests).toHaveLength(before);
  });
});
