import { describe, expect, onTestFinished, test } from 'vitest';
import { paperVenue, startPaper } from '../../../backtest/programs/index.ts';
import type { StreamFrame } from '../../../src/contract/index.ts';
import { openService, type Client } from '../../../src/service.ts';
import { MINUTE, risingBars } from './risingBars.ts';

const bars = risingBars(200);
const feeds = [{ symbol: 'BTC', interval: '1m', bars }] as const;
const market = { symbol: 'BTC', side: 'buy', order_type: 'market', size: 1 } as const;

interface Venue {
  now(): number;
  advance(span: string | number): Promise<number>;
}

/** A limit below the market of a rising price stays; a market order fills. */
async function trade(client: Client, venue: Venue) {
  const bought = await client.orders.place({ body: market });
  const limit = { symbol: 'BTC', side: 'buy', order_type: 'limit', size: 1, price: 90 } as const;
  await client.orders.place({ body: limit });
  const before = venue.now();
  const reached = await venue.advance('1h');
  const position = await client.positions.get({ symbol: 'BTC' });
  const { items } = await client.orders.list({ query: { status: 'open' } });
  return { bought, moved: reached - before, position, open: items };
}

describe('a paper service of this process', () => {
  test('without sockets and over sockets answers alike', async () => {
    const options = { feeds, warmup: 10 };
    const direct = await paperVenue(options);
    const paper = await startPaper(options);
    onTestFinished(paper.close);
    const service = openService(paper);
    const results = [await trade(direct.client, direct), await trade(service.client, paper)];
    await Promise.all([direct.close(), service.close()]);
    for (const { moved, position, open } of results) {
      expect(moved).toBe(60 * MINUTE);
      expect(position).toMatchObject({ symbol: 'BTC', side: 'long', size: 1 });
      // Bought near 111, and the price is 60 higher.
      expect(position.unrealized_pnl).toBeGreaterThan(55);
      expect(open).toMatchObject([{ price: 90, status: 'open' }]);
    }
    expect(results[0]!.position).toEqual(results[1]!.position);
  });

  test('runs by itself with a speed, and is not stepped then', async () => {
    const paper = await startPaper({ feeds, warmup: 10, speed: 1_000 });
    onTestFinished(paper.close);
    await expect(paper.advance('1m')).rejects.toThrow(/Pause the replay/);
    paper.setSpeed(0);
    const before = paper.now();
    expect(await paper.advance(MINUTE)).toBe(before + MINUTE);
    expect(await paper.advance('30d')).toBe(paper.endTime);
  });
});

describe('a venue without sockets', () => {
  test('delivers frames, the snapshot first, until the subscription ends', async () => {
    const venue = await paperVenue({ feeds, warmup: 10 });
    const frames: StreamFrame[] = [];
    const params = { symbol: 'BTC', interval: '1m' };
    const end = venue.subscribe('candles', params, (frame) => void frames.push(frame));
    expect(frames.map(({ event }) => event)).toEqual(['snapshot']);
    await venue.advance('3m');
    const closed = () => frames.filter(({ event }) => event === 'bar_closed').length;
    expect(closed()).toBe(3);
    expect(() => venue.subscribe('candles', params, () => {})).toThrow(/has a subscription/);
    end();
    await venue.advance('3m');
    expect(closed()).toBe(3);
    expect(() => venue.subscribe('candels', {}, () => {})).toThrow(/refuses candels/);
    expect(() => venue.subscribe('candles', { symbol: 'XRP', interval: '1m' }, () => {})).toThrow(
      /refuses candles .*XRP/,
    );
  });

  test('answers after its latency, when the replay has moved on', async () => {
    const venue = await paperVenue({ feeds, warmup: 10, latency: { order_ms: 1_500 } });
    const before = venue.now();
    let answeredAt: number | undefined;
    const placed = venue.client.orders.place({ body: market }).then((order) => {
      answeredAt = venue.now();
      return order;
    });
    await venue.advance('1s');
    expect(answeredAt).toBeUndefined();
    await venue.advance('1s');
    expect(await placed).toMatchObject({ symbol: 'BTC', status: 'filled' });
    expect(answeredAt).toBe(before + 1_500);
  });

  test('refuses spans, settings and feeds that are none', async () => {
    const venue = await paperVenue({ feeds, warmup: 10 });
    await expect(venue.advance('1 hour')).rejects.toThrow(/"1 hour" is no span of time: write/);
    await expect(venue.advance(-1)).rejects.toThrow(/-1 is no span of time/);
    await expect(paperVenue({ feeds, warmup: -1 })).rejects.toThrow(/warmup: .*>=0/);
    await expect(startPaper({ feeds: ['BTC@1m=none.csv'] })).rejects.toThrow(/none\.csv/);
    await expect(paperVenue(undefined as never)).rejects.toThrow(/no options; give \{ feeds/);
    const misspelt = { feeds, balence: 1 } as never;
    await expect(paperVenue(misspelt)).rejects.toThrow(/^Unrecognized key: "balence"$/);
  });

  test('a tape that is all history is refused, as by the commands', async () => {
    const short = [{ symbol: 'BTC', interval: '1m', generate: { bars: 300 } }] as const;
    for (const open of [paperVenue, startPaper]) {
      await expect(open({ feeds: [...short], warmup: 300 })).rejects.toThrow(
        /BTC has 300 bars, and warm-up takes 300.\n {2}Give it more bars, or set warmup lower/,
      );
    }
  });
});
