import type { Subscription } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/contract/index.ts';
import { createVirtualEnv } from '../../src/env/createVirtualEnv.ts';
import {
  createStreams,
  READ_BOOK_MS,
  READ_MARKET_MS,
  type BookTick,
  type MarketTick,
  type StreamFault,
} from '../../src/streams/index.ts';
import { ScriptedLink } from './ScriptedLink.ts';

const record = (over: object = {}) => ({
  symbol: 'BTC',
  mark: 100,
  index: 101,
  funding_rate: 0.0001,
  next_funding_time: 3_600_000,
  volume_24h: 5,
  open_interest: null,
  ...over,
});
const levels = { bids: [[99, 1]], asks: [[101, 2]] };
const answered = (body: unknown): Exchange => ({
  kind: 'answered',
  response: { status: 200, headers: {}, body } as never,
});

async function setUp(options: { lacks?: string[]; room?: () => boolean } = {}) {
  const link = new ScriptedLink();
  link.snapshots = ({ channel }) => (channel === 'markets' ? record() : levels);
  const { lacks = [], room = () => true } = options;
  const streams = createStreams({
    link,
    env: createVirtualEnv(),
    lacks,
    read: (request) => (room() ? link.request(request) : undefined),
  });
  const faults: StreamFault[] = [];
  streams.faults$.subscribe((fault) => faults.push(fault));
  await streams.open();
  const pass = async (ms: number): Promise<void> => {
    const end = link.market.now() + ms;
    while (link.market.now() < end) {
      link.market.advanceTo(Math.min(end, link.market.now() + 1_000));
      await Promise.resolve();
      await Promise.resolve();
    }
  };
  return { link, streams, faults, pass };
}

describe('a service with the channels', () => {
  test('is subscribed once for all who listen, and the latest comes first', async () => {
    const { link, streams } = await setUp();
    const seen: MarketTick[] = [];
    const first = streams.market('BTC').subscribe((tick) => seen.push(tick));
    const second = streams.market('BTC').subscribe((tick) => seen.push(tick));
    link.market.advanceTo(60_000);
    link.say({ channel: 'markets', params: { symbol: 'BTC' } }, 'tick', record({ mark: 102 }));
    expect(seen.map(({ mark, time }) => [mark, time])).toEqual([
      [100, 0],
      [100, 0],
      [102, 60_000],
      [102, 60_000],
    ]);
    first.unsubscribe();
    second.unsubscribe();
    const name = 'markets {"symbol":"BTC"}';
    expect(link.asked).toEqual([`+ ${name}`, `- ${name}`]);
    expect(link.requests).toEqual([]);
  });

  test.each(['markets', 'orderbook'] as const)(
    'a frame of %s that comes after a later one is not the latest',
    async (channel) => {
      const { link, streams } = await setUp();
      const seen: number[] = [];
      const subscription = { channel, params: { symbol: 'BTC' } };
      if (channel === 'markets') streams.market('BTC').subscribe(({ mark }) => seen.push(mark));
      else streams.book('BTC').subscribe(({ bids }) => seen.push(bids[0]![0]));
      const event = channel === 'markets' ? 'tick' : 'book';
      const of = (mark: number) =>
        channel === 'markets' ? record({ mark }) : { ...levels, bids: [[mark, 1]] };
      const late = link.next(subscription, event, of(50));
      link.snapshots = () => null;
      link.say(subscription, event, of(60));
      link.deliver(late);
      expect(seen.slice(1)).toEqual([60]);
      link.say(subscription, event, of(70));
      expect(seen.slice(1)).toEqual([60, 70]);
    },
  );

  test('gives a book of each depth, with its source', async () => {
    const { link, streams } = await setUp();
    const seen: BookTick[] = [];
    streams.book('BTC').subscribe((book) => seen.push(book));
    streams.book('BTC', 5).subscribe((book) => seen.push(book));
    const five = { channel: 'orderbook', params: { symbol: 'BTC', depth: 5 } };
    link.say(five, 'book', { ...levels, source: 'recorded' });
    link.say(five, 'book', { ...levels, source: 'of another kind' });
    expect(seen.map(({ source }) => source)).toEqual(['service', 'service', 'recorded', 'service']);
    expect(link.asked).toEqual([
      '+ orderbook {"symbol":"BTC"}',
      '+ orderbook {"symbol":"BTC","depth":5}',
    ]);
  });
});

