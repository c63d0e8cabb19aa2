import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  describeFeedProblem,
  loadFeedFile,
  loadFundingFile,
  loadTape,
  parseTrades,
  withTape,
  type TapeFiles,
} from '../../../src/paper/index.ts';
import type { Recorded } from '../../../src/paper/feed/withTape.ts';
import { BookCursor } from '../../../src/paper/market/BookCursor.ts';
import { FundingSchedule } from '../../../src/paper/market/FundingSchedule.ts';
import { EXTRACTS } from '../../data/places.ts';

const tape = (name: string): string => join(EXTRACTS, `trades_l2/${name}.csv.gz`);

async function load(files: TapeFiles): Promise<Recorded> {
  const loaded = await loadTape(files);
  if (!loaded.ok) throw new Error(describeFeedProblem(loaded.problem));
  return loaded.value;
}

/** Writes the texts to files and returns their faults; paths are cut to file names. */
async function problemOf(texts: Partial<TapeFiles>) {
  const folder = await mkdtemp(join(tmpdir(), 'trimtab-tape-'));
  const files: TapeFiles = {};
  for (const [kind, text] of Object.entries(texts)) {
    const path = join(folder, `${kind}.csv`);
    await writeFile(path, text ?? '');
    files[kind as keyof TapeFiles] = path;
  }
  const loaded = await loadTape(files);
  if (loaded.ok) return null;
  return describeFeedProblem(loaded.problem).replace(`${folder}/`, '');
}

async function recordedOf(texts: Partial<TapeFiles>): Promise<Recorded> {
  const folder = await mkdtemp(join(tmpdir(), 'trimtab-tape-'));
  const files: TapeFiles = {};
  for (const [kind, text] of Object.entries(texts)) {
    const path = join(folder, `${kind}.csv.gz`);
    await writeFile(path, gzipSync(text as string));
    files[kind as keyof TapeFiles] = path;
  }
  return load(files);
}

describe('real recordings', () => {
  const SPOT = 'BINANCE-BTCUSDT-20240808T2354';

  test('the trades give exactly the exchange’s ten bars', async () => {
    const recorded = await load({ trades: tape(`${SPOT}-trades`) });
    const made = withTape({ symbol: 'BTC', interval: '1m', candles: null }, recorded)!;
    const path = join(EXTRACTS, 'normalised/BINANCE-BTCUSDT-1m-202408.csv.gz');
    const read = await loadFeedFile(path, 'BTC', '1m');
    if (!read.ok) throw new Error(describeFeedProblem(read.problem));
    const first = read.value.time.indexOf(Date.UTC(2024, 7, 8, 23, 55));
    for (const name of ['time', 'open', 'high', 'low', 'close', 'volume'] as const) {
      expect(made[name], name).toEqual(read.value[name].slice(first, first + 10));
    }
    // Beside three days of candles they change nothing but what they cover.
    const beside = withTape({ symbol: 'BTC', interval: '1m', candles: read.value }, recorded)!;
    const { tape: span, ...bars } = beside;
    expect(bars).toEqual(read.value);
    expect(span).toMatchObject({ from: made.time[0], until: made.time[9]! + 60_000 });
  });

  test.each([
    ['HYPERLIQUID-BTC-20250904', 'l2book20', 34, 6_675],
    ['HYPERLIQUID-BTC-20250904', 'bbo', 34, 6_675],
    ['HYPERLIQUID-ETH-20250904', 'bbo', 34, 6_867],
  ])('%s: trades and %s make %i bars', async (name, book, bars, trades) => {
    const recorded = await load({ trades: tape(`${name}-trades`), book: tape(`${name}-${book}`) });
    // Seventeen of ETH's trades were sent again after a reconnect.
    expect(recorded.trades!.time).toHaveLength(trades);
    for (const { time } of [recorded.trades!, recorded.book!]) {
      expect(time.every((at, index) => index === 0 || at >= time[index - 1]!)).toBe(true);
    }
    const feed = withTape({ symbol: 'X', interval: '1m', candles: null }, recorded)!;
    expect(feed.time).toHaveLength(bars);
  });

  test('best prices and whole levels of one venue agree where they share a stamp', async () => {
    const name = 'HYPERLIQUID-BTC-20250904';
    const [levels, tops] = await Promise.all(
      ['l2book20', 'bbo'].map((book) => load({ book: tape(`${name}-${book}`) })),
    );
    const cursors = [levels!, tops!].map(({ book }) => new BookCursor(book!));
    const stamps = new Set(tops!.book!.time);
    let agreed = 0;
    for (const at of levels!.book!.time) {
      for (const cursor of cursors) cursor.seek(at);
      if (!stamps.has(at)) continue;
      const [whole, top] = cursors.map((cursor) => [cursor.best('bid'), cursor.best('ask')]);
      if (JSON.stringify(whole) === JSON.stringify(top)) agreed++;
    }
    expect(agreed).toBeGreaterThan(500);
  });
});

