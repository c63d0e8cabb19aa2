import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { importData } from '../../../backtest/data/index.ts';
import { readFormat } from '../../../backtest/data/formats.ts';
import { unzip } from '../../../src/paper/feed/unzip.ts';
import {
  describeFeedProblem,
  encodeCache,
  readPlainFile,
  type FeedResult,
} from '../../../src/paper/index.ts';
import { writeFiles, zipOf } from './writeFiles.ts';

const explainFault = <T>(result: FeedResult<T>): string => {
  if (result.ok) throw new Error('It was read.');
  return describeFeedProblem(result.problem).replaceAll(/\/\S*\//g, '');
};
const refusalOf = async (name: string, content: string | Uint8Array): Promise<string> => {
  const paths = await writeFiles({ [name]: content });
  return explainFault(await importData(paths, { keepPartial: false, symbol: 'BTC' }));
};

const HEADER = 'timestamp,open,high,low,close,volume';
const row = (minute: number, rest = '1,2,1,2,5'): string =>
  `${1_725_148_800_000 + minute * 60_000},${rest}`;
const good = [HEADER, row(0), row(1), row(2)].join('\n');

describe('misleading text', () => {
  test.each([
    [
      'a header in the middle',
      `${good}\n${HEADER}\n${row(3)}`,
      'x.csv:5: is a header in the middle. Two files were joined here',
    ],
    [
      'a change of unit',
      `${good}\n${row(3).replace(/^(\d+)/, '$1000')}`,
      'x.csv:5: column timestamp: "1725148980000000" is not a time in milliseconds',
    ],
    ['a cut last line', `${good}\n17251489`, 'x.csv:5: has 1 columns, not 6. Is the file cut off?'],
    [
      'thousands of columns in a row',
      `${good}\n${'1,'.repeat(5_000)}1`,
      'x.csv:5: has 5001 columns, not 6.',
    ],
    [
      'a word for a number',
      `${good}\n${row(3, '1,2,1,x,5')}`,
      'x.csv:5: column close: "x" holds no number.',
    ],
    ['an empty cell', `${good}\n${row(3, '1,2,,2,5')}`, 'x.csv:5: column low: "" holds no number.'],
    [
      'a number beyond all doubles',
      `${good}\n${row(3, '1,2,1,2,9e999')}`,
      'x.csv:5: column volume: "9e999" holds no number.',
    ],
    [
      'quotes',
      good.replace('1,2,1,2,5', '"1",2,1,2,5'),
      'x.csv:2: column open: "\\"1\\"" holds no number.',
    ],
    [
      'an impossible bar',
      `${good}\n${row(3, '1,2,3,2,5')}`,
      'x.csv:5: column high: "2" is below the low, 3.',
    ],
    ['a row twice', `${good}\n${row(2)}`, 'occurs twice.'],
    ['a row out of order', `${good}\n${row(1)}`, 'x.csv:5: column timestamp:'],
    ['close times', good.replaceAll(/00000,/g, '00001,'), 'is not the open time of a bar.'],
    [
      'a slip in the header',
      good.replace('close', 'cloze'),
      'x.csv:1: no column close; found timestamp,open,high,low,cloze,volume.',
    ],
    [
      'a book of levels',
      'timestamp,bid_price_0,bid_size_0,ask_price_0,ask_size_0\n1,2,3,4,5',
      'x.csv:1: is a recorded book, and holds no candles. It is for the paper service: trimtab paper --book SYMBOL=',
    ],
    [
      'the snapshot of a book',
      'event_ms,last_update_id,side,price,qty\n1,2,bid,4,5',
      'trimtab paper --snapshot SYMBOL=',
    ],
    ['best prices', 'recv_ns,bid,bid_qty,ask,ask_qty\n1,2,3,4,5', 'is a recorded book'],
    ['a depth stream', 'event_ms,U,u,side,price,qty\n1,1,1,bid,4,5', 'is a recorded book'],
    ['a side a row', 'timestamp,price,size,side\n1,2,3,bid\n', 'is a recorded book'],
    [
      'a price below zero',
      `${good}\n${row(3, '-5,2,1,2,5')}`,
      'x.csv:5: column open: "-5" is not a price.',
    ],
    ['no rows', `${HEADER}\n`, 'has no rows.'],
    ['no header', good.slice(HEADER.length + 1), 'x.csv: has 6 columns and no header.'],
    ['prose', 'Not found.', 'x.csv: has an unknown format.'],
    ['nothing', '', 'x.csv: is empty.'],
    [
      'a line above its header',
      'Candles of data.example\nunix,date,open,high,low,close,volume\n1,2025-01-01,1,1,1,1,1',
      'x.csv:1: begins with "Candles of data.example", no row of a table. Remove what is before its header',
    ],
    [
      'semicolons',
      good.replaceAll(',', ';'),
      'x.csv:1: has columns separated by semicolons. Separate them with commas, and write numbers with a dot',
    ],
    ['tabs', good.replaceAll(',', '\t'), 'x.csv:1: has columns separated by tabs.'],
    [
      'names in quotes',
      good.replace(HEADER, `"${HEADER.replaceAll(',', '","')}"`),
      'x.csv:1: has quotes in its header. Write names and numbers without quotes.',
    ],
    [
      'thousands separators in quotes',
      `${good}\n${row(3, '"1,000",2,1,2,5')}`,
      'x.csv:5: has 7 columns, not 6. Write numbers without quotes and thousands separators',
    ],
    [
      'a comma at the end of a row',
      `${good}\n${row(3)},`,
      'x.csv:5: has 7 columns, not 6. Write numbers without quotes and thousands separators, and no comma at the end of a row.',
    ],
    [
      'two columns of one name',
      good.replaceAll('\n', ',9\n').replace(',9', ',close').concat(',9'),
      'x.csv:1: has two columns close. Rename the one that is not wanted.',
    ],
    [
      'a day that no month has',
      `${good}\n2024-02-31,1,2,1,2,5`,
      'x.csv:5: column timestamp: "2024-02-31" is not a time.',
    ],
    [
      'days first',
      good.replaceAll(/^17251\d+/gm, '01.09.2024 00:00'),
      'x.csv:2: "01.09.2024 00:00" is not a time. Times are in one column, as epoch numbers',
    ],
    ['JSON that is cut', '[[1725148800000,1,2,1,2,5],[17', 'is not JSON'],
    ['JSON of nothing', '[]', 'has an unknown format.'],
    ['JSON rows of another length', '[[1725148800000,1,2,1,2]]', 'x.csv:1: has 5 numbers.'],
    [
      'JSON that changes its unit',
      '[[1725148800000,1,2,1,2,5],[1725148860,1,2,1,2,5]]',
      'x.csv:2: 1725148860 is not a time in milliseconds',
    ],
    [
      'JSON with nulls',
      '[[1725148800000,1,2,1,2,5],[1725148860000,1,null,1,2,5]]',
      'x.csv:2: column high: holds no number.',
    ],
    [
      'objects of another kind',
      '[{"error":"rate limit"}]',
      'x.csv:1: is not understood: t. A candle has',
    ],
  ])('%s', async (_name, text, message) => {
    expect(await refusalOf('x.csv', text)).toContain(message);
  });

  test('UTF-16', async () => {
    const text = Buffer.from(`\uFEFF${good}`, 'utf16le');
    expect(await refusalOf('x.csv', text)).toBe('x.csv:1: is UTF-16 text. Save it as UTF-8.');
  });

  test('trades that name their side are not a book', async () => {
    const text = 'exchange_ms,recv_ms,price,qty,side\n1725148800000,1725148800001,5,1,buy\n';
    const read = await readFormat(new TextEncoder().encode(text), 'x.csv');
    expect(read).toMatchObject({ ok: true, value: { title: 'trades' } });
  });

  test('thousands of columns in the header are read by their names', async () => {
    const extra = Array.from({ length: 3_000 }, (_none, index) => `,c${index}`).join('');
    const text = [HEADER + extra, ...[0, 1].map((at) => row(at) + ',1'.repeat(3_000))].join('\n');
    const read = await importData(await writeFiles({ 'wide.csv': text }), {
      keepPartial: false,
      symbol: 'BTC',
    });
    expect(read).toMatchObject({
      ok: true,
      value: { content: { columns: { time: { length: 2 } } } },
    });
  });

  test('a forced format is enforced', async () => {
    const paths = await writeFiles({ 'x.csv': good });
    const forced = { keepPartial: false, symbol: 'BTC', format: 'hyperliquid' } as const;
    expect(explainFault(await importData(paths, forced))).toContain('is not JSON');
  });

  test('any bytes give rows or a refusal, never a crash', async () => {
    const beginnings = [
      '',
      'PAR1',
      'TRIMTAB\n',
      '[[',
      '[{',
      `${HEADER}\n`,
      'price,size,timestamp\n',
    ];
    const bytes = fc.tuple(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 200 }));
    await fc.assert(
      fc.asyncProperty(bytes, async ([start, rest]) => {
        const read = await readFormat(Buffer.concat([Buffer.from(start), rest]), 'x');
        if (!read.ok) expect(read.problem.remedy).not.toBe('');
      }),
    );
  });
});

