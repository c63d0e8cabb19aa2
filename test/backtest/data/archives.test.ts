import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importData, type ImportOptions } from '../../../backtest/data/index.ts';
import {
  describeFeedProblem,
  encodeCache,
  loadTape,
  type TapeFiles,
} from '../../../src/paper/index.ts';
import { writeFiles, zipOf } from './writeFiles.ts';

/** Rows that venues published, in files that are named as theirs. */
const ARCHIVES = join(import.meta.dirname, '../../data/archives');
const sample = (file: string): string => join(ARCHIVES, file);

async function importOf(file: string, options: Partial<ImportOptions> = {}) {
  const read = await importData([file], { keepPartial: true, ...options });
  if (!read.ok) throw new Error(describeFeedProblem(read.problem));
  const { columns, ...about } = read.value.content;
  return {
    ...about,
    notes: read.value.notes,
    columns: Object.fromEntries(
      Object.entries(columns).map(([name, column]) => [name, Array.from(column)]),
    ) as Record<string, number[]>,
  };
}

async function refusalOf(file: string, options: Partial<ImportOptions> = {}): Promise<string> {
  const read = await importData([file], { keepPartial: true, ...options });
  if (read.ok) throw new Error('It was imported.');
  return describeFeedProblem(read.problem).replace(`${ARCHIVES}/`, '');
}

async function tapeOf(files: TapeFiles) {
  const read = await loadTape(files);
  if (!read.ok) throw new Error(describeFeedProblem(read.problem));
  return read.value;
}

const minute = (ms: number): number => Math.floor(ms / 60_000) * 60_000;

