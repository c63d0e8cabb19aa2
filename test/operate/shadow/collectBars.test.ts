import { describe, expect, test } from 'vitest';
import type { CandleRecord, Interval } from '../../../src/contract/index.ts';
import { collectBars, toHistory } from '../../../src/operate/shadow/collectBars.ts';

const MINUTE = 60_000;
const candle = (minute: number, given: Partial<CandleRecord> = {}): CandleRecord => ({
  time: minute * MINUTE,
  open: 100,
  high: 110,
  low: 90,
  close: 105,
  volume: 5,
  closed: true,
  ...given,
});
const minutes = (bars: readonly { time: number }[]) => bars.map(({ time }) => time / MINUTE);

function collect(...symbols: string[]) {
  const seen: string[] = [];
  const collector = collectBars({
    symbols: symbols.map((symbol) => ({ symbol, interval: '1m' })),
    onBegin: (startTime, history) =>
      seen.push(
        `begin ${startTime / MINUTE}: ${history.map(({ bars }) => minutes(bars)).join('|')}`,
      ),
    onBars: (bars) =>
      seen.push(bars.map((one) => `${one.symbol} ${minutes(one.bars).join(',')}`).join(' ')),
  });
  return { seen, collector };
}

describe('the bars of a live bot', () => {
  test('begin with the first that closes, after the history of the snapshot', () => {
    const { seen, collector } = collect('BTC');
    collector.take('BTC', '1m', [candle(7), candle(8), candle(9, { closed: false })]);
    collector.take('BTC', '1m', [candle(9)]);
    collector.take('BTC', '1m', [candle(10)]);
    collector.take('BTC', '1m', [candle(10)]);
    expect(seen).toEqual(['begin 9: 7,8', 'BTC 9', 'BTC 10']);
  });

  test('are one instant for all symbols, in the order of time after an outage', () => {
    const { seen, collector } = collect('BTC', 'ETH');
    collector.take('BTC', '1m', [candle(8), candle(9, { closed: false })]);
    collector.take('ETH', '1m', [candle(8), candle(9, { closed: false })]);
    collector.take('ETH', '1m', [candle(9)]);
    expect(seen).toEqual(['begin 9: 8|8']);
    collector.take('BTC', '1m', [candle(9), candle(10), candle(11)]);
    collector.take('ETH', '1m', [candle(9), candle(11)]);
    expect(seen.slice(1)).toEqual(['ETH 9 BTC 9', 'BTC 10', 'BTC 11 ETH 11']);
  });

  test('of other symbols and intervals are left out', () => {
    const { seen, collector } = collect('BTC');
    collector.take('ETH', '1m', [candle(7), candle(8)]);
    collector.take('BTC', '1m', [candle(7), candle(8)]);
    collector.take('BTC', '1m', [candle(9)]);
    collector.take('BTC', '5m', [candle(5)]);
    expect(seen).toEqual(['begin 9: 7,8', 'BTC 9']);
  });
});

describe('history', () => {
  const layers = (given: Partial<Record<Interval, CandleRecord[]>>) =>
    new Map(Object.entries(given) as Array<[Interval, CandleRecord[]]>);

  test('is filled by longer bars, each at the end of its span', () => {
    const history = toHistory(
      layers({ '1m': [candle(13), candle(14)], '5m': [candle(0), candle(5, { close: 7 })] }),
      '1m',
      15 * MINUTE,
    );
    // The five minutes from 10 are not known whole: they are left to what comes.
    expect(minutes(history)).toEqual([4, 9]);
    expect(history[1]).toMatchObject({ open: 100, high: 110, low: 90, close: 7, volume: 5 });
  });

  test('takes the bar in progress as far as it has run', () => {
    const running = candle(10, { closed: false, high: 200, volume: 3 });
    const history = toHistory(
      layers({ '1m': [candle(12)], '5m': [candle(5), running] }),
      '1m',
      13 * MINUTE,
    );
    expect(minutes(history)).toEqual([9, 12]);
    expect(history[1]).toMatchObject({ high: 200, volume: 3 });
  });
});