describe('containers', () => {
  const entry = { name: 'BTCUSDT-1m-2024-09.csv', text: good };
  const archive = zipOf([entry]);

  test('a truncated or damaged archive is never read in part', async () => {
    for (let length = 4; length < archive.length; length += 7) {
      expect((await unzip(archive.subarray(0, length), 'x.zip')).ok, `cut at ${length}`).toBe(
        false,
      );
    }
    const start = 30 + entry.name.length;
    for (let at = start; at < start + 40; at++) {
      const damaged = Buffer.from(archive);
      damaged[at]! ^= 0x04;
      const read = await unzip(damaged, 'x.zip');
      if (read.ok) expect(read.value[0]!.bytes.toString(), `byte ${at}`).toBe(good);
    }
  });

  test('a wrong checksum is reported', async () => {
    expect(await refusalOf('x.zip', zipOf([{ ...entry, crc: 1 }]))).toContain(
      'x.zip: is damaged: the checksum of BTCUSDT-1m-2024-09.csv differs.',
    );
  });

  test('more than the limit is refused before it is unpacked', async () => {
    const bomb = zipOf([{ name: 'zeros.csv', text: '0'.repeat(10_000_000) }]);
    expect(bomb.length).toBeLessThan(20_000);
    const limits = { maxEntries: 2, maxBytes: 1_000_000 };
    expect(explainFault(await unzip(bomb, 'x.zip', limits))).toContain('more than 1000000 bytes');
    // The limit is that of all files together.
    const both = zipOf(['a.csv', 'b.csv'].map((name) => ({ name, text: '0'.repeat(600_000) })));
    expect(explainFault(await unzip(both, 'x.zip', limits))).toContain('more than 1000000 bytes');
    expect((await unzip(both, 'x.zip', { ...limits, maxBytes: 1_200_000 })).ok).toBe(true);
    const many = zipOf([1, 2, 3].map((n) => ({ name: `${n}.csv`, text: good })));
    expect(explainFault(await unzip(many, 'x.zip', limits))).toContain(
      'holds 3 files, more than 2.',
    );
  });

  test('a gzip bomb is stopped at the limit', async () => {
    const [path] = await writeFiles({ 'x.csv.gz': gzipSync('0'.repeat(10_000_000)) });
    expect(explainFault(await readPlainFile(path!, '', 1_000_000))).toBe(
      'x.csv.gz: It unpacks to more than 1000000 bytes. Split it into several files.',
    );
  });

  test('an entry that unpacks to more than it declares is stopped there', async () => {
    const liar = zipOf([{ name: 'x.csv', text: '0'.repeat(10_000_000), size: 1_000 }]);
    expect(await refusalOf('x.zip', liar)).toContain("x.zip: can't be unpacked: too many bytes");
  });

  test.each(['../../etc/passwd', '/etc/passwd', 'C:\\x.csv'])(
    'a path outside the archive is refused: %s',
    async (name) => {
      expect(await refusalOf('x.zip', zipOf([{ ...entry, name }]))).toContain("can't be unpacked");
    },
  );

  test('an empty archive, and one without data', async () => {
    expect(await refusalOf('x.zip', zipOf([{ name: 'folder/', text: '' }]))).toContain(
      'is an empty',
    );
    expect(await refusalOf('x.zip', zipOf([{ name: 'README', text: 'hello' }]))).toContain(
      'x.zip:README: has an unknown format.',
    );
  });

  test('a broken gzip stream, and a cache with a changed byte', async () => {
    expect(await refusalOf('x.gz', gzipSync(good).subarray(0, 60))).toContain(
      'gzip stream is broken',
    );
    const columns = { time: Float64Array.of(0), rate: Float64Array.of(1) };
    const cache = encodeCache({ kind: 'funding', symbol: 'B', source: '', columns });
    cache[cache.length - 1]! ^= 1;
    expect(await refusalOf('x.trimtab', cache)).toContain('its checksum differs');
  });
});
