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

  test('begin when every symbol has some: what closes until then is not lost', () => {
    const { seen, collector } = collect('BTC', 'ETH');
    collector.take('BTC', '1m', [candle(7), candle(8), candle(9, { closed: false })]);
    collector.take('BTC', '1m', [candle(9)]);
    collector.take('BTC', '1m', [candle(10)]);
    collector.take('ETH', '1m', [
      candle(7),
      candle(8),
      candle(9),
      candle(10),
      candle(11, { closed: false }),
    ]);
    expect(seen).toEqual([]);
    collector.take('ETH', '1m', [candle(11)]);
    collector.take('BTC', '1m', [candle(11)]);
    // The live version decided on the bar of minute 9.
    expect(seen).toEqual(['begin 9: 7,8|7,8', 'BTC 9 ETH 9', 'BTC 10 ETH 10', 'ETH 11 BTC 11']);
  });

  test('are whole where a symbol’s history comes hours late', () => {
    const { seen, collector } = collect('BTC', 'ETH');
    const minutesTo = (end: number): CandleRecord[] =>
      Array.from({ length: end - 8 }, (_, at) => candle(8 + at));
    collector.take('BTC', '1m', [candle(7), candle(8)]);
    for (const bar of minutesTo(200).slice(1)) collector.take('BTC', '1m', [bar]);
    collector.take('ETH', '1m', minutesTo(200));
    collector.take('ETH', '1m', [candle(200)]);
    expect(seen[0]).toBe('begin 9: 7,8|8');
    expect(seen.slice(1)).toEqual(
      minutesTo(200)
        .slice(1)
        .map(({ time }) => `BTC ${time / MINUTE} ETH ${time / MINUTE}`),
    );
  });

  test('begin with the first bar of a symbol that has none before, and not before it', () => {
    const { seen, collector } = collect('BTC', 'ETH');
    collector.take('BTC', '1m', [candle(8)]);
    collector.take('ETH', '1m', []);
    collector.take('BTC', '1m', [candle(9)]);
    collector.take('ETH', '1m', [candle(9)]);
    collector.take('BTC', '1m', [candle(10)]);
    expect(seen).toEqual(['begin 10: 8,9|9']);
    collector.take('ETH', '1m', [candle(10)]);
    expect(seen.slice(1)).toEqual(['BTC 10 ETH 10']);
  });

  test('begin now, though another market has been closed for days', () => {
    const { seen, collector } = collect('BTC', 'ETH');
    collector.take('ETH', '1m', [candle(2), candle(3)]);
    collector.take('BTC', '1m', [candle(4_998), candle(4_999)]);
    collector.take('BTC', '1m', [candle(5_000)]);
    expect(seen).toEqual(['begin 5000: 4998,4999|2,3']);
  });

  test('wait for the longer ones that the bot has asked for, for an hour at most', () => {
    for (const answers of [true, false]) {
      const { seen, collector } = collect('BTC');
      const settle = collector.expect('BTC');
      collector.expect('ETH');
      collector.take('BTC', '1m', [candle(58), candle(59)]);
      collector.take('BTC', '1m', [candle(60)]);
      collector.take('BTC', '1m', [candle(61)]);
      expect(seen).toEqual([]);
      if (answers) {
        collector.take('BTC', '1h', [candle(-60), candle(0), candle(60, { closed: false })]);
        settle();
        collector.take('BTC', '1m', [candle(62)]);
        expect(seen).toEqual(['begin 60: -1,59', 'BTC 60', 'BTC 61', 'BTC 62']);
      } else {
        for (let minute = 62; minute < 120; minute += 1)
          collector.take('BTC', '1m', [candle(minute)]);
        expect(seen).toEqual([]);
        collector.take('BTC', '1m', [candle(120)]);
        expect(seen.length).toBe(62);
        expect(seen.slice(0, 2)).toEqual(['begin 60: 58,59', 'BTC 60']);
      }
    }
  });

  test('wait for each that was asked for of a symbol, not for the first of them alone', () => {
    const { seen, collector } = collect('BTC');
    const [hours, days] = [collector.expect('BTC'), collector.expect('BTC')];
    collector.take('BTC', '1m', [candle(58), candle(59)]);
    for (const [at, settle] of [hours, days].entries()) {
      collector.take('BTC', '1m', [candle(60 + at)]);
      expect(seen).toEqual([]);
      settle();
      settle();
    }
    collector.take('BTC', '1m', [candle(62)]);
    expect(seen[0]).toBe('begin 60: 58,59');
  });

  test('of one symbol wait for those of another for an hour at most', () => {
    const { seen, collector } = collect('BTC', 'ETH');
    for (const symbol of ['BTC', 'ETH']) collector.take(symbol, '1m', [candle(8)]);
    for (let minute = 9; minute < 69; minute += 1) collector.take('BTC', '1m', [candle(minute)]);
    expect(seen).toEqual(['begin 9: 8|8']);
    collector.take('BTC', '1m', [candle(69)]);
    expect(seen.slice(1)).toEqual(['BTC 9']);
    // What comes after its instant was handed on is left out, and nothing else.
    collector.take('ETH', '1m', [candle(9)]);
    expect(seen.slice(2)).toEqual([]);
    collector.take('ETH', '1m', [candle(10), candle(11)]);
    expect(seen.slice(2)).toEqual(['BTC 10 ETH 10', 'BTC 11 ETH 11']);
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

  test('is not filled by bars whose spans the shortest ones do not fill', () => {
    const history = toHistory(
      layers({ '3m': [candle(12)], '5m': [candle(0), candle(5)], '15m': [candle(-15)] }),
      '3m',
      15 * MINUTE,
    );
    // The quarter of an hour from 0 is not known whole.
    expect(minutes(history)).toEqual([-3]);
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
