import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  describeFeedProblem,
  loadFeedFile,
  parseCsv,
  parseFeedFlag,
  type Feed,
} from '../../../src/paper/index.ts';
import { EXTRACTS } from '../../data/places.ts';

const HEADER = 'timestamp,open,high,low,close,volume';
const FEED = { symbol: 'BTC', interval: '1m', file: 'btc.csv' } as const;

function rowsOf(feed: Feed): number[][] {
  const { time, open, high, low, close, volume } = feed;
  return Array.from(time, (at, row) => [
    at,
    open[row]!,
    high[row]!,
    low[row]!,
    close[row]!,
    volume[row]!,
  ]);
}

function parsed(text: string): number[][] {
  const result = parseCsv(text, FEED);
  if (!result.ok) throw new Error(describeFeedProblem(result.problem));
  return rowsOf(result.value);
}

describe('what is read', () => {
  const expected = [
    [0, 1, 2, 0.5, 1.5, 10],
    [60_000, 1.5, 3.25, 1.5, 2, 0],
  ];
  test.each([
    ['LF', `${HEADER}\n0,1,2,0.5,1.5,10\n60000,1.5,3.25,1.5,2,0\n`],
    ['CRLF', `${HEADER}\r\n0,1,2,0.5,1.5,10\r\n60000,1.5,3.25,1.5,2,0\r\n`],
    ['no newline at the end', `${HEADER}\n0,1,2,0.5,1.5,10\n60000,1.5,3.25,1.5,2,0`],
    ['empty lines at the end', `${HEADER}\n0,1,2,.5,1.5,10\n60000,1.5,3.25,1.5,2.,0\n\r\n\n`],
    ['a byte-order mark', `\uFEFF${HEADER}\n0,1,2,0.5,1.5,10\n60000,1.5,3.25,1.5,2,0\n`],
    ['exponents', `${HEADER}\n0,1e0,2,5E-1,1.5,1e+1\n60000,1.5,3.25,1.5,2,0\n`],
  ])('%s', (_what, text) => {
    expect(parsed(text)).toEqual(expected);
  });

  test('every decimal is read as the nearest double, as Number reads it', () => {
    const decimal = fc.oneof(
      fc.double({ min: 1e-9, max: 1e12, noNaN: true }).map(String),
      fc
        .tuple(fc.bigInt(1n, 10n ** 24n), fc.integer({ min: 0, max: 30 }))
        .map(([digits, point]) => {
          const text = String(digits).padStart(point + 1, '0');
          return point === 0 ? text : `${text.slice(0, -point)}.${text.slice(-point)}`;
        }),
    );
    fc.assert(
      fc.property(
        decimal.filter((text) => Number(text) > 0),
        (text) => {
          expect(parsed(`${HEADER}\n0,${text},${text},${text},${text},0\n`)[0]![1]).toBe(
            Number(text),
          );
        },
      ),
    );
  });

  test('gaps are allowed', () => {
    expect(parsed(`${HEADER}\n0,1,1,1,1,0\n600000,1,1,1,1,0\n`)).toHaveLength(2);
  });
});