describe('a service without the channels', () => {
  test('is read while somebody listens, once for all, and not after', async () => {
    const { link, streams, faults, pass } = await setUp({ lacks: ['markets', 'orderbook'] });
    link.answer = ({ endpoint }) =>
      endpoint === 'market.markets'
        ? answered({
            items: [record({ symbol: 'ETH' }), record({ mark: link.market.now() })],
            next_cursor: null,
          })
        : answered({ symbol: 'BTC', ...levels, time: 1 });
    const marks: number[] = [];
    const one = streams.market('BTC').subscribe(({ mark }) => marks.push(mark));
    await pass(READ_MARKET_MS);
    const two = streams.market('BTC').subscribe(({ time }) => marks.push(time));
    one.unsubscribe();
    two.unsubscribe();
    await pass(4 * READ_MARKET_MS);
    expect(marks).toEqual([0, READ_MARKET_MS, READ_MARKET_MS]);
    expect(link.requests).toHaveLength(2);
    expect(link.asked).toEqual([]);
    const books: BookTick[] = [];
    streams.book('BTC', 7).subscribe((book) => books.push(book));
    await pass(READ_BOOK_MS);
    expect(books).toMatchObject([{ ...levels, source: 'service', time: expect.any(Number) }, {}]);
    expect(link.requests.at(-1)).toMatchObject({
      endpoint: 'market.orderbook',
      pathParams: { symbol: 'BTC' },
      query: { depth: 7 },
    });
    expect(faults).toEqual([]);
  });

  test('who joins or leaves while a value is handed out gets it once, or not at all', async () => {
    const { link, streams, pass } = await setUp({ lacks: ['orderbook'] });
    link.answer = () => answered({ symbol: 'BTC', ...levels, time: 1 });
    const seen: string[] = [];
    const book$ = streams.book('BTC');
    let joined: Subscription | undefined;
    let isLeaving = false;
    const first = book$.subscribe(() => {
      seen.push('first');
      joined ??= book$.subscribe(() => seen.push('joined'));
      if (isLeaving) second.unsubscribe();
    });
    const second = book$.subscribe(() => seen.push('second'));
    await pass(0);
    await new Promise(setImmediate);
    expect(seen.toSorted()).toEqual(['first', 'joined', 'second']);
    isLeaving = true;
    await pass(READ_BOOK_MS);
    expect(seen.slice(3)).toEqual(['first', 'joined']);
    for (const one of [first, joined]) one?.unsubscribe();
  });

  test('an answer that a newer one has overtaken is none, and a value is as old as its question', async () => {
    const { link, streams, pass } = await setUp({ lacks: ['orderbook'] });
    const answers: ((exchange: Exchange) => void)[] = [];
    link.request = () => new Promise((resolve) => answers.push(resolve));
    const seen: unknown[] = [];
    streams.book('BTC').subscribe((one) => seen.push([one.bids[0]![0], one.time]));
    await pass(2 * READ_BOOK_MS);
    for (const at of [1, 0, 2]) {
      answers[at]!(answered({ symbol: 'BTC', bids: [[90 + at, 1]], asks: levels.asks, time: 1 }));
      await new Promise(setImmediate);
    }
    expect(seen).toEqual([
      [91, READ_BOOK_MS],
      [92, 2 * READ_BOOK_MS],
    ]);
  });

  test('an answer to who has left is nobody’s, and who comes later reads anew', async () => {
    const { link, streams, faults, pass } = await setUp({ lacks: ['orderbook'] });
    const answers: ((exchange: Exchange) => void)[] = [];
    link.request = () => new Promise((resolve) => answers.push(resolve));
    const book = (price: number) =>
      answered({ symbol: 'BTC', bids: [[price, 1]], asks: levels.asks, time: 1 });
    const bids: unknown[] = [];
    const listen = () => streams.book('BTC').subscribe((one) => bids.push(one.bids[0]![0]));
    const first = listen();
    answers[0]!(book(90));
    await pass(0);
    await Promise.resolve();
    const second = listen();
    expect(bids).toEqual([90, 90]);
    first.unsubscribe();
    second.unsubscribe();
    const third = listen();
    expect(bids).toEqual([90, 90]);
    third.unsubscribe();
    const fourth = listen();
    expect(answers).toHaveLength(3);
    answers[1]!(book(91));
    answers[2]!(book(92));
    await Promise.resolve();
    await Promise.resolve();
    expect(bids).toEqual([90, 90, 92]);
    // A proxy's page is no book, whatever it holds.
    await pass(READ_BOOK_MS);
    const { response } = book(93) as Extract<Exchange, { kind: 'answered' }>;
    answers[3]!({ kind: 'answered', response: { ...response, status: 502 } });
    await Promise.resolve();
    await Promise.resolve();
    expect(bids).toEqual([90, 90, 92]);
    expect(faults).toMatchObject([{ kind: 'read_failed', reason: 'answered_502' }]);
    fourth.unsubscribe();
  });

  test.each([
    [2, READ_BOOK_MS],
    [12, 12_000],
    [86_400, 300_000],
  ])('LIM-2: after a 429 that asks for %d s it is read %d ms later', async (seconds, waitMs) => {
    const { link, streams, pass } = await setUp({ lacks: ['orderbook'] });
    const details = { retry_after_seconds: seconds };
    const body = { error: { code: 'rate_limited', message: '', details }, request_id: 'r' };
    link.answer = () => ({ kind: 'answered', response: { status: 429, headers: {}, body } });
    const listening = streams.book('BTC').subscribe();
    await new Promise(setImmediate);
    await pass(waitMs - 1);
    expect(link.requests).toHaveLength(1);
    await pass(1);
    expect(link.requests).toHaveLength(2);
    listening.unsubscribe();
  });

  test('an answer of another shape is no book, and is reported', async () => {
    const { link, streams, faults, pass } = await setUp({ lacks: ['orderbook'] });
    link.answer = () => answered({ symbol: 'BTC', bids: 'none' });
    const books: BookTick[] = [];
    const listening = streams.book('BTC', 7).subscribe((one) => books.push(one));
    await pass(1_000);
    expect([books, link.requests[0]?.query]).toEqual([[], { depth: 7 }]);
    expect(faults).toMatchObject([{ kind: 'read_failed', reason: 'answered_200' }]);
    listening.unsubscribe();
  });

  test('LIM-2: who comes while a 429 is waited out waits as well', async () => {
    const { link, streams, pass } = await setUp({ lacks: ['orderbook'] });
    const headers = { 'retry-after': '20' };
    link.answer = () => ({ kind: 'answered', response: { status: 429, headers, body: '' } });
    streams.book('BTC').subscribe().unsubscribe();
    await new Promise(setImmediate);
    const next = streams.book('BTC').subscribe();
    await pass(19_999);
    expect(link.requests).toHaveLength(1);
    await pass(1);
    expect(link.requests).toHaveLength(2);
    next.unsubscribe();
  });

  test('is not read beyond the budget, and a failure is reported and tried again', async () => {
    let hasRoom = false;
    const { link, streams, faults, pass } = await setUp({
      lacks: ['markets'],
      room: () => hasRoom,
    });
    const marks: number[] = [];
    streams.market('BTC').subscribe(({ mark }) => marks.push(mark));
    await pass(2 * READ_MARKET_MS);
    expect(link.requests).toEqual([]);
    hasRoom = true;
    await pass(READ_MARKET_MS);
    expect(faults).toEqual([
      { kind: 'read_failed', channel: 'markets', params: { symbol: 'BTC' }, reason: 'unscripted' },
    ]);
    link.answer = () => answered({ items: [record()], next_cursor: null });
    await pass(READ_MARKET_MS);
    expect(marks).toEqual([100]);
  });
});
