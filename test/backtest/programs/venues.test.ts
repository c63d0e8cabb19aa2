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

  test('takes an undefined option for one that is not given', async () => {
    const notGiven = { port: undefined, paused: undefined, speed: undefined };
    const paper = await startPaper({ feeds, warmup: 10, ...(notGiven as object) });
    onTestFinished(paper.close);
    expect(new URL(paper.base_url).port).not.toBe('8787');
    const before = paper.now();
    expect(await paper.advance(MINUTE)).toBe(before + MINUTE);
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
    // What was refused may be asked for again, and what has ended as well.
    for (let times = 0; times < 2; times++) {
      expect(() => venue.subscribe('candels', {}, () => {})).toThrow(/refuses candels/);
      expect(() => venue.subscribe('candles', { symbol: 'XRP', interval: '1m' }, () => {})).toThrow(
        /refuses candles .*XRP/,
      );
    }
    const again: string[] = [];
    venue.subscribe('candles', params, ({ event }) => void again.push(event));
    await venue.advance('2m');
    expect(again).toEqual(['snapshot', 'bar_closed', 'bar_closed']);
    expect(closed()).toBe(3);
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
    await expect(startPaper({ feeds: ['BTC@1m=none.csv'] })).rejects.toThrow(/none\.csv/);
    await expect(paperVenue(undefined as never)).rejects.toThrow(/no options; give \{ feeds/);
  });

  test.each([
    [{ warmup: -1 }, /^CALL: warmup: must be at least 0 \(it is -1\)/],
    [{ balence: 1 }, /^CALL: balence: unknown key.*\n {2}Did you mean balance\?/],
    [{ balance: 'x' }, /^CALL: balance: must be a number \(it is "x"\)/],
    [{ speed: 'fast' }, /^CALL: speed: must be a number or max \(it is "fast"\)/],
    [{ speed: Number.NaN }, /^CALL: speed: must be a number or max/],
    [{ latency: 5 }, /^CALL: latency: must be a map .*\n.*order_ms.*cancel_ms.*data_ms/],
    [
      { latency: { base_ms: 5 } },
      /^CALL: latency.base_ms: .*\n {2}Known here: order_ms, cancel_ms/,
    ],
    [
      { fees: { ETH: { taker_bps: 3 } } },
      /^CALL: fees.ETH: no feed serves .*\n {2}Feeds are of: BTC\./,
    ],
    [{ funding: { BTCC: { rate_bps: 1 } } }, /^CALL: funding.BTCC: .*\n {2}Did you mean BTC\?/],
    [{ instruments: { ETH: {} } }, /^CALL: instruments.ETH: no feed serves/],
    [{ feeds: [...feeds, ...feeds] }, /^CALL: feeds\[1\].symbol: feeds\[0\] serves BTC already/],
    [{ feeds: undefined }, /^CALL: there are no feeds; give/],
    [{ state: 'state.json' }, /^CALL: state: only trimtab paper persists one/],
    [{ seed: {} }, /^CALL: seed: an object is neither a number nor a text/],
    [{ log: console }, /^CALL: log: an object has no method with; a log has debug, info/],
    [{ dialect: 'v1' }, /^CALL: dialect: "v1" is no dialect; make one with createDialect/],
  ])('refuse %o with the field, its value and what it must be', async (setting, message) => {
    for (const open of [paperVenue, startPaper]) {
      const refusal = await open({ feeds, warmup: 10, ...setting } as never).then(
        ({ close }) => close(),
        (error: unknown) => error,
      );
      expect(refusal).toMatchObject({ code: 'TRIMTAB_USAGE' });
      const expected = message.source.replace('CALL', open.name);
      expect((refusal as Error).message).toMatch(new RegExp(expected));
    }
  });

  test.each(['fast', Number.NaN, -3, Infinity, null, undefined, '5'])(
    'take no speed of %o while they run',
    async (speed) => {
      const paper = await startPaper({ feeds, warmup: 10 });
      onTestFinished(paper.close);
      const message = /^setSpeed: .* is no speed: give replay seconds a second, 0 .* or 'max'/;
      expect(() => paper.setSpeed(speed as never)).toThrow(message);
    },
  );

  test('subscribe to nothing that is none', async () => {
    const venue = await paperVenue({ feeds, warmup: 10 });
    const subscribe = venue.subscribe as (...given: unknown[]) => unknown;
    for (const [given, name] of [
      [[undefined, {}, () => {}], 'channel'],
      [['candles', null, () => {}], 'params'],
      [['candles', {}], 'onFrame'],
    ] as const)
      expect(() => subscribe(...given)).toThrow(`subscribe(channel, params, onFrame): ${name} is`);
  });

  test('name the file that was probably meant, and no flag', async () => {
    const file = 'test/backtest/programs/venue.test.ts';
    const refused = /There is no such file\. Did you mean .*venues\.test\.ts\?/;
    for (const open of [paperVenue, startPaper])
      await expect(open({ feeds: [`BTC@1m=${file}`] })).rejects.toThrow(refused);
    await expect(startPaper({ feeds: ['BTC@1m=none.csv'] })).rejects.toThrow(
      /There is no such file\. Check the path of the feed\.$/,
    );
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