describe('trades of venues’ archives make bars', () => {
  test.each([
    ['SOLUSDT-aggTrades-2026-01-01.csv', 'SOLUSDT', 1_767_225_601_696, 124.58, 6.43],
    ['SOLUSDT-trades-2026-01-01.csv', 'SOLUSDT', 1_767_225_601_696, 124.58, 3.22],
    ['spot/SOLUSDT-trades-2026-01-01.csv', 'SOLUSDT', 1_767_225_600_629, 124.64, 1.127],
    ['spot/BTCUSDT-aggTrades-2020-12-25.csv', 'BTCUSDT', 1_608_872_400_000, 0.2, 50],
    ['SOLUSDT2026-10-06.csv', 'SOLUSDT', 1_791_331_201_268, 120.63, 0.6],
    ['BTCUSDT_2025-05-19.csv', 'BTCUSDT', 1_747_612_800_150, 106_456.9, 0.004718],
    ['BTC-USDT-trades-2025-06-01.csv', 'BTC-USDT', 1_748_707_200_531, 104_554.2, 0.00001912],
  ])('%s', async (file, symbol, time, close, volume) => {
    const { columns, ...about } = await importOf(sample(file));
    expect(about).toMatchObject({ kind: 'bars', interval: '1m', symbol });
    expect(columns.time).toEqual([minute(time)]);
    expect(columns.close).toEqual([close]);
    expect(columns.volume![0]).toBeCloseTo(volume, 12);
  });

  test('Kraken’s have no header, and a market by the name of their file', async () => {
    const { symbol, columns } = await importOf(sample('XBTUSD.csv'), { interval: '1d' });
    expect(symbol).toBe('XBTUSD');
    expect(columns.close).toEqual([122, 123.61]);
  });

  test('OKX counts contracts: their size is asked for, and makes base units', async () => {
    const file = sample('BTC-USDT-SWAP-trades-2025-06-01.csv');
    expect(await refusalOf(file)).toBe(
      'BTC-USDT-SWAP-trades-2025-06-01.csv:2: sizes of BTC-USDT-SWAP are numbers of contracts. Make bars of it with the base units of one contract: `trimtab data import … --contract-size 0.01` for BTC-USDT-SWAP.',
    );
    const { columns } = await importOf(file, { contractSize: 0.01 });
    expect(columns.volume![0]).toBeCloseTo(0.3014, 12);
  });

  test('OKX’s older files name columns in two languages, and the market in their name only', async () => {
    const header = [
      'trade_id/撮合id',
      'side/交易方向',
      'size/数量',
      'price/价格',
      'created_time/成交时间',
    ];
    const text = `${header.join(',')}\n1,buy,3,41000.5,1640966400123\n`;
    const [swap, spot] = await writeFiles({
      'BTC-USDT-SWAP-trades-2022-01-01.csv': text,
      'BTC-USDT-trades-2022-01-01.csv': text,
    });
    expect(await refusalOf(swap!)).toContain('sizes of BTC-USDT-SWAP are numbers of contracts');
    expect((await importOf(spot!)).columns.volume).toEqual([3]);
  });

  test('trades of a contract in BUSD are read', async () => {
    const [file] = await writeFiles({
      'BTCBUSD_210129-trades-2021-01-01.csv': 'id,price,qty,time\n1,42000,7,1609459200001\n',
    });
    expect((await importOf(file!)).columns.volume).toEqual([7]);
  });

  test.each([
    'BTCUSD_PERP-aggTrades-2024-01-01.csv',
    'BNBUSD_240329-trades-2024-01-01.csv',
    'BTC-USD-SWAP-trades-2024-01-01.csv',
  ])('an inverse contract is refused by its name: %s', async (name) => {
    const [file] = await writeFiles({
      [name]: 'id,price,qty,time\n1,42000,7,1704067200001\n',
    });
    expect(await refusalOf(file!, { contractSize: 1 })).toContain('is an inverse contract');
  });

  test('Bybit’s inverse contract is refused by its values', async () => {
    expect(await refusalOf(sample('BTCUSD2022-11-17.csv'))).toBe(
      'BTCUSD2022-11-17.csv:2: BTCUSD is an inverse contract, whose sizes are not base units. Take the linear contract of the market, whose sizes are base units.',
    );
  });

  test('a file that begins with its newest trade keeps the order of one millisecond', async () => {
    const rows = [
      '1767225601.2,BTCUSDT,5,1',
      '1767225600.1,BTCUSDT,4,1',
      '1767225600.1,BTCUSDT,3,1',
    ];
    const text = ['timestamp,symbol,price,size', ...rows].join('\n');
    const [file] = await writeFiles({ 'BTCUSDT2026-01-01.csv': text });
    const { trades } = await tapeOf({ trades: file });
    expect(Array.from(trades!.price)).toEqual([3, 4, 5]);
  });
});

test('trades with calendar times, and candles that begin with the newest', async () => {
  const [trades, candles] = await writeFiles({
    'fills.csv': 'time,price,size\n2024-01-31T08:00:01.250Z,7,2\n2024-01-31 08:00:02,8,1\n',
    'candles.csv': `timestamp,open,high,low,close,volume\n${[2, 1, 0].map((at) => `${1_704_067_200_000 + at * 60_000},1,1,1,1,1`).join('\n')}\n`,
  });
  const { columns } = await importOf(trades!, { symbol: 'BTC' });
  expect(columns).toMatchObject({ time: [Date.UTC(2024, 0, 31, 8)], open: [7], close: [8] });
  expect(await refusalOf(candles!, { symbol: 'BTC' })).toContain('Sort rows by timestamp');
});

