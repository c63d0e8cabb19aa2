import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  checkData,
  formatReport,
  importData,
  seriesToCsv,
  showData,
  type DataReport,
  type ImportOptions,
} from '../../../backtest/data/index.ts';
import {
  describeFeedProblem,
  encodeCache,
  loadFeedFile,
  loadFundingFile,
  timeText,
  type Candles,
  type FeedResult,
} from '../../../src/paper/index.ts';
import { COLLECTION, haveCollection } from '../../data/places.ts';
import { read } from '../../sourceFiles.ts';
import { writeFiles } from './writeFiles.ts';

const DATA = COLLECTION;
const index = haveCollection ? readFileSync(`${DATA}/INDEX.md`, 'utf8') : '';

function valueOf<T>(read: FeedResult<T>): T {
  if (!read.ok) throw new Error(describeFeedProblem(read.problem));
  return read.value;
}

/** What the collection's index lists for each file: name, interval, rows, checks. */
const listed = [...index.matchAll(/^\| ((?:normalised|funding)\/\S+) \|(.*)\|$/gm)].map(
  ([, file = '', rest = '']) => {
    const [venue, symbol, interval, period, rows, , checks = ''] = rest
      .split('|')
      .map((cell) => cell.trim());
    const number = (pattern: RegExp): number => Number(pattern.exec(checks)?.[1]);
    return { file, venue, symbol, interval, period, rows: Number(rows), number };
  },
);
const candles = listed.filter(({ file }) => file.startsWith('normalised/'));
const funding = listed.filter(({ file }) => file.startsWith('funding/'));

const check = async (file: string): Promise<DataReport> =>
  valueOf(await checkData(`${DATA}/${file}`, { outlier: 10, allowGaps: false }))[0]!;
const summary = ({ findings }: DataReport, kind: string) => {
  const rows = findings.filter((finding) => finding.kind === kind).map((finding) => finding.rows);
  const sum = rows.reduce((total, count) => total + count, 0);
  return [rows.length, sum, Math.max(0, ...rows)];
};
const places = ({ findings }: DataReport, kind: string): string[] =>
  findings.filter((finding) => finding.kind === kind).map(({ time }) => timeText(time));

const importFiles = async (files: string[], options: Partial<ImportOptions> = {}) => {
  const paths = files.map((file) => `${DATA}/${file}`);
  return valueOf(await importData(paths, { keepPartial: false, ...options }));
};
/** Bars by time, without those of some times. */
const byTime = ({ time, open, high, low, close, volume }: Candles): Map<string, number[]> =>
  new Map(
    Array.from(time, (at, row) => [
      timeText(at),
      [open[row]!, high[row]!, low[row]!, close[row]!, volume[row]!],
    ]),
  );

