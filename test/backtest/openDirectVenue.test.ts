import { describe, expect, test } from 'vitest';
import { openDirectVenue } from '../../backtest/openDirectVenue.ts';
import { defaultDialect } from '../../src/contract/index.ts';
import { createDelay, createLiveEnv, createVirtualEnv } from '../../src/env/index.ts';
import type { LoadedTape } from '../../src/operate/run/index.ts';
import { generateFeed, paperSettings, type PaperSettingsInput } from '../../src/paper/index.ts';

const START = Date.UTC(2025, 5, 1);
const MINUTE_MS = 60_000;
const WARMUP = 5;
const SPREAD = { median: 800, p99: 9_000 };

function open(seed: string | number, more: Partial<PaperSettingsInput> = {}, startTime?: number) {
  const [symbol, interval] = ['BTC', '1m'] as const;
  const own = { symbol, interval, bars: 60, seed: 1, startTime: START, startPrice: 1_000 };
  const paper = paperSettings.parse({
    feeds: [{ symbol, interval, generate: { bars: 60, seed: 1 } }],
    warmup: WARMUP,
    limits: 'off',
    ...more,
  });
  const data = { feeds: [generateFeed(own)], funding: {} };
  const loaded = { config: { seed } };
  const tape = { loaded, dialect: defaultDialect, paper, data } as unknown as LoadedTape;
  return openDirectVenue(tape, { live: createLiveEnv(), startTime });
}

const order = { symbol: 'BTC', side: 'buy', order_type: 'limit', size: 1, price: 100 } as const;

describe('a venue of a backtest', () => {
  test.each([1, 2, 'three'])('has the seed %s, and the latency of its settings', async (seed) => {
    const venue = open(seed, { latency: { order_ms: SPREAD, cancel_ms: 0, data_ms: 0 } });
    const own = createVirtualEnv({ seed });
    expect([venue.env.random.next(), venue.env.random.next()]).toEqual([
      own.random.next(),
      own.random.next(),
    ]);
    await venue.link.open({ onStatus: () => {}, onFrame: () => {} });
    const delay = createDelay(SPREAD, `${seed} order`);
    const due = [1, 2, 3].map((count) => {
      void venue.client.orders.place({ body: order, idempotencyKey: `key-${count}` });
      return venue.link.market.now() + delay(count);
    });
    expect(venue.link.nextTaskTime()).toBe(Math.min(...due));
    // Sent one by one, each would wait for the one before it.
    expect(venue.concurrency).toBeUndefined();
  });

  test('sends one by one where nothing is late', () => expect(open(1).concurrency).toBe(1));

  test('begins with the range, but never before the warm-up has passed', async () => {
    for (const minutes of [undefined, 0, WARMUP, WARMUP + 7]) {
      const startTime = minutes === undefined ? undefined : START + minutes * MINUTE_MS;
      const venue = open(1, {}, startTime);
      const begin = START + Math.max(WARMUP, minutes ?? 0) * MINUTE_MS;
      expect(await venue.position()).toMatchObject({ time: begin, start_time: begin });
      expect(venue.env.clock.wallNow()).toBe(begin);
    }
  });

  test.each([3, 10, 5_000])('retains %s records that have ended', async (retention) => {
    const venue = open(1, { retention });
    await venue.link.open({ onStatus: () => {}, onFrame: () => {} });
    const placed = [];
    for (let count = 0; count < 6; count++) {
      const answer = await venue.client.orders.place({
        body: order,
        idempotencyKey: `key-${count}`,
      });
      placed.push(answer.order_id);
      await venue.client.orders.cancel({ id: answer.order_id });
    }
    const { items } = await venue.client.orders.history({ query: { limit: 50 } });
    const wanted = placed.slice(-retention).toReversed();
    expect(items.map(({ order_id }) => order_id)).toEqual(wanted);
  });
});
