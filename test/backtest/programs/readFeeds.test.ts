/** Feeds of a program as settings: files are found from the working directory, wherever a configuration is. */
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readFeeds } from '../../../backtest/programs/readFeeds.ts';

test('each file of a feed is found from the working directory, and nothing else is a path', () => {
  const market = { symbol: 'BTC', interval: '1m' } as const;
  const { settings, known } = readFeeds([
    'BTC@1m=data/btc.csv',
    { ...market, path: 'data/btc.csv', trades: 'trades.csv' },
    { ...market, book: 'book.csv', snapshot: 'first.json', path: '/data/btc.csv' },
    { ...market, generate: { bars: 3 } },
  ] as never);
  expect(settings).toEqual([
    { ...market, path: resolve('data/btc.csv') },
    { ...market, path: resolve('data/btc.csv'), trades: resolve('trades.csv') },
    {
      ...market,
      book: resolve('book.csv'),
      snapshot: resolve('first.json'),
      path: '/data/btc.csv',
    },
    { ...market, generate: { bars: 3 } },
  ]);
  expect(known.size).toBe(0);
});