describe.skipIf(!haveCollection)('the known properties of real files (need ../shared/data)', () => {
  test('the index is read', () => {
    expect([candles.length, funding.length]).toEqual([61, 13]);
  });

  test.each(candles)('$file: rows, gaps and quiet bars as known', async (known) => {
    const report = await check(known.file);
    const { number } = known;
    expect(report).toMatchObject({
      kind: 'bars',
      symbol: known.symbol,
      interval: known.interval,
      rows: known.rows,
    });
    expect(`${timeText(report.from!)} → ${timeText(report.until!)}`).toBe(known.period);
    const gaps = [number(/gaps (\d+)/), number(/\((\d+) bars missing/), number(/longest (\d+)/)];
    expect(summary(report, 'gap')).toEqual(gaps);
    expect(summary(report, 'zero_volume')[1]).toBe(number(/zero-volume bars (\d+)/));
    expect((report.largest_move! * 100).toFixed(1)).toBe(
      number(/max 1-bar move ([\d.]+)%/).toFixed(1),
    );
    expect(report.ok).toBe(gaps[0] === 0);
    for (const kind of ['duplicate', 'misaligned', 'out_of_order', 'impossible', 'not_a_number']) {
      expect(summary(report, kind)[0], kind).toBe(0);
    }
  });

  test('the gaps of over 45 minutes are the venue’s maintenance', async () => {
    const report = await check('normalised/BITFINEX-BTCUSD-1m.csv.gz');
    const long = report.findings.filter(({ kind, rows }) => kind === 'gap' && rows > 44);
    // The index names the last bar before a gap, and the minutes until the next.
    expect(long.map(({ time, rows }) => [timeText(time - 60_000), rows + 1])).toEqual([
      ['2018-03-21 10:52', 59],
      ['2018-04-11 09:00', 56],
      ['2018-06-05 10:34', 61],
      ['2018-06-05 13:33', 68],
      ['2018-10-04 08:30', 67],
    ]);
  });

  test('the documents show what a check reports', async () => {
    const command =
      /<!-- output of: trimtab data check (\S+) --limit 2 -->\s+```text\n([\s\S]*?)```/;
    const [, name, text] = command.exec(read('docs/how-to/import-data.md'))!;
    const path = `${DATA}/normalised/${name}`;
    const [report] = valueOf(await checkData(path, { outlier: 0.2, allowGaps: false }));
    expect(formatReport(report!, 2)).toBe(text);
  });

  test('bars without volume are found where the venue was halted', async () => {
    const still = await check('normalised/HYPERLIQUID-BTC-5m.csv.gz');
    expect(places(still, 'zero_volume')).toEqual(['2025-05-25 14:25', '2025-06-08 09:45']);
    const daily = await check('normalised/HYPERLIQUID-BTC-1d.csv.gz');
    const [first] = daily.findings.filter(({ kind }) => kind === 'zero_volume');
    expect([timeText(first!.time), first!.rows]).toEqual(['2020-08-19 00:00', 921]);
    const perpetual = await check('normalised/BINANCEUSDM-BTCUSDT-5m.csv.gz');
    expect(places(perpetual, 'zero_volume')).toEqual(['2023-09-12 08:35']);
    const hourly = await check('normalised/BINANCE-ETHUSDT-1h.csv.gz');
    expect(places(hourly, 'gap')).toEqual(['2023-03-24 13:00']);
    expect(places(hourly, 'zero_volume')).toEqual(['2023-03-24 12:00']);
  });

  test.each(funding)('$file: the settlements that are missing', async (known) => {
    const report = await check(known.file);
    expect(report).toMatchObject({ kind: 'funding', rows: known.rows });
    // The index counts at one hour throughout; the venue settled every 8 hours at first.
    const isOld = known.venue === 'HYPERLIQUID' && known.symbol !== 'HYPE';
    expect(places(report, 'gap')).toEqual(
      isOld ? ['2023-07-02 20:00', '2023-08-23 20:00', '2024-08-15 13:00'] : [],
    );
    expect(places(report, 'regime')).toEqual(isOld ? ['2023-06-08 00:00'] : []);
    expect(report.ok).toBe(!isOld);
  });
});

describe.skipIf(!haveCollection)('real files come back as they were (need ../shared/data)', () => {
  const oneOfEach = ['BITFINEX-LTCUSD-1m', 'HYPERLIQUID-kPEPE-5m', 'HYPERLIQUIDSPOT-HYPE_USDC-1h']
    .concat('BINANCEUSDM-ADAUSDT-1m', 'BYBIT-BNBUSDT-15m', 'BINANCE-BTCUSDT-1h')
    .map((name) => `normalised/${name}.csv.gz`);

  test.each(oneOfEach)('%s → cache → feed, and → CSV, byte for byte', async (file) => {
    const { content } = await importFiles([file]);
    if (content.kind !== 'bars') throw new Error('These are candles.');
    const [cache] = await writeFiles({ 'x.trimtab': encodeCache(content) });
    const source = valueOf(await loadFeedFile(`${DATA}/${file}`, 'X', content.interval));
    expect(valueOf(await loadFeedFile(cache!, 'X', content.interval))).toEqual(source);
    const [shown] = valueOf(await showData(cache!, { head: 0 }));
    const text = [...seriesToCsv(shown!.series)].join('');
    expect(text === gunzipSync(readFileSync(`${DATA}/${file}`)).toString()).toBe(true);
  });

  test('funding → cache → funding', async () => {
    const { file } = funding.find(({ symbol }) => symbol === 'kPEPE')!;
    const { content } = await importFiles([file]);
    const [cache] = await writeFiles({ 'x.trimtab': encodeCache(content) });
    const source = valueOf(await loadFundingFile(`${DATA}/${file}`));
    expect(valueOf(await loadFundingFile(cache!))).toEqual(source);
  });
});

describe.skipIf(!haveCollection)('longer bars equal the venues’ own (need ../shared/data)', () => {
  /** Bars in both that differ from the venue's. */
  async function differences(from: string, to: string): Promise<[number, string[]]> {
    const [, interval] = /-(\w+)$/.exec(to)!;
    const made = await importFiles([`normalised/${from}.csv.gz`], { interval: interval as '5m' });
    const theirs = await importFiles([`normalised/${to}.csv.gz`]);
    const ours = byTime(made.content.columns as Candles);
    let compared = 0;
    const other: string[] = [];
    for (const [time, bar] of byTime(theirs.content.columns as Candles)) {
      const mine = ours.get(time);
      if (mine === undefined) continue;
      compared++;
      if (mine.some((value, field) => value !== bar[field])) other.push(time);
    }
    return [compared, other];
  }

  test.each([
    ['BYBIT-BTCUSDT-1m', 'BYBIT-BTCUSDT-5m', 4_408],
    ['BYBIT-ETHUSDT-5m', 'BYBIT-ETHUSDT-15m', 6_939],
    ['BYBIT-BNBUSDT-5m', 'BYBIT-BNBUSDT-15m', 6_939],
    ['BINANCE-BTCUSDT-1m', 'BINANCE-BTCUSDT-1h', 624],
    ['BINANCE-ETHUSDT-1m', 'BINANCE-ETHUSDT-1h', 624],
  ])('%s adds up to %s, all five fields exactly', async (from, to, bars) => {
    expect(await differences(from, to)).toEqual([bars, []]);
  });

  test('the one short bar of a venue shows, and the halt in it', async () => {
    const [compared, other] = await differences('HYPERLIQUID-BTC-5m', 'HYPERLIQUID-BTC-15m');
    expect(compared).toBe(8_888);
    expect(
      other.filter((time) => !time.startsWith('2025-05-25') && !time.startsWith('2025-06-08')),
    ).toEqual(['2025-04-20 10:45']);
  });

  test('ten minutes of trades give exactly the venue’s ten bars', async () => {
    const made = await importFiles(['trades_l2/BINANCE-BTCUSDT-20240808T2354-trades.csv.gz'], {
      symbol: 'BTCUSDT',
    });
    const ours = byTime(made.content.columns as Candles);
    const theirs = await importFiles(['normalised/BINANCE-BTCUSDT-1m-202408.csv.gz']);
    const venue = byTime(theirs.content.columns as Candles);
    expect(ours.size).toBe(10);
    for (const [time, bar] of ours) expect(bar, time).toEqual(venue.get(time));
    expect(made.notes.join()).toContain('The first bar, 2024-08-08 23:54, is left out');
  });
});