describe('a refusal names file, line, column, value and remedy', () => {
  const good = '0,1,2,0.5,1.5,10';
  test.each([
    ['a word', `${HEADER}\n${good}\n60000,1,abc,1,1,0`, 3, 'high', 'abc', 'plain decimal'],
    ['nothing', `${HEADER}\n0,1,2,,1,0`, 2, 'low', '', 'plain decimal'],
    ['NaN', `${HEADER}\n0,1,NaN,1,1,0`, 2, 'high', 'NaN', 'plain decimal'],
    ['more than any double', `${HEADER}\n0,1,1e999,1,1,0`, 2, 'high', '1e999', 'plain decimal'],
    ['a volume without end', `${HEADER}\n0,1,1,1,1,9e999`, 2, 'volume', '9e999', 'plain decimal'],
    ['a thousands separator', `${HEADER}\n0,1_000,2,1,1,0`, 2, 'open', '1_000', 'separators'],
    ['a quoted field', `${HEADER}\n0,"1",2,1,1,0`, 2, 'open', '"1"', 'without quotes'],
    [
      'a quoted field with separators',
      `${HEADER}\n0,"40,000.5","40,001","40,000","40,000","5"`,
      2,
      'open',
      '"40',
      'without quotes and thousands separators',
    ],
    [
      'separators that are commas',
      `${HEADER}\n0,40,000.5,40,001,40,000,40,000,5`,
      2,
      null,
      null,
      'no thousands separators',
    ],
    ['the same time twice', `${HEADER}\n${good}\n${good}`, 3, 'timestamp', '0', 'Sort rows'],
    ['time backwards', `${HEADER}\n60000,1,1,1,1,0\n${good}`, 3, 'timestamp', '0', 'Sort rows'],
    [
      'an ISO time',
      `${HEADER}\n2025-01-01T00:00:00Z,1,1,1,1,0`,
      2,
      'timestamp',
      '2025-01-01T00:00:00Z',
      '`trimtab data import` makes',
    ],
    [
      'the header of another program',
      'time,open,high,low,close,volume\n',
      1,
      null,
      'time,open,high,low,close,volume',
      '`trimtab data import` makes',
    ],
    ['a minute and a half', `${HEADER}\n90000,1,1,1,1,0`, 2, 'timestamp', '90000', 'such as 60000'],
    ['a quoted time', `${HEADER}\n"0",1,1,1,1,0`, 2, 'timestamp', '"0"', 'without quotes'],
    ['a high below the low', `${HEADER}\n0,1,1,2,1,0`, 2, 'high', '1', 'order of the header'],
    ['a close outside', `${HEADER}\n0,1,2,1,3,0`, 2, 'close', '3', 'order of the header'],
    ['a price of zero', `${HEADER}\n0,1,2,0,1,0`, 2, 'low', '0', 'above 0'],
    ['a negative volume', `${HEADER}\n0,1,1,1,1,-1`, 2, 'volume', '-1', '0 or more'],
    ['a column too few', `${HEADER}\n0,1,1,1,1`, 2, null, null, 'A row is'],
    ['a column too many', `${HEADER}\n0,1,1,1,1,0,7\n`, 2, null, null, 'A row is'],
    ['no header', '0,1,2,0.5,1.5,10\n', 1, null, '0,1,2,0.5,1.5,10', 'first line'],
    ['another header', 'time,o,h,l,c,v\n', 1, null, 'time,o,h,l,c,v', 'first line'],
    ['an empty file', '', 1, null, null, 'first line'],
    ['no rows', `${HEADER}\n`, 2, null, null, 'Add candles'],
    ['an empty line between', `${HEADER}\n${good}\n\n60000,1,1,1,1,0`, 3, null, null, 'A row is'],
  ])('%s', (_what, text, line, column, value, remedy) => {
    const result = parseCsv(text, FEED);
    if (result.ok) throw new Error('It was read.');
    expect(result.problem).toMatchObject({ file: 'btc.csv', line, column, value });
    expect(result.problem.remedy).toContain(remedy);
    expect(describeFeedProblem(result.problem)).toContain(`btc.csv:${line}:`);
  });
});

test.each([
  ['1735689600', 'seconds'],
  ['1735689600.5', 'seconds'],
  ['20240131', 'dates such as 20240131'],
  ['1735689600000000', 'microseconds'],
  ['1735689600000000000', 'nanoseconds'],
])('a time of %s is recognised as %s, with the command that reads it', (time, unit) => {
  // Microseconds would also parse as milliseconds, in the far future.
  const result = parseCsv(`${HEADER}\n${time},1,1,1,1,0`, { ...FEED, interval: '1d' });
  if (result.ok) throw new Error('It was read.');
  expect(describeFeedProblem(result.problem)).toBe(
    `btc.csv:2: column timestamp: "${Number(time)}" looks like a time in ${unit}. Times are whole ` +
      'milliseconds since 1970 (UTC). `trimtab data import` makes a feed of a file with other columns or times.',
  );
});

test.each([
  [
    '',
    'is empty. The first line must be `timestamp,open,high,low,close,volume`, with candles below.',
  ],
  [
    '\uFEFF\r\n\n',
    'is empty. The first line must be `timestamp,open,high,low,close,volume`, with candles below.',
  ],
  [
    'Timestamp;open;high;low;close;volume\n0;1;1;1;1;0\n',
    'has columns separated by semicolons. Separate them with commas, and write numbers with a dot.',
  ],
  [
    '"timestamp","open","high","low","close","volume"\n',
    'has quotes in its header. Write names and numbers without quotes.',
  ],
])('a header of %j is refused without a command that would refuse it too', (text, words) => {
  const result = parseCsv(text, FEED);
  if (result.ok) throw new Error('It was read.');
  expect(describeFeedProblem(result.problem)).toBe(`btc.csv:1: ${words}`);
});

test('a column more is no other separator', () => {
  const result = parseCsv('timestamp,open,high,low,close,volume,trades\n0,1,1,1,1,0,9\n', FEED);
  if (result.ok) throw new Error('It was read.');
  expect(describeFeedProblem(result.problem)).toContain('is not the header');
});

test('a file of another kind is not quoted in full', () => {
  const result = parseCsv(JSON.stringify(Array.from({ length: 10_000 }, () => [0, 1])), FEED);
  if (result.ok) throw new Error('It was read.');
  const text = describeFeedProblem(result.problem);
  expect(text).toMatch(
    /^btc\.csv:1: "\[\[0,1\],.*…" is not the header\. .*`trimtab data import` makes/,
  );
  expect(text.length).toBeLessThan(400);
});

