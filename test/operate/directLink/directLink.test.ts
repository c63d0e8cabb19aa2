/** The direct link against what any link promises: each frame once, in order, at its instant, whatever a reader does. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultDialect, type StreamFrame } from '../../../src/contract/index.ts';
import { createDelay, createVirtualEnv, silentLog } from '../../../src/env/index.ts';
import { createDirectLink, openVenueLink } from '../../../src/operate/directLink/index.ts';
import { generateFeed, paperSettings, type PaperSettingsInput } from '../../../src/paper/index.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';

const START = Date.UTC(2025, 5, 1);
const MINUTE_MS = 60_000;
const WARMUP = 5;

interface Opened {
  bars?: number;
  seed?: string | number;
  grows?: boolean;
  more?: Partial<PaperSettingsInput>;
}

/** A link to a service of one symbol in minutes and one in five. */
function open({ bars = 60, seed = 1, grows = false, more = {} }: Opened = {}) {
  const intervals = { BTC: '1m', ETH: '5m' } as const;
  const feeds = (['BTC', 'ETH'] as const).map((symbol) =>
    generateFeed({
      symbol,
      interval: intervals[symbol],
      bars,
      seed: symbol,
      startTime: START,
      startPrice: 1_000,
    }),
  );
  const settings = paperSettings.parse({
    feeds: feeds.map(({ symbol, interval }) => ({
      symbol,
      interval,
      generate: { bars: 2, seed: 1 },
    })),
    port: 0,
    paused: true,
    balance: 1_000_000,
    warmup: WARMUP,
    limits: 'off',
    connections: [{ label: 'side', balance: 100_000 }],
    ...more,
  });
  const options = { paper: settings, data: { feeds, funding: {} }, dialect: defaultDialect };
  return openVenueLink({ ...options, seed, grows, log: silentLog });
}

let orders = 0;
const order = (price: number, more: object = {}) => ({
  endpoint: 'orders.place' as const,
  pathParams: {},
  query: {},
  idempotencyKey: `key-${orders++}`,
  body: JSON.stringify({ symbol: 'BTC', side: 'buy', order_type: 'limit', size: 1, price }),
  ...more,
});

const SUBSCRIPTIONS = [
  { channel: 'candles', params: { symbol: 'BTC', interval: '1m' } },
  { channel: 'candles', params: { symbol: 'ETH', interval: '5m' } },
  { channel: 'candles', params: { symbol: 'BTC', interval: '5m' } },
  { channel: 'account.state', params: {} },
] as const;

const acts = fc.array(
  fc.record({
    /** At this frame of all. */
    at: fc.nat({ max: 9 }),
    what: fc.constantFrom('order', 'order', 'order', 'subscribe', 'deliver', 'deliver', 'deliver'),
    which: fc.nat({ max: SUBSCRIPTIONS.length - 1 }),
  }),
  { minLength: 4, maxLength: 16 },
);

test('each frame comes once, in order and at its instant, whatever is done as one comes', async () => {
  const tried = new Tried();
  const drawn = fc.record({
    acts,
    first: fc.subarray([0, 1, 2]).map((more) => [3, ...more]),
    steps: fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 3, maxLength: 8 }),
  });
  await holdLaw(40, drawn, async ({ acts: planned, first, steps }) => {
    const { link } = open();
    const subscribed = new Set<number>();
    const got: StreamFrame[] = [];
    const times: number[] = [];
    let depth = 0;
    const subscribe = (which: number): void => {
      if (subscribed.has(which)) return;
      subscribed.add(which);
      link.subscribe(SUBSCRIPTIONS[which]!);
    };
    await link.open({
      onStatus: () => {},
      onFrame(frame) {
        const at = got.push(frame) - 1;
        times.push(link.market.now());
        for (const { what, which } of planned.filter((each) => each.at === at)) {
          if (what === 'subscribe') subscribe(which);
          else if (what === 'order') void link.request(order(100));
          else if (depth < 3) {
            depth++;
            link.advanceTo(link.market.now());
            depth--;
            tried.take('a delivery within a delivery');
          }
        }
      },
    });
    for (const which of first) subscribe(which);
    for (const minutes of steps) {
      link.advanceTo(link.market.now() + minutes * MINUTE_MS);
      link.advanceTo(link.market.now());
    }
    link.advanceTo(link.market.now());
    link.advanceTo(link.market.now());
    for (const which of subscribed) {
      const { channel, params } = SUBSCRIPTIONS[which]!;
      const own = got.filter((frame) => frame.params === params && frame.channel === channel);
      // Each subscription counts its own frames, from its snapshot on.
      expect(own.map(({ seq }) => seq)).toEqual(own.map((_frame, at) => at + 1));
      expect(own[0]?.event).toBe('snapshot');
    }
    const isWanted = ({ params }: StreamFrame): boolean =>
      SUBSCRIPTIONS.some((each) => each.params === params);
    expect(got.filter((frame) => frame.channel !== '_meta' && !isWanted(frame))).toEqual([]);
    for (const [at, { channel, event, ts }] of got.entries())
      if (channel === 'candles' && event !== 'snapshot') expect(times[at]).toBe(ts);
  });
  if (isFull) expect(tried.rare(['a delivery within a delivery'], 10)).toEqual([]);
});