const TRADES = 'recv_ns,event_ms,trade_ms,trade_id,price,qty,buyer_is_maker,order_type';
/** The unit of times is inferred from their size, so a generated recording needs a realistic year. */
const DAY = Date.UTC(2024, 0, 1);
const trade = (ms: number, id: number, price: number, qty: number) =>
  `1,${DAY + ms},${DAY + ms},${id},${price},${qty},1,`;
const trades = (...rows: string[]) => [TRADES, ...rows, ''].join('\n');

describe('trades', () => {
  test.each([
    ['seconds', 1e-3, ['Its times are seconds.']],
    ['milliseconds', 1, []],
    ['microseconds', 1e3, ['Its times are microseconds.']],
    ['nanoseconds', 1e6, ['Its times are nanoseconds.']],
  ])('in %s make the same bars, whatever their columns are called', (_unit, perMs, notes) => {
    const stamps = [500, 60_250, 119_750, 180_000].map((ms) => (DAY + ms) * perMs);
    const text = `timestamp,price,size\n${stamps.map((at) => `${at},10,1`).join('\n')}\n`;
    const read = parseTrades(Buffer.from(text), 't.csv');
    if (!read.ok) throw new Error(describeFeedProblem(read.problem));
    expect([...read.value.tape.time]).toEqual(
      [500, 60_250, 119_750, 180_000].map((ms) => DAY + ms),
    );
    expect(read.value.notes).toEqual(notes);
    const recorded = { trades: read.value.tape, book: null };
    const feed = withTape({ symbol: 'X', interval: '1m', candles: null }, recorded)!;
    expect([...feed.time]).toEqual([DAY + 60_000]);
  });

  test('that change their unit are refused where they do', () => {
    const text = `timestamp,price,size\n${DAY},10,1\n${DAY + 1}000,10,1\n`;
    const read = parseTrades(Buffer.from(text), 't.csv');
    if (read.ok) throw new Error('It was read.');
    expect(describeFeedProblem(read.problem)).toBe(
      `t.csv:3: column timestamp: "${DAY + 1}000" is not a time in milliseconds, as the rows before it are. A file has one unit of time: split it where the unit changes.`,
    );
  });

  test('a bar aggregates its trades; sums are exact decimals', async () => {
    const recorded = await recordedOf({
      trades: trades(
        trade(59_999, 1, 10, 1),
        trade(60_000, 2, 11, 0.1),
        trade(60_000, 3, 9, 0.2),
        trade(119_999, 4, 10.5, 0.3),
        trade(240_000, 5, 12, 5),
        trade(300_001, 6, 12, 5),
      ),
    });
    const feed = withTape({ symbol: 'X', interval: '1m', candles: null }, recorded)!;
    const { tape: span, symbol: _symbol, interval: _interval, ...bars } = feed;
    expect(Object.fromEntries(Object.entries(bars).map(([name, of]) => [name, [...of]]))).toEqual({
      time: [DAY + 60_000, DAY + 240_000],
      open: [11, 12],
      high: [11, 12],
      low: [9, 12],
      close: [10.5, 12],
      volume: [0.6, 5],
    });
    expect(span).toMatchObject({ from: DAY + 60_000, until: DAY + 300_000 });
  });

  test('repeated ids count once, and late timestamps are sorted', async () => {
    const recorded = await recordedOf({
      trades: trades(
        trade(5, 1, 10, 1),
        trade(9, 3, 12, 1),
        trade(7, 2, 11, 1),
        trade(5, 1, 10, 1),
      ),
    });
    expect([...recorded.trades!.price]).toEqual([10, 11, 12]);
  });

  test('with candles, a bar without trades is taken from the candles', async () => {
    const recorded = await recordedOf({
      trades: trades(trade(0, 1, 10, 1), trade(70_000, 2, 11, 2), trade(300_000, 3, 12, 1)),
    });
    const candles = {
      time: Float64Array.of(0, 60_000, 120_000, 180_000, 300_000).map((ms) => DAY + ms),
      open: Float64Array.of(1, 2, 11, 4, 5),
      high: Float64Array.of(1, 2, 11, 4, 5),
      low: Float64Array.of(1, 2, 11, 4, 5),
      close: Float64Array.of(1, 2, 11, 4, 5),
      volume: Float64Array.of(9, 9, 0, 9, 9),
    };
    const feed = withTape({ symbol: 'X', interval: '1m', candles }, recorded)!;
    expect([...feed.time]).toEqual([0, 60_000, 120_000, 300_000].map((ms) => DAY + ms));
    expect([...feed.close]).toEqual([10, 11, 11, 5]);
    expect([...feed.volume]).toEqual([1, 2, 0, 9]);
  });

  test('trades that cover no complete bar make no feed', async () => {
    const recorded = await recordedOf({
      trades: trades(trade(5, 1, 10, 1), trade(70_000, 2, 1, 1)),
    });
    expect(withTape({ symbol: 'X', interval: '1m', candles: null }, recorded)).toBeNull();
  });
});

