import { describe, expect, test } from 'vitest';
import { joinTapes } from '../../../src/cli/runs/joinTapes.ts';
import { parseTapeFlag } from '../../../src/paper/index.ts';

const btc = { symbol: 'BTC', path: 'btc.csv' };

describe('recordings on the command line', () => {
  test('are joined to the feed of their symbol', () => {
    const feeds = [{ symbol: 'BTC', interval: '5m' as const, path: 'candles.csv' }];
    expect(
      joinTapes(feeds, {
        trades: [btc],
        book: [{ symbol: 'BTC', path: 'book.csv' }],
        snapshot: [{ symbol: 'BTC', path: 'whole.csv' }],
      }),
    ).toEqual([
      {
        symbol: 'BTC',
        interval: '5m',
        path: 'candles.csv',
        trades: 'btc.csv',
        book: 'book.csv',
        snapshot: 'whole.csv',
      },
    ]);
  });

  test('trades alone make a feed at 1m', () => {
    expect(joinTapes([], { trades: [btc] })).toEqual([
      { symbol: 'BTC', interval: '1m', trades: 'btc.csv' },
    ]);
  });

  test.each([
    ['a book without a feed', [], { book: [btc] }, '--book BTC: it has no feed.'],
    [
      'trades of a made market',
      [{ symbol: 'BTC', interval: '1m' as const, generate: {} }],
      { trades: [btc] },
      '--trades BTC: its feed is made from a seed.',
    ],
    [
      'a snapshot without its book',
      [],
      { trades: [btc], snapshot: [btc] },
      '--snapshot BTC: a snapshot is the first state of a recorded book, and none is named.',
    ],
  ])('%s is refused', (_what, feeds, flags, expected) => {
    expect(() => joinTapes(feeds, flags)).toThrow(expected);
  });

  test('are written SYMBOL=PATH', () => {
    expect(parseTapeFlag('HYPE/USDC=a=b.csv')).toEqual({
      ok: true,
      value: { symbol: 'HYPE/USDC', path: 'a=b.csv' },
    });
    expect(parseTapeFlag('BTC')).toMatchObject({ ok: false });
  });
});