describe('files', () => {
  const text = `${HEADER}\n0,1,2,0.5,1.5,10\n`;

  test('plain and compressed hold the same', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'trimtab-feed-'));
    const plain = join(directory, 'a.csv');
    const packed = join(directory, 'a.csv.gz');
    await writeFile(plain, text);
    await writeFile(packed, gzipSync(text));
    const read = await Promise.all([plain, packed].map((path) => loadFeedFile(path, 'BTC', '1m')));
    for (const result of read) expect(result).toMatchObject({ ok: true });
    expect(read[0]).toEqual(read[1]);
  });

  test.each([
    ['5m', [0, 300_000, 600_000, 1_800_000]],
    ['1h', [0, 7_200_000, 10_800_000]],
  ])(
    'a file of %s bars declared as 1m is refused with its likely interval',
    async (likely, times) => {
      const path = join(await mkdtemp(join(tmpdir(), 'trimtab-feed-')), 'longer.csv');
      await writeFile(path, [HEADER, ...times.map((time) => `${time},1,1,1,1,0`)].join('\n'));
      const result = await loadFeedFile(path, 'BTC', '1m');
      if (result.ok) throw new Error('It was read.');
      expect(describeFeedProblem(result.problem)).toContain(`this looks like ${likely}.`);
      const named = await loadFeedFile(path, 'BTC', likely as '5m' | '1h');
      expect(named).toMatchObject({ ok: true });
    },
  );

  test.each([
    ['after them', 0, 30, 60],
    ['before them', 60, 30, 0],
  ])('bars of 1h among those of 1m are refused, %s', async (_where, before, hours, after) => {
    let time = Date.UTC(2026, 0, 5);
    const rows: number[] = [];
    const add = (count: number, step: number): void => {
      for (let row = 0; row < count; row++, time += step) rows.push(time);
    };
    add(before, 60_000);
    const first = time;
    add(hours, 3_600_000);
    add(after, 60_000);
    const path = join(await mkdtemp(join(tmpdir(), 'trimtab-feed-')), 'mixed.csv');
    await writeFile(path, [HEADER, ...rows.map((each) => `${each},1,1,1,1,0`)].join('\n'));
    const result = await loadFeedFile(path, 'BTC', '1m');
    if (result.ok) throw new Error('It was read.');
    expect(describeFeedProblem(result.problem)).toContain(
      `"${first}" begins bars of 1h (${new Date(first).toISOString()}), and others here are of 1m`,
    );
    // Fewer may be a gap as long as an interval.
    const short = rows.slice(0, before + 20);
    await writeFile(path, [HEADER, ...short.map((each) => `${each},1,1,1,1,0`)].join('\n'));
    if (before > 0) expect(await loadFeedFile(path, 'BTC', '1m')).toMatchObject({ ok: true });
  });

  test('a file with gaps between its bars is not mistaken for a longer interval', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'trimtab-feed-')), 'gaps.csv');
    const times = [0, 300_000, 660_000, 1_260_000];
    await writeFile(path, [HEADER, ...times.map((time) => `${time},1,1,1,1,0`)].join('\n'));
    expect(await loadFeedFile(path, 'BTC', '1m')).toMatchObject({ ok: true });
  });

  test('a missing file and a broken one are values, with a remedy', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'trimtab-feed-'));
    const broken = join(directory, 'broken.csv.gz');
    await writeFile(broken, gzipSync(text).subarray(0, 20));
    const missing = await loadFeedFile(join(directory, 'none.csv'), 'BTC', '1m');
    expect(missing).toMatchObject({ ok: false, problem: { message: 'There is no such file.' } });
    const folder = await loadFeedFile(directory, 'BTC', '1m');
    expect(folder).toMatchObject({ ok: false, problem: { message: 'It is a folder.' } });
    const torn = await loadFeedFile(broken, 'BTC', '1m');
    expect(torn).toMatchObject({ ok: false, problem: { message: 'The gzip stream is broken.' } });
  });

  test('a real exchange file is read whole', async () => {
    const path = join(EXTRACTS, 'normalised/BINANCEUSDM-BTCUSDT-1m.csv.gz');
    const result = await loadFeedFile(path, 'BTC', '1m');
    expect(result).toMatchObject({ ok: true });
    if (result.ok) expect(result.value.time).toHaveLength(4_000);
  });
});

describe('--feed', () => {
  test.each([
    ['BTC@1m=btc.csv', { symbol: 'BTC', interval: '1m', path: 'btc.csv' }],
    ['HYPE/USDC@1h=/a=b/c@d.gz', { symbol: 'HYPE/USDC', interval: '1h', path: '/a=b/c@d.gz' }],
    ['xyz:TSLA@1d=t.csv', { symbol: 'xyz:TSLA', interval: '1d', path: 't.csv' }],
  ])('%s', (text, value) => {
    expect(parseFeedFlag(text)).toEqual({ ok: true, value });
  });

  test.each(['BTC=btc.csv', 'BTC@1m', '@1m=a', 'BTC@7m=a', 'BTC@1m=', ''])(
    '%j is refused',
    (text) => {
      expect(parseFeedFlag(text)).toMatchObject({ ok: false, message: expect.any(String) });
    },
  );
});