const DEPTH = 'recv_ns,event_ms,txn_ms,U,u,pu,side,price,qty';
const SNAPSHOT = 'recv_ns,event_ms,txn_ms,last_update_id,side,price,qty';
const snapshot = `${SNAPSHOT}\n1,,,100,b,10,1\n1,,,100,a,11,2\n`;
const depth = (...rows: string[]) => [DEPTH, ...rows, ''].join('\n');

/** A book of each kind whose second state is at `DAY` + 1,500 ms, its times written by `stamp`. */
const BOOKS: ReadonlyArray<[string, (stamp: (ms: number) => number) => Partial<TapeFiles>]> = [
  [
    'a depth stream',
    (stamp) => ({
      snapshot,
      book: depth(
        `1,${stamp(DAY + 500)},,100,103,,b,9.5,4`,
        `1,,${stamp(DAY + 1_500)},104,104,,a,10.5,3`,
      ),
    }),
  ],
  [
    'best prices',
    (stamp) => ({
      book: `event_ms,bid,bid_qty,ask,ask_qty\n${stamp(DAY + 500)},10,1,11,2\n${stamp(DAY + 1_500)},10,1,10.5,3\n`,
    }),
  ],
  [
    'one side a row',
    (stamp) => ({
      book: [
        'exchange_timestamp,price,size,side',
        `${stamp(DAY + 400)},10,1,bid`,
        `${stamp(DAY + 500)},11,2,ask`,
        `${stamp(DAY + 1_500)},10.5,3,ask\n`,
      ].join('\n'),
    }),
  ],
  [
    'whole levels',
    (stamp) => ({
      book: `exchange_timestamp,bp0,bq0,ap0,aq0\n${stamp(DAY + 500)},10,1,11,2\n${stamp(DAY + 1_500)},10,1,10.5,3\n`,
    }),
  ],
];
const UNITS = [
  ['seconds', 1e-3],
  ['milliseconds', 1],
  ['microseconds', 1e3],
  ['nanoseconds', 1e6],
] as const;

