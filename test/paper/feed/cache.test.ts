import { crc32, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodeCache,
  describeFeedProblem,
  encodeCache,
  generateFeed,
  loadFeedFile,
  loadFundingFile,
  type CacheFile,
  type FeedResult,
} from '../../../src/paper/index.ts';
import { writeFiles } from '../../backtest/data/writeFiles.ts';

const { symbol, interval, ...columns } = generateFeed({
  symbol: 'BTC',
  interval: '5m',
  bars: 500,
  seed: 'cache',
  startTime: 1_735_689_600_000,
  startPrice: 60_000,
});
const bars: CacheFile = { kind: 'bars', symbol, interval, source: 'a test', columns };
const funding: CacheFile = {
  kind: 'funding',
  symbol: 'BTC',
  source: 'a test',
  columns: {
    time: Float64Array.of(1_735_689_600_048, 1_735_693_200_012),
    rate: Float64Array.of(-0.0001, 0.0000125),
  },
};

const explainFault = <T>(result: FeedResult<T>): string =>
  result.ok ? 'It was read.' : describeFeedProblem(result.problem).replace(/^.*\//, '');
const loaded = async (bytes: Uint8Array, as = interval) => {
  const [path] = await writeFiles({ 'btc.trimtab': bytes });
  return loadFeedFile(path!, 'BTC', as);
};

describe('a cache file', () => {
  test('is loaded like any other feed, plain and .gz, under the name that the feed has', async () => {
    const bytes = encodeCache({ ...bars, symbol: 'BTCUSDT' });
    for (const written of [bytes, gzipSync(bytes)]) {
      expect(await loaded(written)).toEqual({ ok: true, value: { symbol, interval, ...columns } });
    }
  });

  test('of funding is a funding file', async () => {
    const [path, other] = await writeFiles({
      'funding.trimtab': encodeCache(funding),
      'bars.trimtab': encodeCache(bars),
    });
    expect(await loadFundingFile(path!)).toEqual({ ok: true, value: funding.columns });
    expect(explainFault(await loadFundingFile(other!))).toContain('holds bars, not funding rates.');
    expect(explainFault(await loadFeedFile(path!, 'BTC', '1m'))).toContain(
      'holds funding rates, not bars.',
    );
  });

  test('gives back any numbers, whatever the length of its names', () => {
    const row = fc.tuple(fc.double(), fc.double());
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.array(row, { minLength: 1 }), (name, rows) => {
        const content: CacheFile = {
          ...funding,
          symbol: name,
          columns: {
            time: Float64Array.from(rows, (_row, index) => index),
            rate: Float64Array.from(rows, ([rate]) => rate),
          },
        };
        expect(decodeCache(encodeCache(content), 'x')).toEqual({ ok: true, value: content });
      }),
    );
  });

  test('is in memory once: its columns are views of the file', () => {
    const bytes = encodeCache(bars);
    const read = decodeCache(bytes, 'x');
    if (!read.ok) throw new Error(explainFault(read));
    expect(read.value.columns.time.buffer).toBe(bytes.buffer);
  });

  test('is read from any address', () => {
    const shifted = Buffer.concat([Buffer.from('x'), encodeCache(bars)]).subarray(1);
    expect(decodeCache(shifted, 'x')).toEqual({ ok: true, value: bars });
  });

  test('is refused where a byte differs, and where it is cut at any place', () => {
    const bytes = encodeCache(funding);
    for (let at = 8; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 0x10;
      expect(decodeCache(changed, 'x').ok, `byte ${at}`).toBe(false);
      expect(decodeCache(bytes.subarray(0, at), 'x').ok, `cut at ${at}`).toBe(false);
    }
  });

  test('is refused if its header declares other rows than it has', () => {
    const bytes = Buffer.from(encodeCache(bars));
    bytes.write('"rows":400', bytes.indexOf('"rows":500'));
    bytes.writeUInt32LE(crc32(bytes.subarray(16)), 12);
    expect(explainFault(decodeCache(bytes, 'x'))).toContain(
      'does not have the length of its 400 rows.',
    );
    bytes.write('"rows":-40', bytes.indexOf('"rows":400'));
    bytes.writeUInt32LE(crc32(bytes.subarray(16)), 12);
    expect(explainFault(decodeCache(bytes, 'x'))).toContain('has an invalid header.');
  });

  test('says what to do', async () => {
    const bytes = encodeCache(bars);
    expect(explainFault(await loaded(bytes.subarray(0, 900)))).toBe(
      'btc.trimtab: is not what was written: its checksum differs. Copy it again, or rebuild it with `trimtab data import`.',
    );
    const later = Buffer.from(bytes);
    later.writeUInt32LE(2, 8);
    expect(explainFault(await loaded(later))).toContain('is of version 2; this Trimtab reads 1.');
    expect(explainFault(await loaded(bytes, '1m'))).toBe(
      'btc.trimtab: holds bars of 5m, not 1m. Name the interval that the file has: SYMBOL@5m=…, or `interval: 5m` in the YAML.',
    );
  });

  test('with a good checksum and bad rows is refused with the row', async () => {
    const high = columns.high.slice();
    high[41] = 1;
    const bytes = encodeCache({ ...bars, columns: { ...columns, high } });
    expect(explainFault(await loaded(bytes))).toMatch(
      /^btc\.trimtab:42: column high: "1" is below/,
    );
    high[41] = NaN;
    const empty = encodeCache({ ...bars, columns: { ...columns, high } });
    expect(explainFault(await loaded(empty))).toMatch(
      /^btc\.trimtab:42: column high: holds no number/,
    );
  });
});