describe('candles of venues’ archives', () => {
  test('Kraken: seconds, exponents, hours without a trade, the interval in the name', async () => {
    const { columns, ...about } = await importOf(sample('XBTUSD_60.csv'));
    expect(about).toMatchObject({ symbol: 'XBTUSD', interval: '1h', kind: 'bars' });
    const text = await readFile(sample('XBTUSD_60.csv'), 'utf8');
    const cells = text
      .trim()
      .split('\n')
      .map((line) => line.split(',').map(Number));
    expect(columns.time).toEqual(cells.map(([time]) => time! * 1_000));
    expect(columns.low).toEqual(cells.map((row) => row[3]));
    expect(columns.volume).toEqual(cells.map((row) => row[5]));
    expect(columns.volume).toContain(10);
  });

  test('Bybit’s for MetaTrader, in UTC', async () => {
    const read = await importOf(sample('BTCUSDT_1_2023-01-01_2023-01-31.csv'));
    expect(read).toMatchObject({ symbol: 'BTCUSDT', interval: '1m' });
    expect(read.columns.time).toEqual([Date.UTC(2023, 0, 1)]);
    expect(read.columns.close).toEqual([16_584]);
  });

  test('OKX: base units of a contract are beside the number of contracts', async () => {
    const read = await importOf(sample('ETH-USDT-SWAP-candlesticks-2025-10-23.csv'), {
      sourceInterval: '1m',
    });
    expect(read).toMatchObject({ symbol: 'ETH-USDT-SWAP', interval: '1m', kind: 'bars' });
    expect(read.source).toContain('OKX candles');
    expect(read.columns).toEqual({
      time: [Date.UTC(2025, 9, 22, 16)],
      open: [3_839.44],
      high: [3_843.58],
      low: [3_836.71],
      close: [3_838.16],
      volume: [2_350.32],
    });
  });

  const OKX = 'instrument_name,open,high,low,close,vol,vol_ccy,vol_quote,open_time,confirm\n';
  const okxRow = (market: string, minute: number) =>
    `${market},5,6,4,5,30,0.3,150,${1_704_067_200_000 + minute * 60_000},0\n`;

  test.each([
    ['BTC-USDT', 30],
    ['BTC-USDT-SWAP', 0.3],
    ['BTC-USD-SWAP', 0.3],
    ['BTC-USDT-240329', 0.3],
  ])('OKX: the volume of %s', async (market, volume) => {
    const [file] = await writeFiles({
      'candles.csv': `${OKX}${okxRow(market, 0)}${okxRow(market, 1)}`,
    });
    const { columns, ...about } = await importOf(file!);
    expect(about).toMatchObject({ symbol: market, interval: '1m' });
    expect(columns.volume).toEqual([volume, volume]);
  });

  test('OKX: a file of several markets, or cut off, is refused with its line', async () => {
    const [several, cut] = await writeFiles({
      'several.csv': `${OKX}${okxRow('BTC-USDT', 0)}${okxRow('ETH-USDT', 0)}`,
      'cut.csv': `${OKX}${okxRow('BTC-USDT', 0)}BTC-USDT,5,6`,
    });
    expect(await refusalOf(several!)).toMatch(/several\.csv:3: .*"ETH-USDT" follows BTC-USDT\./);
    expect(await refusalOf(cut!)).toMatch(/cut\.csv:3: has 3 columns, not 10\./);
  });

  test('OKX: funding', async () => {
    const [file] = await writeFiles({
      'BTC-USDT-SWAP-fundingrates-2026-09.csv':
        'instrument_name,funding_rate,funding_time\nBTC-USDT-SWAP,0.0000744588100483,1788192000000\n',
    });
    const { kind, columns } = await importOf(file!, { symbol: 'BTC' });
    expect([kind, columns.time, columns.rate]).toEqual([
      'funding',
      [1_788_192_000_000],
      [0.0000744588100483],
    ]);
  });

  const KLINES =
    'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore';
  /** A minute of Binance's archive; `value` is the second of its volumes. */
  const kline = (minute: number, price: number, volume: number, value: number): string => {
    const time = 1_704_067_200_000 + minute * 60_000;
    return `${time},${price},${price},${price},${price},${volume},${time + 59_999},${value},7,0,0,0`;
  };
  const refusal = (market: string): string =>
    `${market} is an inverse contract, whose sizes are not base units. Take the linear contract of the market, whose sizes are base units.`;

  test.each([
    ['BTCUSD_PERP-1m-2024-01.csv', [KLINES, kline(0, 42_000, 0, 0)].join('\n'), 'BTCUSD_PERP'],
    ['ETHUSD_240329-1m-2024-01-01.csv', kline(0, 2_300, 0, 0), 'ETHUSD_240329'],
    ['BNBUSD_240329-1mo-2024-01-01.csv', kline(0, 300, 0, 0), 'BNBUSD_240329'],
    ['BNBUSD_PERP.csv', kline(0, 300, 0, 0), 'BNBUSD_PERP'],
    ['BINANCE-BTCUSD_PERP.csv', 'timestamp,open,high,low,close,volume\n0,1,1,1,1,7', 'BTCUSD_PERP'],
    ['btcusd_perp-1m.json', '[[1704067200000,1,1,1,1,7]]', 'btcusd_perp'],
    ['BTCUSD_60_2024-01-01_2024-01-31.csv', '2024.01.01 00:00,1,1,1,1,7', 'BTCUSD'],
    ['BTCUSDH24_60_2024-01-01_2024-01-31.csv', '2024.01.01 00:00,1,1,1,1,7', 'BTCUSDH24'],
  ])(
    'an inverse contract is refused by its name, whatever --symbol says: %s',
    async (name, text, market) => {
      const [plain, zipped] = await writeFiles({ [name]: text, 'a.zip': zipOf([{ name, text }]) });
      for (const file of [plain!, zipped!]) {
        const said = await refusalOf(file, { symbol: 'BTC', sourceInterval: '1m' });
        expect(said).toMatch(new RegExp(`${name}(:1)?: `));
        expect(said).toContain(`${refusal(market)} A file of another market may be renamed.`);
      }
    },
  );

  test('a recorder’s candles and a renamed archive are refused by what is in them', async () => {
    const element = {
      t: 1_704_067_200_000,
      s: 'BTCUSD_PERP',
      i: '1m',
      o: 1,
      h: 1,
      l: 1,
      c: 1,
      v: 7,
    };
    const [named, renamed] = await writeFiles({
      'candles.json': JSON.stringify([element]),
      'btc.csv': [KLINES, kline(0, 42_000, 0, 0), kline(1, 42_000, 84, 0.2)].join('\n'),
    });
    const bySymbol = await refusalOf(named!, { symbol: 'BTC' });
    expect(bySymbol).toMatch(new RegExp(`${refusal('BTCUSD_PERP')}$`));
    const said = await refusalOf(renamed!, { symbol: 'BTC' });
    expect(said).toContain(`btc.csv:3: ${refusal('This market')}`);
    // Volumes are rounded: their ratio is beside the only price of such a bar.
    const rounded = [kline(0, 42_000, 84, 0.19998), kline(1, 42_000, 42, 0.10003)];
    const [flat] = await writeFiles({ 'flat.csv': [KLINES, ...rounded].join('\n') });
    expect(await refusalOf(flat!, { symbol: 'BTC' })).toContain(
      `flat.csv:2: ${refusal('This market')}`,
    );
  });

  test.each([
    ['market', { s: 'ETH' }],
    ['interval', { i: '5m' }],
  ])(
    'a recorder’s candles with a second %s are refused at the first of it',
    async (_what, other) => {
      const prices = { o: 1, h: 1, l: 1, c: 1, v: 7 };
      const element = { t: 1_704_067_200_000, s: 'BTC', i: '1m', ...prices };
      const second = { ...element, t: element.t + 60_000 };
      const [file] = await writeFiles({
        'candles.json': JSON.stringify([
          element,
          second,
          { ...second, t: second.t + 60_000, ...other },
        ]),
      });
      expect(await refusalOf(file!)).toContain('candles.json:3: follows BTC 1m.');
    },
  );

  test.each([
    ['BTCUSDT_240329-1m-2024-01.csv', kline(0, 42_000, 0.2, 8_400)],
    ['BTCBUSD_210129-1m-2021-01.csv', kline(0, 42_000, 0.2, 8_400)],
    ['BTCUSD_202401-1m.csv', kline(0, 42_000, 0.2, 8_400)],
    ['BTCUSD_240329.csv', kline(0, 42_000, 0.2, 8_400)],
    ['BTCUSD_240329-mine-2024-01.csv', kline(0, 42_000, 0.2, 8_400)],
    ['EURUSD_240329-1m.csv', kline(0, 1.08, 1_000, 1_080)],
    ['low-1m.csv', kline(0, 10, 5, 50)],
    ['odd-1m.csv', kline(0, 42_000, 0.2, 1)],
  ])(
    'a linear contract is read, whatever its price, and a file of one’s own: %s',
    async (name, text) => {
      const [file] = await writeFiles({ [name]: text });
      const { columns } = await importOf(file!, { symbol: 'X', sourceInterval: '1m' });
      expect(columns.volume).toEqual([Number(text.split(',')[5])]);
    },
  );

  test('a cache of bars is read again, whatever its symbol', async () => {
    const column = Float64Array.of(1);
    const columns = { open: column, high: column, low: column, close: column, volume: column };
    const content = {
      kind: 'bars',
      symbol: 'BTCUSD_PERP',
      interval: '1m',
      source: 'converted.csv',
      columns: { time: Float64Array.of(1_704_067_200_000), ...columns },
    } as const;
    const [file] = await writeFiles({ 'BTCUSD_PERP.trimtab': encodeCache(content) });
    expect(await importOf(file!)).toMatchObject({ symbol: 'BTCUSD_PERP', interval: '1m' });
  });

  const bars = [
    {
      time: 1_609_459_200,
      open: 28_990.08,
      high: 29_031.34,
      low: 28_690.17,
      close: 28_995.13,
      volume: 2_311.8,
    },
    {
      time: 1_609_462_800,
      open: 28_995.13,
      high: 29_470,
      low: 28_960.35,
      close: 29_409.99,
      volume: 5_403.1,
    },
    {
      time: 1_609_466_400,
      open: 29_410,
      high: 29_465.26,
      low: 29_120.03,
      close: 29_194.65,
      volume: 2_384.2,
    },
  ];
  const arrays = (of = bars) =>
    of.map(({ time, low, high, open, close, volume }) => [time, low, high, open, close, volume]);

  test.each([
    ['arrays of the exchange', JSON.stringify(arrays().toReversed())],
    ['arrays, the oldest first', JSON.stringify(arrays())],
    [
      'objects of Advanced Trade',
      JSON.stringify({
        candles: bars.toReversed().map(({ time, low, high, open, close, volume }) => ({
          start: String(time),
          low: String(low),
          high: String(high),
          open: String(open),
          close: String(close),
          volume: String(volume),
        })),
      }),
    ],
  ])('Coinbase writes low and high before open: %s', async (_name, text) => {
    const [file] = await writeFiles({ 'candles.json': text });
    const { columns, source, ...about } = await importOf(file!, { symbol: 'BTC' });
    expect(source).toContain('Coinbase candles');
    expect(about).toMatchObject({ interval: '1h' });
    expect(columns).toEqual({
      time: bars.map(({ time }) => time * 1_000),
      open: bars.map(({ open }) => open),
      high: bars.map(({ high }) => high),
      low: bars.map(({ low }) => low),
      close: bars.map(({ close }) => close),
      volume: bars.map(({ volume }) => volume),
    });
  });

  test('a fault of Coinbase’s candles, the newest first, is named by its line in the file', async () => {
    const [first, second, third] = bars;
    const impossible = { ...first!, high: first!.open + 1, close: first!.open + 2 };
    const [bad, twice] = await writeFiles({
      'bad.json': JSON.stringify(arrays([third!, second!, impossible])),
      // Each page of the exchange's answers begins with the last candle of the page before.
      'pages.json': JSON.stringify(arrays([third!, second!, second!, first!])),
    });
    const options = { symbol: 'BTC', sourceInterval: '1h', format: 'coinbase' } as const;
    expect(await refusalOf(bad!, options)).toContain('bad.json:3: ');
    expect(await refusalOf(twice!, options)).toContain(
      'pages.json:2: column timestamp: "1609462800000" occurs twice.',
    );
  });

  test('ccxt’s order is never taken for Coinbase’s, nor the other way round', async () => {
    const ccxt = bars.map(({ time, open, high, low, close, volume }) => [
      time * 1_000,
      open,
      high,
      low,
      close,
      volume,
    ]);
    for (let count = 1; count <= 3; count++) {
      const [one, two] = await writeFiles({
        'one.json': JSON.stringify(ccxt.slice(0, count)),
        'two.json': JSON.stringify(arrays(bars.slice(0, count))),
      });
      const options = { symbol: 'BTC', sourceInterval: '1h' } as const;
      const [first, second] = [await importOf(one!, options), await importOf(two!, options)];
      expect(first.columns).toEqual(second.columns);
    }
  });
});

