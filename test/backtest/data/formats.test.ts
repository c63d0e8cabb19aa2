import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { importData, type ImportOptions } from '../../../backtest/data/index.ts';
import { describeFeedProblem, encodeCache, loadTape } from '../../../src/paper/index.ts';
import { writeFiles, zipOf } from './writeFiles.ts';

type Options = Partial<ImportOptions>;
type Files = Record<string, string | Uint8Array>;

async function importFiles(files: Files, options: Options = {}) {
  const read = await importData(await writeFiles(files), { keepPartial: false, ...options });
  if (!read.ok) throw new Error(describeFeedProblem(read.problem));
  return read.value;
}

async function refusalOf(files: Files, options: Options = {}): Promise<string> {
  const read = await importData(await writeFiles(files), { keepPartial: false, ...options });
  if (read.ok) throw new Error('It was imported.');
  return describeFeedProblem(read.problem).replaceAll(/\/\S*\//g, '');
}

const START = 1_725_148_800_000; // 2024-09-01
const minutes = (count: number, from = 0): number[][] =>
  Array.from({ length: count }, (_none, index) => {
    const at = from + index;
    return [START + at * 60_000, 100 + at, 102 + at, 99 + at, 101.5 + at, 0.25 * (at + 1)];
  });
const rows = minutes(6);
const expected = (of: number[][]) => ({
  time: Float64Array.from(of, (row) => row[0]!),
  open: Float64Array.from(of, (row) => row[1]!),
  high: Float64Array.from(of, (row) => row[2]!),
  low: Float64Array.from(of, (row) => row[3]!),
  close: Float64Array.from(of, (row) => row[4]!),
  volume: Float64Array.from(of, (row) => row[5]!),
});

const csv = (of: number[][], header = 'timestamp,open,high,low,close,volume'): string =>
  [header, ...of.map((row) => row.join(','))].join('\n');
const KLINE_HEADER =
  'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore';
/** Binance Vision's klines; spot has microseconds since 2025. */
const klines = (of: number[][], perMs = 1): string[] =>
  of.map(([time, ...rest]) =>
    [time! * perMs, ...rest, (time! + 60_000) * perMs - 1, 1000.5, 7, 0.1, 500.25, 0].join(','),
  );

describe('Binance klines', () => {
  test.each([
    ['without a header', klines(rows), 1],
    ['with a header', [KLINE_HEADER, ...klines(rows)], 1],
    ['in microseconds', klines(rows, 1_000), 1_000],
    ['in microseconds, with a header', [KLINE_HEADER, ...klines(rows, 1_000)], 1_000],
  ])('%s', async (_name, lines, perMs) => {
    const { content, notes } = await importFiles({ 'BTCUSDT-1m-2024-09.csv': lines.join('\n') });
    expect(content).toEqual({
      kind: 'bars',
      symbol: 'BTCUSDT',
      interval: '1m',
      source: 'BTCUSDT-1m-2024-09.csv (Binance klines)',
      columns: expected(rows),
    });
    expect(notes.join().includes('Its times are microseconds.')).toBe(perMs > 1);
  });

  test('several zipped months at once, in any order, across the change of unit', async () => {
    const months = [minutes(3), minutes(3, 3), minutes(2, 8)];
    const zipped = months.map((month, index) => {
      const text = klines(month, index === 2 ? 1_000 : 1).join('\n');
      return zipOf([{ name: `BTCUSDT-1m-2024-0${index + 1}.csv`, text }]);
    });
    const { content } = await importFiles(
      {
        'BTCUSDT-1m-2024-03.zip': zipped[2]!,
        'BTCUSDT-1m-2024-01.zip': zipped[0]!,
        'BTCUSDT-1m-2024-02.zip': zipped[1]!,
      },
      { symbol: 'BTC' },
    );
    expect(content).toMatchObject({ symbol: 'BTC', columns: expected(months.flat()) });
    // The first and the last that were named.
    expect(content.source).toMatch(
      /^\S+-03\.zip:\S+-03\.csv … \S+-02\.zip:\S+-02\.csv, 3 files \(Binance klines\)$/,
    );
  });

  test('a month and one of its days: rows in both files count once', async () => {
    const month = klines(minutes(6)).join('\n');
    const day = klines(minutes(4, 4)).join('\n');
    const { content, notes } = await importFiles({ 'B-1m-1.csv': month, 'B-1m-2.csv': day });
    expect(content.columns).toEqual(expected(minutes(8)));
    expect(notes).toContain('2 rows in two files with equal values; each counts once.');
    const other = day.replace('104,106,', '104,106.5,');
    expect(await refusalOf({ 'B-1m-1.csv': month, 'B-1m-2.csv': other })).toBe(
      'B-1m-2.csv:1: differs from B-1m-1.csv:5, which has the same time. Leave one of the files out.',
    );
  });
});

describe('candles of others', () => {
  test('plain CSV: columns by name, seconds, dates, CRLF, a byte-order mark, gzip', async () => {
    const mixed = rows.map(([time, open, high, low, close, volume]) =>
      [volume, close, low, 'x', high, open, new Date(time!).toISOString().slice(0, 19)].join(','),
    );
    const text = ['Volume,Close,Low,Note,High,Open,Date', ...mixed].join('\r\n');
    const seconds = csv(rows.map(([time, ...rest]) => [time! / 1_000, ...rest]));
    for (const content of [`\uFEFF${text}\r\n`, gzipSync(text), seconds, csv(rows)]) {
      const imported = await importFiles({ 'candles.csv': content }, { symbol: 'BTC' });
      expect(imported.content).toMatchObject({ interval: '1m', columns: expected(rows) });
    }
  });

  test('dates without dashes, in CSV and JSON', async () => {
    const dates = ['20240131', '20240201', '20240202'];
    const time = new Float64Array(dates.map((_date, at) => Date.UTC(2024, 0, 31 + at)));
    const cells = [100, 102, 98, 101, 5];
    const objects = dates.map((date) => ({
      date: Number(date),
      open: 100,
      high: 102,
      low: 98,
      close: 101,
      volume: 5,
    }));
    const files: Record<string, string> = {
      'spx.csv': [
        'date,open,high,low,close,volume',
        ...dates.map((date) => [date, ...cells].join(',')),
      ].join('\n'),
      'spx.json': JSON.stringify(objects),
      'rows.json': JSON.stringify(dates.map((date) => [Number(date), ...cells])),
    };
    for (const [name, text] of Object.entries(files)) {
      const { content, notes } = await importFiles({ [name]: text }, { symbol: 'SPX' });
      expect(content, name).toMatchObject({ interval: '1d', columns: { time } });
      expect(notes.join(), name).toContain('Its times are dates such as 20240131.');
    }
  });

  test('ccxt and freqtrade', async () => {
    const text = JSON.stringify(rows);
    const plain = await importFiles({ 'BTC_USDT-1m.json': text });
    expect(plain.content).toMatchObject({ symbol: 'BTC_USDT', columns: expected(rows) });
    const named = { format: 'freqtrade', symbol: 'BTC' } as const;
    const packed = await importFiles({ 'candles.json.gz': gzipSync(`\uFEFF${text}`) }, named);
    expect(packed.content.columns).toEqual(expected(rows));
  });

  const objects = (of: number[][], time: (at: number) => unknown = (at) => at) =>
    of.map(([at, open, high, low, close, volume]) => ({
      timestamp: time(at!),
      open,
      high,
      low,
      close,
      volume,
    }));
  test.each([
    ['an array', JSON.stringify(objects(rows))],
    ['an indented array', JSON.stringify(objects(rows), null, 2)],
    [
      'an object a line',
      objects(rows)
        .map((row) => JSON.stringify(row))
        .join('\n'),
    ],
    ['times as text', JSON.stringify(objects(rows, (at) => new Date(at).toISOString()))],
    ['seconds', JSON.stringify(objects(rows, (at) => at / 1_000))],
    [
      'numbers as text',
      JSON.stringify(
        rows.map(([at, ...rest]) => ({
          Date: at,
          Volume: String(rest[4]),
          Open: String(rest[0]),
          High: String(rest[1]),
          Low: String(rest[2]),
          Close: String(rest[3]),
          trades: 7,
        })),
      ),
    ],
  ])('JSON objects with the names of a CSV: %s', async (_name, text) => {
    const { content } = await importFiles({ 'btc.json': text }, { symbol: 'BTC' });
    expect(content).toMatchObject({ kind: 'bars', interval: '1m', columns: expected(rows) });
  });

  test('JSON objects without a column, and with a cell that is no number, are refused with their place', async () => {
    const [first, second, ...others] = objects(rows);
    const { volume: _volume, ...short } = first!;
    expect(await refusalOf({ 'btc.json': JSON.stringify([short, second]) })).toMatch(
      /btc\.json:1: has no field volume\. A candle has timestamp \(or open_time, time, date, datetime, ts, t\)/,
    );
    const odd = [first, { ...second, close: 'n/a' }, ...others];
    const lines = odd.map((row) => JSON.stringify(row)).join('\n');
    expect(await refusalOf({ 'btc.jsonl': lines }, { symbol: 'BTC' })).toMatch(
      /btc\.jsonl:2: column close: "n\/a" holds no number/,
    );
    const torn = `${JSON.stringify(first)}\n{"timestamp":`;
    expect(await refusalOf({ 'btc.jsonl': torn })).toMatch(/btc\.jsonl:2: is not JSON/);
    const mixed = [first, { ...second, timestamp: rows[1]![0]! / 1_000 }, ...others];
    expect(await refusalOf({ 'btc.json': JSON.stringify(mixed) }, { symbol: 'BTC' })).toMatch(
      /btc\.json:2: .* is not a time in milliseconds, as the rows before it are/,
    );
    const other = JSON.stringify([{ ts: 1, o: 1 }]);
    expect(await refusalOf({ 'btc.json': other })).toMatch(
      /btc\.json:1: is not understood: t\. A candle has timestamp/,
    );
  });

  test('freqtrade’s settlements, stored as candles', async () => {
    const times = [0, 1, 2].map((index) => rows[0]![0]! + index * 8 * 3_600_000);
    const rates = [0.0001, -0.00003, 0];
    const retained = rates.map((rate, index) => [times[index], rate, 0, 0, 0, 0]);
    const name = 'BTC_USDT_USDT-8h-funding_rate.json';
    const { content } = await importFiles({ [name]: JSON.stringify(retained) }, { symbol: 'BTC' });
    const columns = { time: Float64Array.from(times), rate: Float64Array.from(rates) };
    expect(content).toMatchObject({ kind: 'funding', symbol: 'BTC', columns });
  });

  test('Hyperliquid’s candleSnapshot names symbol and interval itself', async () => {
    const candles = rows.map(([t, o, h, l, c, v]) => ({
      t,
      T: t! + 59_999,
      s: 'kPEPE',
      i: '1m',
      o: String(o),
      c: String(c),
      h: String(h),
      l: String(l),
      v: String(v),
      n: 3,
    }));
    const { content } = await importFiles({ 'candles.json': JSON.stringify(candles) });
    expect(content).toMatchObject({ symbol: 'kPEPE', interval: '1m', columns: expected(rows) });
    const one = await importFiles({ 'candles.json': JSON.stringify(candles.slice(0, 1)) });
    expect(one.content.columns).toEqual(expected(rows.slice(0, 1)));
    const two = JSON.stringify([candles[0], { ...candles[1], s: 'BTC' }]);
    expect(await refusalOf({ 'candles.json': two })).toContain('candles.json:2: follows kPEPE 1m.');
  });

  test('Parquet, with a TIMESTAMP or a number of any unit', async () => {
    const names = ['timestamp', 'open', 'high', 'low', 'close', 'volume'];
    const columnData = names.map((name, index) => ({
      name,
      data: rows.map((row) => row[index]! * (index === 0 ? 1e3 : 1)),
      type: 'DOUBLE' as const,
    }));
    const file = Buffer.from(parquetWriteBuffer({ columnData }));
    const { content, notes } = await importFiles({ 'x.parquet': file }, { symbol: 'BTC' });
    expect(content.columns).toEqual(expected(rows));
    expect(notes[0]).toBe('x.parquet: Parquet. Its times are microseconds.');
  });

  test('a cache, resampled', async () => {
    const columns = expected(minutes(10));
    const source = { kind: 'bars', symbol: 'BTC', interval: '1m', source: '' } as const;
    const bytes = encodeCache({ ...source, columns });
    const { content } = await importFiles({ 'btc.trimtab': bytes }, { interval: '5m' });
    expect(content).toMatchObject({ symbol: 'BTC', interval: '5m' });
    expect(content.columns).toMatchObject({ open: Float64Array.of(100, 105) });
  });
});

describe('trades', () => {
  const HEADER = 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount';
  const trade = (ms: number, id: string, price: number, amount: number): string => {
    const time = (START + ms) * 1_000 + 345;
    return `binance,BTCUSDT,${time},${time + 9_000},${id},buy,${price},${amount}`;
  };
  const tardis = [
    HEADER,
    trade(-500, 'a', 99, 5),
    trade(0, 'b', 100, 0.1),
    trade(59_999, 'c', 101, 0.2),
    trade(59_999, 'c', 101, 0.2),
    trade(60_000, 'd', 103, 0.7),
    trade(61_000, 'e', 102, 0.1),
    trade(120_500, 'f', 90, 1),
  ].join('\n');

  test('Tardis trades in microseconds make bars; incomplete bars at the ends are reported', async () => {
    const { content, notes } = await importFiles({ 'trades.csv.gz': gzipSync(tardis) });
    expect(content).toEqual({
      kind: 'bars',
      symbol: 'BTCUSDT',
      interval: '1m',
      source: 'trades.csv.gz (Tardis trades)',
      columns: {
        time: Float64Array.of(START, START + 60_000),
        open: Float64Array.of(100, 103),
        high: Float64Array.of(101, 103),
        low: Float64Array.of(100, 102),
        close: Float64Array.of(101, 102),
        volume: Float64Array.of(0.3, 0.8),
      },
    });
    expect(notes.slice(1)).toEqual([
      '6 trades made bars of 1m.',
      'The first bar, 2024-08-31 23:59, is left out: the data begins 2024-08-31 23:59:59.500 (--keep-partial keeps it).',
      'The last bar, 2024-09-01 00:02, is left out: the data ends 2024-09-01 00:02:00.500 (--keep-partial keeps it).',
    ]);
    const retained = await importFiles({ 't.csv': tardis }, { keepPartial: true });
    expect(retained.content.columns.time).toHaveLength(4);
  });

  test('Tardis trades serve the paper service as a recording unchanged', async () => {
    const [path] = await writeFiles({ 'trades.csv.gz': gzipSync(tardis) });
    const loaded = await loadTape({ trades: path });
    expect(loaded).toMatchObject({
      ok: true,
      value: { trades: { time: { length: 6, 1: START }, size: { 2: 0.2 } } },
    });
  });

  test('of two markets in one file, and files that overlap, are refused', async () => {
    const two = `${tardis}\n${trade(9e5, 'g', 1, 1).replace('BTCUSDT', 'ETHUSDT')}`;
    expect(await refusalOf({ 't.csv': two })).toContain(
      't.csv:9: column symbol: "ETHUSDT" follows',
    );
    const overlap = await refusalOf({ 'a.csv': tardis, 'b.csv': tardis });
    expect(overlap).toContain('b.csv: begins before a.csv ends.');
    // At one instant they may be the same trade: which one is not known.
    const next = [HEADER, trade(120_500, 'f', 90, 1), trade(180_000, 'g', 91, 1)].join('\n');
    expect(await refusalOf({ 'a.csv': tardis, 'b.csv': next })).toContain(
      'b.csv: begins before a.csv ends.',
    );
  });

  test('without an id all count', async () => {
    const text = [HEADER, trade(0, '', 1, 1), trade(0, '', 1, 1), trade(60_000, '', 1, 1)];
    const { content } = await importFiles({ 't.csv': text.join('\n') }, { keepPartial: true });
    expect(content.columns).toMatchObject({ volume: Float64Array.of(2, 1) });
  });
});

describe('funding', () => {
  const HOUR = 3_600_000;
  const times = [START + 48, START + HOUR + 3, START + 2 * HOUR];
  const rates = [-0.0001, 0.0000125, 0.00031];
  const columns = { time: Float64Array.from(times), rate: Float64Array.from(rates) };
  const json = (names: [string, string], of: (rate: number) => unknown = String): string =>
    JSON.stringify(
      times.map((time, index) => ({
        [names[0]]: 'BTC',
        [names[1]]: time,
        fundingRate: of(rates[index]!),
        premium: '0',
      })),
    );

  test.each([
    ['Hyperliquid’s fundingHistory', json(['coin', 'time'])],
    ['Binance’s fundingRate', json(['symbol', 'fundingTime'])],
    ['ccxt’s history', json(['symbol', 'timestamp'], Number)],
    [
      'the fields of Binance’s API as CSV',
      `symbol,fundingTime,fundingRate,markPrice\n${times.map((time, index) => `BTC,${time},${rates[index]},`).join('\n')}`,
    ],
    [
      'Binance Vision',
      `calc_time,funding_interval_hours,last_funding_rate\n${times.map((time, index) => `${time},8,${rates[index]}`).join('\n')}`,
    ],
    [
      'CSV with empty cells elsewhere',
      `timestamp,funding_rate,mark\n${times.map((time, index) => `${time},${rates[index]},`).join('\n')}`,
    ],
  ])('%s', async (_name, text) => {
    const { content } = await importFiles({ 'funding.x': text }, { symbol: 'BTC' });
    expect(content).toMatchObject({ kind: 'funding', symbol: 'BTC', columns });
  });

  test('is not resampled, not mixed with candles, and its rows are validated', async () => {
    const text = json(['coin', 'time']);
    expect(await refusalOf({ 'f.json': text }, { interval: '1h' })).toContain('have no bars');
    const both = { 'f.json': text, 'c.csv': csv(rows) };
    expect(await refusalOf(both, { symbol: 'BTC' })).toContain('c.csv: holds bars of BTC, f.json');
    const backwards = `timestamp,funding_rate\n${times[1]},0.01\n${times[0]},0.01`;
    expect(await refusalOf({ 'f.csv': backwards }, { symbol: 'BTC' })).toContain(
      `f.csv:3: column timestamp: "${times[0]}" follows ${times[1]}.`,
    );
  });
});

describe('the column of times', () => {
  const HEADER = 'open,high,low,close,volume';
  const json = (names: readonly string[]): string =>
    JSON.stringify(
      rows.map(([time, open, high, low, close, volume]) => ({
        ...Object.fromEntries(names.map((name) => [name, time])),
        open,
        high,
        low,
        close,
        volume,
      })),
    );

  test.each([
    'timestamp',
    'time',
    'date',
    'datetime',
    'Open time',
    'openTime',
    'start_time',
    'startTime',
    'unix',
    'ts',
    't',
    'TS',
  ])('%s', async (name) => {
    const options = { symbol: 'BTC' };
    const table = await importFiles({ 'a.csv': csv(rows, `${name},${HEADER}`) }, options);
    expect(table.content.columns).toEqual(expected(rows));
    const objects = await importFiles({ 'a.json': json([name]) }, options);
    expect(objects.content.columns).toEqual(expected(rows));
  });

  test.each(['', 'Unnamed: 0'])('may be the index of pandas, %j', async (name) => {
    const dates = rows.map(([time, ...rest]) =>
      [new Date(time!).toISOString().replace('T', ' ').slice(0, 19), ...rest].join(','),
    );
    for (const lines of [dates, rows.map((row) => row.join(','))]) {
      const file = { 'a.csv': [`${name},${HEADER}`, ...lines].join('\n') };
      const { content } = await importFiles(file, { symbol: 'BTC' });
      expect(content.columns).toEqual(expected(rows));
    }
    // An index that numbers the rows is not taken for times; a column of times beside it is found.
    const numbered = rows.map(([time, ...rest], at) => [at, ...rest, time!]);
    expect(await refusalOf({ 'a.csv': csv(numbered, `${name},${HEADER},when`) })).toContain(
      'a.csv:1: no column timestamp',
    );
    const beside = { 'a.csv': csv(numbered, `${name},${HEADER},date`) };
    expect((await importFiles(beside, { symbol: 'BTC' })).content.columns).toEqual(expected(rows));
  });

  test('is not the rest of a comma at the end of a header', async () => {
    const ended = csv(rows, `stamp,${HEADER}`).replaceAll('\n', ',\n');
    expect(await refusalOf({ 'a.csv': `${ended},` })).toContain('a.csv:1: no column timestamp');
  });

  test('may be only one of those that say nothing of the bar', async () => {
    const two = rows.map(([time, ...rest]) => [time!, time!, ...rest]);
    expect(await refusalOf({ 'a.csv': csv(two, `t,ts,${HEADER}`) })).toMatch(
      /a\.csv:1.*two columns of times, ts and t\.\s+Rename/,
    );
    expect(await refusalOf({ 'a.csv': csv(two, `t,T,${HEADER}`) })).toContain('two columns t.');
    expect(await refusalOf({ 'a.json': json(['t', 'T']) })).toContain('no field timestamp');
    // A longer name says which one is meant.
    const { content } = await importFiles(
      { 'a.csv': csv(two, `ts,time,${HEADER}`) },
      { symbol: 'BTC' },
    );
    expect(content.columns).toEqual(expected(rows));
  });
});

test('a file that mixes intervals is refused with its line', async () => {
  const short = Array.from({ length: 30 }, (_none, at) => minutes(1, at)[0]!);
  const long = Array.from({ length: 30 }, (_none, at) => minutes(1, 60 * (at + 1))[0]!);
  await expect(importFiles({ 'BTC-1m.csv': csv([...short, ...long]) })).rejects.toThrow(
    /BTC-1m\.csv:32: column timestamp: .* begins bars of 1h .* and others here are of 1m: the file mixes intervals\./,
  );
});

test('a given interval is doubted where no two bars are that near, and a found one is not', async () => {
  const sparse = [0, 5, 15, 20].map((at) => minutes(1, at)[0]!);
  const file = { 'BTC-1m.csv': csv(sparse) };
  const { notes } = await importFiles(file, { sourceInterval: '1m' });
  expect(notes).toContain(
    'Look at the interval: no two bars are nearer than 5m; if they are bars of 5m, leave out --source-interval 1m.',
  );
  // It is the bars of the file that tell, not those that are made of them.
  const dense = {
    'BTC-1m.csv': csv(Array.from({ length: 20 }, (_none, at) => minutes(1, at)[0]!)),
  };
  const made = await importFiles(dense, { sourceInterval: '1m', interval: '5m' });
  expect(made.content).toMatchObject({ interval: '5m' });
  expect(made.notes.join()).not.toContain('Look at the interval');
  // The name of an archive's file says it: there is no flag to leave out.
  const kraken = sparse.map(([time, ...rest]) => [time! / 1_000, ...rest, 3].join(','));
  const found = await importFiles({ 'XBTUSD_1.csv': kraken.join('\n') });
  expect(found.content).toMatchObject({ interval: '1m' });
  expect(found.notes.join()).not.toContain('Look at the interval');
});

describe('asks for what it cannot infer', () => {
  test.each<[string, Files, Options, string]>([
    ['no symbol', { 'x.csv': csv(rows) }, {}, 'Name it: --symbol BTC.'],
    [
      'one bar',
      { 'x.csv': csv(rows.slice(0, 1)) },
      { symbol: 'B' },
      'name theirs with --source-interval',
    ],
    [
      'not a multiple',
      { 'B-5m.csv': csv(rows.filter((_row, at) => at % 5 === 0)) },
      { interval: '1m' },
      '--interval takes 5m or a multiple',
    ],
    [
      'no whole bar',
      { 'B-1m.csv': csv(rows) },
      { interval: '1h' },
      'covers no complete bar of 1h.',
    ],
    [
      'two intervals',
      { 'B-1m-.csv': csv(rows), 'C-5m-.csv': csv([0, 5].map((at) => minutes(1, at)[0]!)) },
      { symbol: 'B' },
      'holds bars of 5m, B-1m-.csv of 1m.',
    ],
    [
      'two markets',
      { 'B-1m-.csv': csv(rows), 'C-1m-.csv': csv(minutes(2, 9)) },
      {},
      'holds bars of C, B-1m-.csv bars of B.',
    ],
    ['feather', { 'x.feather': 'ARROW1\0\0' }, {}, 'freqtrade convert-data --format-from feather'],
  ])('%s', async (_name, files, options, message) => {
    expect(await refusalOf(files, options)).toContain(message);
  });

  test.each([
    'BTC-USDT-1m.csv',
    'btc-usdt-1m.csv',
    'BINANCE-BTC-USDC-1m.csv',
    'BTC-USDT-SWAP-1m.csv',
    'BTC-USD_PERP-1m.csv',
    'BTC-USDT-240329-1m.csv',
    'ETH-FDUSD-1m.csv',
    'ETH-BTC-1m.csv',
    'BINANCE-ETH-BTC-1m.csv',
  ])('the symbol, where a name has the market in parts: %s', async (name) => {
    const files = { [name]: csv(rows) };
    expect(await refusalOf(files)).toContain('does not name its symbol. Name it: --symbol BTC.');
    expect((await importFiles(files, { symbol: 'X' })).content.symbol).toBe('X');
  });

  test.each([
    ['BINANCE-BTC-1m.csv', 'BTC'],
    ['OKX-ETH-1m.csv', 'ETH'],
    ['mine-BTC-1m.csv', 'BTC'],
    ['BINANCE-BTCUSDT-1m.csv', 'BTCUSDT'],
    ['BTC_USDT-1m.csv', 'BTC_USDT'],
    ['USDT-1m.csv', 'USDT'],
  ])('no symbol, where a name has it: %s', async (name, symbol) => {
    expect((await importFiles({ [name]: csv(rows) })).content.symbol).toBe(symbol);
  });

  test('no interval, where as many bars are followed by one as by the other: the shorter', async () => {
    const gaps = [0, 1, 2, 7, 12].map((at) => minutes(1, at)[0]!);
    const { content } = await importFiles({ 'x.csv': csv(gaps) }, { symbol: 'B' });
    expect(content).toMatchObject({ interval: '1m', columns: expected(gaps) });
  });

  test('a longer one of all bars is said, though a shorter one is named; of a quiet market it is not', async () => {
    const options = { symbol: 'B', sourceInterval: '1m' } as const;
    const notesOf = async (...places: number[]): Promise<string> => {
      const bars = csv(places.map((at) => minutes(1, at)[0]!));
      return (await importFiles({ 'x.csv': bars }, options)).notes.join('\n');
    };
    const said = 'if they are bars of 5m, leave out --source-interval 1m';
    expect(await notesOf(0, 5, 10, 15)).toContain(said);
    expect(await notesOf(0, 10, 15, 20)).toContain(said);
    expect(await notesOf(0, 5, 11, 16)).not.toContain('Look at');
    expect(await notesOf(0, 1, 6, 11)).not.toContain('Look at');
  });

  test('named or not, where no time can be read', async () => {
    const text = csv(rows, 'date,open,high,low,close,volume').replaceAll(/^\d+,/gm, '1.3.2025,');
    for (const named of [{}, { sourceInterval: '1m' }] as const) {
      const said = await refusalOf({ 'x.csv': text }, { symbol: 'B', ...named });
      expect(said).toContain(
        'x.csv:2: "1.3.2025" is not a time. Times are in one column, as epoch',
      );
    }
  });

  test('one bar, with its interval named', async () => {
    const options = { symbol: 'B', sourceInterval: '1m' } as const;
    const { content } = await importFiles({ 'x.csv': csv(rows.slice(0, 1)) }, options);
    expect(content.columns).toEqual(expected(rows.slice(0, 1)));
  });
});