describe('books', () => {
  test.each(
    BOOKS.flatMap(([kind, texts]) => UNITS.map(([unit, perMs]) => ({ kind, unit, perMs, texts }))),
  )('$kind: times in $unit are the same instants', async ({ perMs, texts }) => {
    const { book } = await recordedOf(texts((ms) => ms * perMs));
    expect([...book!.time].filter((at) => at > -Infinity)).toEqual([DAY + 500, DAY + 1_500]);
    const cursor = new BookCursor(book!);
    const askAt = (ms: number) => (cursor.seek(ms), cursor.best('ask'));
    expect([askAt(DAY + 1_499), askAt(DAY + 1_500)]).toEqual([11, 10.5]);
  });

  test.each(BOOKS)('%s that changes its unit is refused at that row', async (_kind, texts) => {
    const problem = await problemOf(texts((ms) => (ms === DAY + 1_500 ? ms * 1e3 : ms)));
    expect(problem).toMatch(
      /^book\.csv:[34]: column \w+: "1704067201500000" is not a time in milliseconds, /,
    );
  });

  test.each(BOOKS)('%s with a time that is none is refused', async (_kind, texts) => {
    const problem = await problemOf(texts((ms) => (ms === DAY + 1_500 ? NaN : ms)));
    expect(problem).toMatch(/^book\.csv:[34]: column \w+: "NaN" is not a time\. /);
  });

  test('changes before the snapshot are dropped, size 0 removes a level', async () => {
    const { book } = await recordedOf({
      snapshot,
      book: depth(
        `1,${DAY + 50},,90,99,,b,9,9`,
        `1,${DAY + 60},,100,103,,b,10,0`,
        `1,${DAY + 60},,100,103,,b,9.5,4`,
        `1,${DAY + 70},,104,104,,a,10.5,3`,
      ),
    });
    const cursor = new BookCursor(book!);
    const at = (time: number) => {
      cursor.seek(DAY + time);
      return [cursor.shown('bid', 5), cursor.shown('ask', 5)];
    };
    expect(at(59)).toEqual([[{ price: 10, size: 1 }], [{ price: 11, size: 2 }]]);
    expect(at(60)[0]).toEqual([{ price: 9.5, size: 4 }]);
    expect(at(70)[1]).toEqual([
      { price: 10.5, size: 3 },
      { price: 11, size: 2 },
    ]);
  });

  test('changes whose stamps go back keep their order, and are not before the ones before them', async () => {
    const { book } = await recordedOf({
      snapshot,
      book: depth(
        `1,${DAY + 60},,100,103,,b,9.5,4`,
        `1,${DAY + 58},,104,104,,a,10.5,3`,
        `1,${DAY + 59},,105,105,,a,10.5,0`,
        `1,${DAY + 70},,106,106,,a,10.8,3`,
      ),
    });
    const sixty = [60, 60, 60].map((ms) => DAY + ms);
    expect([...book!.time]).toEqual([-Infinity, ...sixty, DAY + 70]);
    const cursor = new BookCursor(book!);
    cursor.seek(DAY + 59);
    expect([cursor.best('ask'), cursor.nextTime]).toEqual([11, DAY + 60]);
    cursor.seek(DAY + 60);
    expect([cursor.shown('ask', 2), cursor.nextTime]).toEqual([[{ price: 11, size: 2 }], DAY + 70]);
  });

  test('a level reduced by fills stays reduced until the recording shows another size', async () => {
    const { book } = await recordedOf({
      book: [
        'exchange_timestamp,bp0,bq0,ap0,aq0,bp1,bq1,ap1,aq1',
        `${DAY + 1},9,1,10,2,8,1,11,3`,
        `${DAY + 2},9,1,10,2,,,,`,
        `${DAY + 3},9,1,10,2.5,,,,\n`,
      ].join('\n'),
    });
    const cursor = new BookCursor(book!);
    cursor.seek(DAY + 1);
    cursor.take('buy', 10, 1.5);
    expect([...cursor.offers('buy')]).toEqual([
      { price: 10, size: 0.5 },
      { price: 11, size: 3 },
    ]);
    cursor.seek(DAY + 2);
    cursor.take('buy', 10, 0.5);
    expect([...cursor.offers('buy')]).toEqual([]);
    expect(cursor.best('ask')).toBe(10);
    cursor.seek(DAY + 3);
    expect([...cursor.offers('buy')]).toEqual([{ price: 10, size: 2.5 }]);
    expect([...cursor.offers('sell')]).toEqual([{ price: 9, size: 1 }]);
  });
});

