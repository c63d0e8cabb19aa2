import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { describeFeedProblem, generateFeed, loadFeedFile } from '../../../src/paper/index.ts';

const feed = generateFeed({
  symbol: 'BTC',
  interval: '1m',
  bars: 3_000,
  seed: 'parquet',
  startTime: 1_735_689_600_000,
  startPrice: 60_000,
});

type Source = Parameters<typeof parquetWriteBuffer>[0]['columnData'][number];

/** The feed's columns as a writer takes them; a test replaces or drops some. */
function columnsOf(changes: Record<string, Source | null> = {}): Source[] {
  const { time, open, high, low, close, volume } = feed;
  const numbers = { open, high, low, close, volume };
  const columns: Record<string, Source> = {
    timestamp: { name: 'timestamp', data: Array.from(time, BigInt), type: 'INT64' },
  };
  for (const [name, data] of Object.entries(numbers)) {
    columns[name] = { name, data: [...data], type: 'DOUBLE' };
  }
  return Object.values({ ...columns, ...changes }).filter((source) => source !== null);
}

type WriteOptions = Omit<Parameters<typeof parquetWriteBuffer>[0], 'columnData'>;

async function load(columnData: Source[], options: WriteOptions = {}) {
  const path = join(await mkdtemp(join(tmpdir(), 'trimtab-parquet-')), 'btc.parquet');
  await writeFile(path, Buffer.from(parquetWriteBuffer({ columnData, ...options })));
  return loadFeedFile(path, 'BTC', '1m');
}

async function problemOf(columnData: Source[]): Promise<string> {
  const result = await load(columnData);
  if (result.ok) throw new Error('It was read.');
  return describeFeedProblem(result.problem).replace(/^.*btc\.parquet/, 'btc.parquet');
}

describe('a feed in Parquet', () => {
  const packed = {
    GZIP: (bytes: Uint8Array) => gzipSync(bytes),
    ZSTD: (bytes: Uint8Array) => zstdCompressSync(bytes),
  };
  test.each(['SNAPPY', 'UNCOMPRESSED', 'GZIP', 'ZSTD'] as const)(
    'comes back as it was written, %s',
    async (codec) => {
      const result = await load(columnsOf(), { codec, compressors: packed });
      expect(result).toEqual({ ok: true, value: feed });
    },
  );

  test('a TIMESTAMP, other orders and further columns are read too', async () => {
    const dates = { name: 'timestamp', data: Array.from(feed.time, (at) => new Date(at)) };
    const more = { name: 'trades', data: Array.from(feed.time, () => 'many') };
    const columns = columnsOf({
      timestamp: { ...dates, type: 'TIMESTAMP' },
      trades: { ...more, type: 'STRING' },
    });
    expect(await load(columns.toReversed())).toEqual({ ok: true, value: feed });
  });
});

