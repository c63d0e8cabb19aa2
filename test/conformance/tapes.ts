import { generateFeed, type Feed } from '../../src/paper/index.ts';

const START = 1_735_689_600_000;

/** A generated tape for conformance runs. */
export function madeTape(symbol: string, startPrice: number, bars = 30_000): Feed {
  return generateFeed({
    symbol,
    interval: '1m',
    bars,
    seed: 'conformance',
    startTime: START,
    startPrice,
  });
}

/** The same tape with outages: ten minutes are missing in every three hundred, two in every hundred. */
export function withOutages(feed: Feed): Feed {
  const isThere = (row: number): boolean => row % 300 < 290 && row % 100 !== 50 && row % 100 !== 51;
  const keep = (column: Float64Array): Float64Array => column.filter((_, row) => isThere(row));
  const { time, open, high, low, close, volume, ...rest } = feed;
  return {
    ...rest,
    time: keep(time),
    open: keep(open),
    high: keep(high),
    low: keep(low),
    close: keep(close),
    volume: keep(volume),
  } as Feed;
}