describe('archives serve the paper service as recordings', () => {
  test('Binance’s bookTicker, plain and zipped, and trades without a header', async () => {
    const book = sample('SOLUSDT-bookTicker-2023-07-15.csv');
    const text = await readFile(book, 'utf8');
    const [zipped] = await writeFiles({
      'SOLUSDT-bookTicker-2023-07-15.zip': zipOf([{ name: basename(book), text }]),
    });
    for (const file of [book, zipped!]) {
      const read = await tapeOf({ book: file });
      expect(read.book).toMatchObject({ kind: 'rows', depth: 1 });
      if (read.book?.kind !== 'rows') throw new Error('It has no rows.');
      expect(Array.from(read.book.time)).toEqual([1_689_379_200_098]);
      expect(Array.from(read.book.cells)).toEqual([26.67, 172, 26.671, 582]);
    }
    const { trades } = await tapeOf({ trades: sample('spot/SOLUSDT-trades-2026-01-01.csv') });
    expect(Array.from(trades!.size)).toEqual([1.127]);
  });

  test('a book of an inverse contract is refused by its file, or by its column of markets', async () => {
    const text = await readFile(sample('SOLUSDT-bookTicker-2023-07-15.csv'), 'utf8');
    const rows = text.trim().split('\n');
    const [named, listed] = await writeFiles({
      'BTCUSD_PERP-bookTicker-2023-07-15.csv': text,
      'book.csv': rows.map((row, at) => `${at === 0 ? 'symbol' : 'BTCUSD_PERP'},${row}`).join('\n'),
    });
    for (const book of [named!, listed!]) {
      const read = await loadTape({ book });
      const message = 'BTCUSD_PERP is an inverse contract, whose sizes are not base units.';
      expect(read).toMatchObject({ ok: false, problem: { message } });
    }
  });

  test('a book of one’s own named by market and day is read', async () => {
    const text = await readFile(sample('SOLUSDT-bookTicker-2023-07-15.csv'), 'utf8');
    const files = await writeFiles({
      'BTCUSD_240329.csv': text,
      'BTCBUSD_210129-bookTicker-2021-01-01.csv': text,
    });
    for (const book of files) expect(await loadTape({ book })).toMatchObject({ ok: true });
  });

  test.each(['bookTicker', 'bookDepth'])(
    'a book of an inverse contract that ends is refused by its name: %s',
    async (kind) => {
      const text = await readFile(sample('SOLUSDT-bookTicker-2023-07-15.csv'), 'utf8');
      const [book] = await writeFiles({ [`BTCUSD_240329-${kind}-2024-01-01.csv`]: text });
      const message = 'BTCUSD_240329 is an inverse contract, whose sizes are not base units.';
      expect(await loadTape({ book: book! })).toMatchObject({ ok: false, problem: { message } });
    },
  );

  test('an archive of several files is refused, and a book is no candles', async () => {
    const [file] = await writeFiles({
      'two.zip': zipOf([
        { name: 'a.csv', text: 'time,price,size\n1767225600000,1,1' },
        { name: 'b.csv', text: 'time,price,size\n1767225600000,1,1' },
      ]),
    });
    const read = await loadTape({ trades: file! });
    expect(read).toMatchObject({ ok: false, problem: { message: 'holds 2 files.' } });
    expect(await refusalOf(sample('SOLUSDT-bookTicker-2023-07-15.csv'))).toContain(
      'It is for the paper service: trimtab paper --book',
    );
  });
});