test('a step ends at the first bar of the finest feed that is seen', async () => {
  const { link } = open();
  const closes: number[] = [];
  await link.open({ onStatus: () => {}, onFrame: ({ ts }) => void closes.push(ts) });
  link.subscribe(SUBSCRIPTIONS[0]);
  const begun = link.advanceTo(link.market.now());
  closes.length = 0;
  for (let minute = 1; minute <= 12; minute++) {
    expect(link.advanceTo(begun + 3_600_000)).toBe(begun + minute * MINUTE_MS);
    expect(closes).toEqual(
      Array.from({ length: minute }, (_none, at) => begun + (at + 1) * MINUTE_MS),
    );
  }
});

test('what has not been handed on yet holds up a stretch of bars', async () => {
  const { link } = open();
  await link.open({ onStatus: () => {}, onFrame: () => {} });
  link.subscribe(SUBSCRIPTIONS[3]);
  const now = link.market.now();
  link.offerSpans?.({ lane: () => undefined, settle: () => {} });
  expect(link.runSpan(now + 600_000)).toBe(now);
  link.advanceTo(now);
  // Nobody takes the bars of anything: nothing can happen on the way.
  expect(link.runSpan(now + 600_000)).toBeGreaterThan(now);
});

test('after its close nothing comes, and nothing is sent', async () => {
  const { link, core } = open();
  let frames = 0;
  await link.open({ onStatus: () => {}, onFrame: () => void frames++ });
  link.subscribe(SUBSCRIPTIONS[0]);
  link.advanceTo(link.market.now() + MINUTE_MS);
  expect(frames).toBeGreaterThan(1);
  await link.close();
  frames = 0;
  link.advanceTo(link.market.now() + 5 * MINUTE_MS);
  expect(frames).toBe(0);
  expect(core.candleSubscriptions()).toEqual([]);
  expect(await link.request(order(100))).toEqual({ kind: 'not_sent', reason: 'closed' });
});

test('an answer names its wallet, and the remaining weight, but not of a command over the socket', async () => {
  const { core, env } = open();
  const names = defaultDialect.headers;
  const keyId = 'vk_backtest';
  const [other] = core.connections
    .list()
    .filter(({ id }) => id !== core.keyring.find(keyId)!.connectionId);
  for (const wallet of [undefined, other!.id]) {
    const link = createDirectLink({ core, keyId, env, ...(wallet !== undefined && { wallet }) });
    await link.open({ onStatus: () => {}, onFrame: () => {} });
    const own = wallet ?? core.keyring.find(keyId)!.connectionId;
    for (const asked of [undefined, 'main', other!.id]) {
      const exchange = await link.request(order(100, asked === undefined ? {} : { wallet: asked }));
      if (exchange.kind !== 'answered') throw new Error('no answer');
      const { status, headers } = exchange.response;
      expect([status, headers[names.walletResolved.toLowerCase()]]).toEqual([201, asked ?? own]);
      expect(headers).toHaveProperty(names.weightRemaining.toLowerCase());
    }
    const command = await link.request(order(100, { via: 'socket' }));
    if (command.kind !== 'answered') throw new Error('no answer');
    expect(command.response.headers).not.toHaveProperty(names.weightRemaining.toLowerCase());
    expect(command.response.headers).toHaveProperty(names.weight.toLowerCase());
  }
});

test('delays are those of the settings and the seed, and what is late at the end arrives at the end', async () => {
  const order_ms = { median: 800, p99: 9_000 };
  const cancel_ms = { median: 50, p99: 900 };
  const data_ms = { median: 300, p99: 4_000 };
  const latency = { order_ms, cancel_ms, data_ms };
  const all: Array<Record<'times' | 'random', readonly number[]>> = [];
  for (const seed of [1, 2, 'three']) {
    const run = async () => {
      const { link, env } = open({ seed, more: { latency } });
      const times: number[] = [];
      await link.open({ onStatus: () => {}, onFrame: () => void times.push(link.market.now()) });
      link.subscribe(SUBSCRIPTIONS[0]);
      const own = createDelay(order_ms, `${seed} order`);
      const now = link.market.now();
      const due = [];
      for (let count = 1; count <= 3; count++) {
        void link.request(order(100));
        due.push(now + own(count));
        expect(link.dueTime!()).toBe(Math.min(...due));
      }
      for (let step = 0; step < 200; step++) link.advanceTo(link.market.now() + 1_000);
      return { times, random: [env.random.next(), env.random.next()] };
    };
    const one = await run();
    const { random } = createVirtualEnv({ seed });
    expect(one.random).toEqual([random.next(), random.next()]);
    expect(await run()).toEqual(one);
    expect(one.times.length).toBeGreaterThan(2);
    all.push(one);
  }
  // Each of its parts differs with the seed.
  for (const part of ['times', 'random'] as const)
    expect(new Set(all.map((one) => JSON.stringify(one[part]))).size).toBe(all.length);
  for (const grows of [false, true]) {
    const { link, core } = open({
      grows,
      more: { latency: { order_ms: 5_000, cancel_ms: 0, data_ms: 0 } },
    });
    await link.open({ onStatus: () => {}, onFrame: () => {} });
    while (link.advanceTo(core.engine.endTime) < core.engine.endTime);
    void link.request(order(100));
    expect(link.dueTime!()).toBe(core.engine.endTime + (grows ? 5_000 : 0));
  }
});