describe('the column of times', () => {
  const text = (of: (at: number) => string): string[] => Array.from(feed.time, of);
  test.each<[string, Source]>([
    [
      'date, a TIMESTAMP',
      { name: 'date', data: Array.from(feed.time, (at) => new Date(at)), type: 'TIMESTAMP' },
    ],
    [
      'an index of pandas',
      {
        name: '__index_level_0__',
        data: Array.from(feed.time, (at) => new Date(at)),
        type: 'TIMESTAMP',
      },
    ],
    ['time, a number', { name: 'time', data: Array.from(feed.time, BigInt), type: 'INT64' }],
    [
      'Date, a text with a zone',
      { name: 'Date', data: text((at) => new Date(at).toISOString()), type: 'STRING' },
    ],
    [
      'datetime, a text without a zone',
      {
        name: 'datetime',
        data: text((at) => new Date(at).toISOString().slice(0, 16).replace('T', ' ')),
        type: 'STRING',
      },
    ],
    ['open_time, a number as text', { name: 'open_time', data: text(String), type: 'STRING' }],
  ])('may be %s', async (_name, column) => {
    expect(await load(columnsOf({ timestamp: column }))).toEqual({ ok: true, value: feed });
  });

  test.each([
    ['TIMESTAMP_MILLIS', undefined, 1n],
    ['TIMESTAMP_MICROS', undefined, 1_000n],
    [undefined, { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' }, 1_000n],
    [undefined, { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'NANOS' }, 1_000_000n],
  ] as const)(
    'may be a timestamp in any unit: %s %o',
    async (converted_type, logical_type, perMs) => {
      const others = columnsOf().slice(1);
      const columnData = [
        { name: 'timestamp', data: Array.from(feed.time, (at) => BigInt(at) * perMs) },
        ...others.map(({ name, data }) => ({ name, data })),
      ];
      const schema = [
        { name: 'root', num_children: 6 },
        {
          name: 'timestamp',
          type: 'INT64' as const,
          repetition_type: 'REQUIRED' as const,
          ...(converted_type !== undefined && { converted_type }),
          ...(logical_type !== undefined && { logical_type }),
        },
        ...others.map(({ name }) => ({
          name,
          type: 'DOUBLE' as const,
          repetition_type: 'REQUIRED' as const,
        })),
      ];
      expect(await load(columnData, { schema })).toEqual({ ok: true, value: feed });
    },
  );

  test('is the first of several', async () => {
    const other = { name: 'date', data: text(() => 'never'), type: 'STRING' } as const;
    expect(await load(columnsOf({ date: other }))).toEqual({ ok: true, value: feed });
  });

  test('may be a DATE of daily bars', async () => {
    const days = [0, 1, 2].map((day) => 1_735_689_600_000 + day * 86_400_000);
    const others = columnsOf().slice(1);
    const columnData = [
      { name: 'date', data: days.map((at) => new Date(at)) },
      ...others.map(({ name, data }) => ({ name, data: Array.from(data).slice(0, 3) })),
    ];
    const schema = [
      { name: 'root', num_children: 6 },
      {
        name: 'date',
        type: 'INT32' as const,
        converted_type: 'DATE' as const,
        repetition_type: 'REQUIRED' as const,
      },
      ...others.map(({ name }) => ({
        name,
        type: 'DOUBLE' as const,
        repetition_type: 'REQUIRED' as const,
      })),
    ];
    const path = join(await mkdtemp(join(tmpdir(), 'trimtab-parquet-')), 'btc.parquet');
    await writeFile(path, Buffer.from(parquetWriteBuffer({ columnData, schema })));
    const read = await loadFeedFile(path, 'BTC', '1d');
    expect(read.ok && [...read.value.time]).toEqual(days);
  });

  test('of other text is a fault of its row', async () => {
    const column = { name: 'date', data: text(() => 'yesterday'), type: 'STRING' } as const;
    expect(await problemOf(columnsOf({ timestamp: column }))).toMatch(
      /^btc\.parquet:1: column timestamp/,
    );
  });
});

describe('faults are reported with row and column', () => {
  test('a missing column', async () => {
    expect(await problemOf(columnsOf({ volume: null }))).toMatch(
      /^btc\.parquet: lacks the column volume\./,
    );
  });

  test('an empty cell', async () => {
    const high = [...feed.high] as Array<number | null>;
    high[16] = null;
    const columns = columnsOf({
      high: { name: 'high', data: high, type: 'DOUBLE', nullable: true },
    });
    expect(await problemOf(columns)).toMatch(/^btc\.parquet:17: column high: holds no number\./);
  });

  test('text where a number belongs', async () => {
    const data = Array.from(feed.close, String);
    const columns = columnsOf({ close: { name: 'close', data, type: 'STRING' } });
    expect(await problemOf(columns)).toMatch(/^btc\.parquet:1: column close: holds no number\./);
  });

  test('an impossible candle', async () => {
    const low = [...feed.low];
    low[4] = feed.high[4]! + 1;
    const columns = columnsOf({ low: { name: 'low', data: low, type: 'DOUBLE' } });
    expect(await problemOf(columns)).toMatch(/^btc\.parquet:5: column high: .* is below the low/);
  });

  test('times in seconds', async () => {
    const data = Array.from(feed.time, (each) => BigInt(each / 1_000));
    const columns = columnsOf({ timestamp: { name: 'timestamp', data, type: 'INT64' } });
    expect(await problemOf(columns)).toMatch(
      /^btc\.parquet:1: column timestamp: .* looks like a time in seconds\. .*`trimtab data import` makes/,
    );
  });

  test('a torn file', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'trimtab-parquet-')), 'btc.parquet');
    const whole = Buffer.from(parquetWriteBuffer({ columnData: columnsOf() }));
    await writeFile(path, whole.subarray(0, whole.length - 100));
    const result = await loadFeedFile(path, 'BTC', '1m');
    expect(result).toMatchObject({
      ok: false,
      problem: { message: expect.stringContaining("can't be read as Parquet") },
    });
  });
});