describe('faults are reported with file, line and column', () => {
  test.each([
    ['no header', { trades: 'a,b\n1,2\n' }, 'trades.csv:1: is not the header of a trades file.'],
    ['no rows', { trades: `${TRADES}\n` }, 'trades.csv:1: has no rows.'],
    ['a short row', { trades: `${TRADES}\n1,2,3\n` }, 'trades.csv:2: has 3 columns, not 8.'],
    [
      'a price that is none',
      { trades: trades(trade(1, 1, 1, 1), '1,2,2,2,x,1,1,') },
      'trades.csv:3: column price: "x" is not a price.',
    ],
    [
      'a size below zero',
      { trades: trades(trade(1, 1, 1, -1)) },
      'trades.csv:2: column qty: "-1" is not a size.',
    ],
    [
      'a time of another calendar',
      { trades: 'timestamp,price,size\n04/09/2025,1,1\n' },
      'trades.csv:2: column timestamp: "04/09/2025" is not a time.',
    ],
    ['a book of no kind', { book: 'a\n1\n' }, 'book.csv:1: is not the header of a book file.'],
    ['depth alone', { book: depth('1,1,,1,2,,b,1,1') }, 'which needs a snapshot'],
    [
      'a gap before the first message',
      { snapshot, book: depth('1,1,,102,103,,b,1,1') },
      'book.csv:2: column u: "102" does not follow 100: updates are missing.',
    ],
    [
      'a gap between messages',
      { snapshot, book: depth('1,1,,99,103,,b,1,1', '1,1,,105,106,,b,1,1') },
      'book.csv:3: column u: "105" does not follow 103',
    ],
    [
      'messages that overlap',
      { snapshot, book: depth('1,1,,99,103,,b,1,1', '1,1,,103,106,,b,1,1') },
      'book.csv:3: column u: "103" does not follow 103',
    ],
    [
      'a gap that the venue tells of',
      { snapshot, book: depth('1,1,1,99,103,98,b,1,1', '1,1,1,108,109,104,b,1,1') },
      'book.csv:3: column pu: "104" does not follow 103',
    ],
    [
      'nothing after the snapshot',
      { snapshot, book: depth('1,1,,9,10,,b,1,1') },
      'has nothing after',
    ],
    [
      'a side that is none',
      { snapshot, book: depth('1,1,,99,103,,x,1,1') },
      'book.csv:2: column side: "x" is not a side.',
    ],
    [
      'a snapshot of something else',
      { snapshot: 'a\n', book: depth('1,1,,99,103,,b,1,1') },
      'snapshot.csv:1: is not the header of a snapshot.',
    ],
    [
      'levels out of order',
      { book: 'exchange_ms,bp0,bq0,ap0,aq0,bp1,bq1,ap1,aq1\n1,9,1,10,1,9.5,1,11,1\n' },
      'book.csv:2: column bp1: "9.5" is not a price farther from the best.',
    ],
    [
      'a side of best prices that is none',
      { book: 'timestamp,price,size,side,exchange_timestamp\n1,1,1,buy,1\n' },
      'book.csv:2: column side: "buy" is not a side. It is bid or ask.',
    ],
    [
      'best prices without a time',
      { book: 'event_ms,update_id,bid,bid_qty,ask,ask_qty\n,1,1,1,2,1\n' },
      'book.csv:2: has no time.',
    ],
  ])('%s', async (_what, texts, expected) => {
    expect(await problemOf(texts as Partial<TapeFiles>)).toContain(expected);
  });

  test('a file that is not there', async () => {
    const missing = await loadTape({ trades: '/no/trades.csv' });
    expect(missing).toMatchObject({ ok: false, problem: { message: 'There is no such file.' } });
  });
});

describe('funding files', () => {
  test.each([
    ['HYPERLIQUID-BTC-funding-1h'],
    ['HYPERLIQUID-kPEPE-funding-1h'],
    ['BINANCEUSDM-BTCUSDT-funding-8h'],
    ['BYBIT-BTCUSDT-funding-8h-longhist'],
    ['DYDXV3-BTC-USD-funding-1h-longhist'],
  ])('%s is read whole, and settles on the hour', async (name) => {
    const rows = 1_000;
    const read = await loadFundingFile(join(EXTRACTS, `funding/${name}.csv.gz`));
    if (!read.ok) throw new Error(describeFeedProblem(read.problem));
    const { time, rate } = read.value;
    expect(time).toHaveLength(rows);
    const schedule = new FundingSchedule({ X: read.value });
    const hours = new Set(Array.from(time, (at) => Math.floor(at / 3_600_000)));
    expect(hours.size).toBe(rows);
    for (const [index, at] of time.entries()) {
      const hour = Math.floor(at / 3_600_000) * 3_600_000;
      expect(schedule.rateAt('X', hour)).toBe(rate[index]);
    }
  });

  test('HYPERLIQUID stamps some ms after the hour', async () => {
    const path = join(EXTRACTS, 'funding/HYPERLIQUID-BTC-funding-1h.csv.gz');
    const read = await loadFundingFile(path);
    expect(read.ok && read.value.time.some((at) => at % 3_600_000 !== 0)).toBe(true);
  });

  test.each([
    ['time,rate\n', 'f.csv:1: is not the header of a funding file.'],
    ['timestamp,funding_rate\n1,\n', 'f.csv:2: column funding_rate: "" is not a number.'],
    [
      'timestamp,funding_rate\n2,0\n1,0\n',
      'f.csv:3: column timestamp: "1" is not after the row before it.',
    ],
    ['timestamp,funding_rate\n', 'f.csv:1: has no rows.'],
  ])('%j is refused', async (text, expected) => {
    const path = join(await mkdtemp(join(tmpdir(), 'trimtab-funding-')), 'f.csv');
    await writeFile(path, text);
    const read = await loadFundingFile(path);
    if (read.ok) throw new Error('It was read.');
    expect(describeFeedProblem(read.problem)).toContain(expected);
  });
});
