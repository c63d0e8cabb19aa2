import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { test } from 'vitest';
import { INTERVALS } from '../../src/contract/index.ts';
import {
  barsOfTrades,
  describeFeedProblem,
  differenceOf,
  encodeCache,
  fundingSpan,
  generateFeed,
  loadFeedFile,
  loadFundingFile,
  loadMarketData,
  loadTape,
  paperSettings,
  parseCsv,
  parseFeedFlag,
  parseTapeFlag,
  parseTrades,
  settlementRules,
  tapeOf,
  uncoveredStretches,
  type Feed,
  type FeedResult,
} from '../../src/paper/index.ts';
import { checkBar, checkCandle } from '../../src/paper/feed/checkCandle.ts';
import { checkNumbers } from '../../src/paper/feed/checkNumbers.ts';
import { percentHint } from '../../src/paper/feed/checkRates.ts';
import { checkSpacing } from '../../src/paper/feed/checkSpacing.ts';
import { fileNameOf } from '../../src/paper/feed/unzip.ts';
import { headerlessTrades } from '../../src/paper/feed/headerlessTrades.ts';
import { isBinanceInverse } from '../../src/paper/feed/inverseContract.ts';
import { marketOfName } from '../../src/paper/feed/marketOfName.ts';
import { parseBook } from '../../src/paper/feed/parseBook.ts';
import { parseDecimal } from '../../src/paper/feed/parseDecimal.ts';
import { parseIsoTime } from '../../src/paper/feed/parseIsoTime.ts';
import { SeenIds } from '../../src/paper/feed/SeenIds.ts';
import { TimeScale, unitOf } from '../../src/paper/feed/TimeScale.ts';
import { zipOf } from '../backtest/data/writeFiles.ts';
import { EXTRACTS } from '../data/places.ts';
import { createDraw } from '../fuzz/Draw.ts';
import { drawFeeds } from './drawFeeds.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';
import { resultText, resultTextOf, valueText } from './resultText.ts';

const ROWS = 14;
/** The first rows of a file of the tests' data. */
function headOf(path: string): string {
  const bytes = readFileSync(join(EXTRACTS, path));
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text.split('\n').slice(0, ROWS).join('\n');
}

const MINUTE = 60_000;
const CANDLES = [
  'timestamp,open,high,low,close,volume',
  ...Array.from({ length: 9 }, (_none, at) => {
    const open = 100 + (at % 3);
    return [1_700_000_040_000 + at * MINUTE, open, open + 2, open - 1.5, open + 0.5, at * 3].join(
      ',',
    );
  }),
].join('\n');
const DEPTH = [
  'event_ms,txn_ms,U,u,pu,side,price,qty',
  '1700000000100,1700000000090,101,103,100,b,99.5,2',
  '1700000000100,1700000000090,101,103,100,a,100.5,1',
  '1700000000200,,104,104,103,a,100.5,0',
  '1700000000200,,104,104,103,ask,101,4',
  '1700000000150,1700000000150,105,107,104,bid,99.4,3',
].join('\n');
const SNAPSHOT = ['last_update_id,side,price,qty', '100,b,99,1', '100,a,100,1', '100,a,102,5'].join(
  '\n',
);
const LEVELS = [
  'event_ms,bp0,bq0,ap0,aq0,bp1,bq1,ap1,aq1',
  '1700000000000,99,1,101,2,98,3,102,4',
  '1700000000500,99.5,1,101,2,,,102,4',
  '1700000000700,99.5,1,101,2,98,3,,',
].join('\n');
const TOPS = [
  'exchange_ms,bid,bid_qty,ask,ask_qty',
  '1700000000000,99,1,101,2',
  '1700000000200,99.5,0,101,2',
  '1700000000100,98,1,100.5,2',
].join('\n');
const RECEIVED = [
  'recv_ns,price,size,side',
  '1700000000000000000,99,1,bid',
  '1700000000500000000,101,2,ask',
].join('\n');

type Read = (text: string, file: string) => FeedResult<unknown>;
const csv: Read = (text, file) => parseCsv(text, { symbol: 'BTC', interval: '1m', file });
const trades: Read = (text, file) => parseTrades(Buffer.from(text), file);
const contracts: Read = (text, file) =>
  parseTrades(Buffer.from(text), file, { contractSize: 0.01 });
const book: Read = (text, file) => parseBook({ bytes: Buffer.from(text), file, clockOffsetMs: 12 });
const depth: Read = (text, file) => {
  const snapshot = { bytes: Buffer.from(SNAPSHOT), file: 'snapshot.csv' };
  return parseBook({ bytes: Buffer.from(text), file, clockOffsetMs: null, snapshot });
};
const snapshot: Read = (text, file) =>
  parseBook({
    bytes: Buffer.from(DEPTH),
    file: 'depth.csv',
    clockOffsetMs: null,
    snapshot: { bytes: Buffer.from(text), file },
  });

const ARCHIVES = [
  'BTC-USDT-SWAP-trades-2025-06-01.csv',
  'BTC-USDT-trades-2025-06-01.csv',
  'BTCUSD2022-11-17.csv',
  'BTCUSDT_2025-05-19.csv',
  'SOLUSDT-aggTrades-2026-01-01.csv',
  'SOLUSDT-trades-2026-01-01.csv',
  'SOLUSDT2026-10-06.csv',
  'XBTUSD.csv',
  'spot/BTCUSDT-aggTrades-2020-12-25.csv',
  'spot/SOLUSDT-trades-2026-01-01.csv',
];

/** Files as they are, and who reads them. */
const FILES: ReadonlyArray<[file: string, text: string, read: Read]> = [
  ['candles.csv', CANDLES, csv],
  ['binance-1m.csv', headOf('normalised/BINANCE-BTCUSDT-1m-202408.csv.gz'), csv],
  ['archive-candles.csv', headOf('archives/ETH-USDT-SWAP-candlesticks-2025-10-23.csv'), csv],
  ['XBTUSD_60.csv', headOf('archives/XBTUSD_60.csv'), csv],
  ...ARCHIVES.map((name): [string, string, Read] => [name, headOf(`archives/${name}`), trades]),
  ['BTC-USDT-SWAP-trades.csv', headOf(`archives/${ARCHIVES[0]!}`), contracts],
  ['binance-trades.csv', headOf('trades_l2/BINANCE-BTCUSDT-20240808T2354-trades.csv.gz'), trades],
  ['hyperliquid.csv', headOf('trades_l2/HYPERLIQUID-BTC-20250904-trades.csv.gz'), trades],
  ['bbo.csv', headOf('trades_l2/HYPERLIQUID-ETH-20250904-bbo.csv.gz'), book],
  ['levels20.csv', headOf('trades_l2/HYPERLIQUID-BTC-20250904-l2book20.csv.gz'), book],
  ['bookTicker.csv', headOf('archives/SOLUSDT-bookTicker-2023-07-15.csv'), book],
  ['levels.csv', LEVELS, book],
  ['tops.csv', TOPS, book],
  ['received.csv', RECEIVED, book],
  ['depth.csv', DEPTH, depth],
  ['depth-alone.csv', DEPTH, book],
  ['snapshot.csv', SNAPSHOT, snapshot],
];

const CELLS = [
  '',
  ' ',
  'x',
  '-1',
  '0',
  '1e999',
  'NaN',
  '1.2.3',
  '"1"',
  '12e3',
  '99999999999999999',
  '0.5',
];

/** What one may find in a file: each cell wrong in some way, each row at another place. */
function* faultsOf(text: string, seed: string): Generator<[how: string, text: string]> {
  const draw = createDraw(seed);
  const rows = text.split('\n');
  const put = (at: number, row: string): string => rows.with(at, row).join('\n');
  yield ['as it is', text];
  yield ['with CR', rows.join('\r\n')];
  yield ['with a mark at its beginning', `\uFEFF${text}`];
  yield ['with a blank line at its end', `${text}\n\n`];
  yield ['with a blank line in it', put(1, `\n${rows[1]}`)];
  yield ['without rows', rows[0]!];
  yield ['without its header', rows.slice(1).join('\n')];
  yield ['empty', ''];
  yield ['another file', 'one line of a text'];
  yield ['in capitals', put(0, rows[0]!.toUpperCase())];
  yield ['turned', [rows[0], ...rows.slice(1).toReversed()].join('\n')];
  yield ['twice', `${text}\n${rows.slice(1).join('\n')}`];
  yield ['separated by semicolons', text.replaceAll(',', ';')];
  const names = rows[0]!.split(',');
  for (const [at, name] of names.slice(0, 10).entries()) {
    yield [
      `without ${name}`,
      rows.map((row) => row.split(',').toSpliced(at, 1).join(',')).join('\n'),
    ];
    yield [`${name} by another name`, put(0, names.with(at, `x${name}`).join(','))];
    for (let each = 0; each < 4; each++) {
      const row = draw.int(1, Math.max(1, rows.length - 1));
      const cells = (rows[row] ?? rows[0]!).split(',');
      if (rows[row] === undefined || cells.length <= at) continue;
      const cell = draw.pick(CELLS);
      yield [`${name} of row ${row} ${cell}`, put(row, cells.with(at, cell).join(','))];
      const scaled = Number(cells[at]) * draw.pick([1_000, 1e-3, -1, 1.01, 1e6]);
      yield [`${name} of row ${row} scaled`, put(row, cells.with(at, String(scaled)).join(','))];
      const all = rows.map((one, index) => {
        const of = one.split(',');
        const value = Number(of[at]);
        return index === 0 || Number.isNaN(value)
          ? one
          : of.with(at, String(value * 1_000)).join(',');
      });
      if (each === 0) yield [`${name} times 1000`, all.join('\n')];
    }
  }
  for (const at of [1, 2].filter((row) => row < rows.length)) {
    yield [`row ${at} short`, put(at, rows[at]!.split(',').slice(0, -1).join(','))];
    yield [`row ${at} long`, put(at, `${rows[at]},1`)];
    yield [`row ${at} missing`, rows.toSpliced(at, 1).join('\n')];
    yield [`row ${at} doubled`, put(at, `${rows[at]}\n${rows[at]}`)];
  }
}

const shown = (result: FeedResult<unknown>): string =>
  result.ok ? valueText(result.value) : describeFeedProblem(result.problem);

test('files are read, and refused with their place and remedy, as before', async () => {
  const outcomes = new Map<string, Outcome>();
  for (const [file, text, read] of FILES) {
    const [taken, refused] = [[], []] as [string[], string[]];
    for (const [how, spoiled] of faultsOf(text, file)) {
      const result = read(spoiled, file);
      (result.ok ? taken : refused).push(`${how}: ${shown(result)}`);
    }
    outcomes.set(
      file.replace('/', ' '),
      new Map([
        ['taken', taken],
        ['refused', refused],
      ]),
    );
  }
  await expectRecorded('feedFiles', outcomes);
});

const feed: Feed = generateFeed({
  symbol: 'BTC',
  interval: '1m',
  bars: 40,
  seed: 'files',
  startTime: 1_735_689_600_000,
  startPrice: 60_000,
  missingShare: 0.1,
});
type Source = Parameters<typeof parquetWriteBuffer>[0]['columnData'][number];

function parquetOf(changes: Record<string, Source | null> = {}): Uint8Array {
  const { time, open, high, low, close, volume } = feed;
  const columns: Record<string, Source> = {
    timestamp: { name: 'timestamp', data: Array.from(time, BigInt), type: 'INT64' },
  };
  for (const [name, data] of Object.entries({ open, high, low, close, volume }))
    columns[name] = { name, data: [...data], type: 'DOUBLE' };
  const columnData = Object.values({ ...columns, ...changes }).filter((one) => one !== null);
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

const FUNDING = [
  'timestamp,funding_rate',
  ...Array.from(
    { length: 9 },
    (_none, at) => `${1_735_689_600_000 + at * 3_600_000 + 40},${(at - 3) / 1e5}`,
  ),
].join('\n');

test('files on the disk, packed and plain, and what the settings make of them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trimtab-recorded-'));
  try {
    const { time, open, high, low, close, volume } = feed;
    const columns = { time, open, high, low, close, volume };
    const about = { symbol: 'BTC', interval: '1m', source: 'recorded' } as const;
    const bars = Buffer.from(encodeCache({ kind: 'bars', ...about, columns }));
    const rates = {
      time: Float64Array.of(3_600_000, 7_200_000),
      rate: Float64Array.of(0.001, 0.06),
    };
    const settled = { time: rates.time, rate: Float64Array.of(0.001, -0.002) };
    const fundingCache = (its: typeof rates): Buffer =>
      Buffer.from(encodeCache({ kind: 'funding', symbol: 'BTC', source: 's', columns: its }));
    const spoiled = (bytes: Buffer, at: number, value: number): Buffer => {
      const copy = Buffer.from(bytes);
      copy[at] = value;
      return copy;
    };
    const trade = headOf('trades_l2/HYPERLIQUID-BTC-20250904-trades.csv.gz');
    const files: Readonly<Record<string, string | Uint8Array>> = {
      'plain.csv': CANDLES,
      'packed.csv.gz': gzipSync(CANDLES),
      'torn.csv.gz': gzipSync(CANDLES).subarray(0, 60),
      'plain.parquet': parquetOf(),
      'texts.parquet': parquetOf({
        open: { name: 'open', data: [...open].map(String), type: 'STRING' },
      }),
      'short.parquet': parquetOf({ volume: null }),
      'nulls.parquet': parquetOf({
        close: {
          name: 'close',
          data: [...close].with(3, null as never),
          type: 'DOUBLE',
          nullable: true,
        },
      }),
      'turned.parquet': parquetOf({
        timestamp: {
          name: 'timestamp',
          data: Array.from(time.toReversed(), BigInt),
          type: 'INT64',
        },
      }),
      'dates.parquet': parquetOf({
        timestamp: {
          name: 'timestamp',
          data: Array.from(time, (at) => new Date(at)),
          type: 'TIMESTAMP',
        },
      }),
      'torn.parquet': parquetOf().subarray(0, 90),
      'bars.cache': bars,
      'torn.cache': bars.subarray(0, 200),
      'version.cache': spoiled(bars, 8, 9),
      'sum.cache': spoiled(bars, 12, bars[12]! ^ 1),
      'row.cache': spoiled(bars, bars.length - 1, 255),
      'funding.cache': fundingCache(settled),
      'impossible.cache': fundingCache(rates),
      'funding.csv': FUNDING,
      'trades.csv': trade,
      'one.zip': zipOf([{ name: 'trades.csv', text: trade }]),
      'two.zip': zipOf([
        { name: 'a.csv', text: trade },
        { name: 'b.csv', text: trade },
      ]),
      'crc.zip': zipOf([{ name: 'a.csv', text: trade, crc: 5 }]),
      'size.zip': zipOf([{ name: 'a.csv', text: trade, size: 5 }]),
      'bytes.zip': Buffer.from('PK\x03\x04nothing', 'latin1'),
      'depth.csv': DEPTH,
      'snapshot.csv': SNAPSHOT,
      'levels.csv': LEVELS,
      'empty.csv': '',
    };
    for (const [name, content] of Object.entries(files))
      await writeFile(join(folder, name), content);
    await mkdir(join(folder, 'folder'));
    const names = [...Object.keys(files), 'folder', 'nowhere.csv'];
    const at = (name: string | undefined) => (name === undefined ? undefined : join(folder, name));
    const text = async (read: () => Promise<FeedResult<unknown>>): Promise<string> =>
      (await resultTextOf(async () => shown(await read()))).replaceAll(folder, '');
    const loaded: string[] = [];
    for (const name of names) {
      loaded.push(
        `${name} ${await text(() => loadFeedFile(at(name)!, 'BTC', '1m'))}`,
        `${name} ${await text(() => loadFeedFile(at(name)!, 'ETH', '5m'))}`,
        `${name} ${await text(() => loadFundingFile(at(name)!))}`,
        `${name} ${await text(() => loadTape({ trades: at(name) }))}`,
        `${name} ${await text(() => loadTape({ book: at(name) }))}`,
        `${name} ${await text(() => loadTape({ trades: at('trades.csv'), book: at(name), snapshot: at('snapshot.csv') }))}`,
        `${name} ${await text(() => loadTape({ book: at('depth.csv'), snapshot: at(name) }))}`,
      );
    }
    const generate = { bars: 5, seed: 1 };
    const settings: readonly object[] = [
      { feeds: [{ symbol: 'BTC', interval: '1m', generate }] },
      { feeds: [{ symbol: 'BTC', interval: '1m', path: 'plain.csv' }] },
      { feeds: [{ symbol: 'BTC', interval: '1m', path: 'nowhere.csv' }] },
      { feeds: [{ symbol: 'BTC', interval: '1m', trades: 'trades.csv' }] },
      { feeds: [{ symbol: 'BTC', interval: '1m', path: 'plain.csv', book: 'levels.csv' }] },
      { feeds: [{ symbol: 'BTC', interval: '1m', path: 'plain.csv', book: 'depth.csv' }] },
      { feeds: [{ symbol: 'BTC', interval: '1m', generate }], funding: { BTC: 'funding.csv' } },
      {
        feeds: [{ symbol: 'BTC', interval: '1m', path: 'plain.csv' }],
        funding: { BTC: 'funding.csv' },
      },
      {
        feeds: [{ symbol: 'BTC', interval: '1m', generate }],
        funding: { ETH: 'funding.csv', BTC: { rate_bps: 0.3, interval: '4h' } },
      },
      { feeds: [{ symbol: 'BTC', interval: '1m', generate }], funding: { BTC: 'empty.csv' } },
    ];
    const rated: string[] = [];
    for (const [how, spoiled] of faultsOf(FUNDING, 'funding')) {
      await writeFile(join(folder, 'spoiled.csv'), spoiled);
      rated.push(`${how} ${await text(() => loadFundingFile(at('spoiled.csv')!))}`);
    }
    for (const name of ['BTCUSD_PERP-trades-2024-01.csv', 'BTC-USD-SWAP-trades-2024-01-01.csv']) {
      await writeFile(join(folder, name), headOf(`archives/${ARCHIVES[5]!}`));
      loaded.push(`${name} ${await text(() => loadTape({ trades: at(name) }))}`);
      loaded.push(`${name} ${await text(() => loadTape({ book: at(name) }))}`);
    }
    const made: string[] = [];
    for (const given of settings)
      made.push(await text(() => loadMarketData(paperSettings.parse(given as never), folder)));
    await expectRecorded(
      'feedLoading',
      new Map([
        [
          'disk',
          new Map([
            ['loaded', loaded],
            ['settings', made],
            ['funding', rated],
          ]),
        ],
      ]),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

const SETTINGS: readonly unknown[] = [
  {},
  { feeds: [] },
  { feeds: [{ symbol: '', interval: '1m', generate: {} }] },
  { feeds: [{ symbol: 'BTC', interval: '2m', generate: {} }] },
  { feeds: [{ symbol: 'BTC', interval: '1m' }] },
  { feeds: [{ symbol: 'BTC', interval: '1m', book: 'b' }] },
  { feeds: [{ symbol: 'BTC', interval: '1m', path: 'p', snapshot: 's' }] },
  { feeds: [{ symbol: 'BTC', interval: '1m', path: 'p', generate: {} }] },
  { feeds: [{ symbol: 'BTC', interval: '1m', generate: { bars: 1, seed: '', volume: 0 } }] },
  ...[
    { balance: -1 },
    { speed: 'fast' },
    { speed: -1 },
    { warmup: 1.5 },
    { port: 70_000 },
    { budget_clock: 'sun' },
    { limits: true },
    { tier: 'gold' },
    { retention: 0 },
    { volume_share: 0 },
    { volume_share: 1.1 },
    { half_spread_bps: 1_001 },
    { impact_bps: -1 },
    { fees: { venue: 'nowhere' } },
    { fees: { maker_bps: -101 } },
    { fees: { ETH: { taker_bps: -1 } } },
    { fees: { ETH: { other: 1 } } },
    { latency: { order_ms: { median: 5, p99: 4 } } },
    { latency: { data_ms: -1, other: 1 } },
    { latency: { cancel_ms: { median: 1, p99: 2 } } },
    { funding: { BTC: { rate_bps: 2_000 } } },
    { funding: { BTC: { rate_bps: 1, interval: '1m' } } },
    { funding: { BTC: '' } },
    { connections: [{ label: '' }] },
    { connections: [{ label: 'x', status: 'gone' }] },
    { instruments: { BTC: { size_decimals: 9, price_decimals: 13, max_leverage: 0 } } },
    { state: '' },
    { other: 1 },
  ].map((more) => ({ feeds: [{ symbol: 'BTC', interval: '1m', generate: {} }], ...more })),
];

test('settings, flags, times and figures of feeds', async () => {
  const settings = SETTINGS.map((given) =>
    resultText(() => {
      const { success, data, error } = paperSettings.safeParse(given);
      return success ? data : error.issues.map(({ path, message }) => [path, message]);
    }),
  );
  const flags = [
    'BTC@1m=a.csv',
    'BTC=a.csv',
    'BTC@2m=a',
    '@1m=a',
    'BTC@1m=',
    'PURR/USDC@1h=a=b',
    '',
  ].flatMap((flag) => [
    resultText(() => parseFeedFlag(flag)),
    resultText(() => parseTapeFlag(flag)),
  ]);
  const times = [
    '2024-07-31',
    '2024-07-31 08:00',
    '2024-07-31T08:00:01.25Z',
    '2024-07-31T08:00+02:00',
    '2024.07.31 08:00:00',
    '2024-02-31',
    '31.07.2024',
    '',
    'x',
    '2024-13-01',
    '2024-07-31T25:00',
  ].map((text) => `${text} ${resultText(() => parseIsoTime(text))}`);
  const scales = [
    1_700_000_000,
    1_700_000_000.5,
    1_700_000_000_123,
    1_700_000_000_123_456,
    Number('1700000000123456789'),
    20_240_731,
    20_240_731_080_000,
    0,
    -5,
    5e9,
    NaN,
  ].flatMap((first) =>
    [1_700_000_000, 1_700_000_060_000, 20_240_801].map((second) =>
      resultText(() => {
        const scale = new TimeScale();
        const found = [unitOf(first), scale.toMs(first), scale.toMs(second), scale.notes];
        return [...found, scale.mixed()];
      }),
    ),
  );
  const decimals = [
    '1',
    '-1',
    '+1',
    '.5',
    '5.',
    '1e3',
    '1E-2',
    'e',
    '',
    ' 1',
    '1 ',
    '--1',
    '1..2',
    '0x1',
    '123456789012345678901234567890',
    '0.1234567890123456789',
    '-',
  ].map((text) => {
    const bytes = Buffer.from(`7${text}9`);
    return `${text} ${resultText(() => parseDecimal(bytes, 1, bytes.length - 1))}`;
  });
  const names = [
    'BTCUSDT-trades-2024.csv',
    'BTC-USDT-SWAP-trades-2025-06-01.csv',
    'a/BTCUSD_PERP-aggTrades-1.zip',
    'ETHUSD2022-11-17.csv',
    'x.csv',
    'archive.zip:BTCUSDT-trades-1.csv',
    'XBTUSD.csv',
    'BTCUSD_240628-bookTicker-1.csv',
  ].flatMap((name) => [
    resultText(() => [name, marketOfName(name), fileNameOf(name)]),
    resultText(() => isBinanceInverse(name.split('-')[0]!)),
  ]);
  const headers = [
    '1,2,3',
    '1700000000,100,1',
    '1700000000.5,100,1',
    '1,100,2,200,1700000000000,true,true',
    '1,100,2,1700000000000,true',
    '1,2,100,1,2,1700000000000,True,False',
    'a,b,c',
    '',
  ].map((line) => resultText(() => headerlessTrades(`${line}\n`)));
  const rows = [
    [1, 2, 0.5, 1.5, 3],
    [1, 0.9, 0.5, 1.5, 3],
    [1, 2, 1.1, 1.5, 3],
    [0, 2, 0.5, 1.5, 3],
    [1, 2, 0.5, 2.5, 3],
    [1, 2, 0.5, 1.5, -3],
    [NaN, 2, 0.5, 1.5, 3],
    [1, 2, -0.5, 1.5, 3],
    [1, Infinity, 0.5, 1.5, 3],
  ].flatMap(([first, high, low, close, volume]) =>
    [60_000, 60_001, 0, 1e15, NaN, -60_000].map((when) => {
      const column = (value: number | undefined): Float64Array => Float64Array.of(1, value!);
      const its = {
        time: Float64Array.of(0, when),
        open: column(first),
        high: column(high),
        low: column(low),
        close: column(close),
        volume: column(volume),
      };
      return resultText(() => [checkCandle(its, 1, '1m'), checkBar(its, 1), checkNumbers(its, 1)]);
    }),
  );
  const spaced = INTERVALS.flatMap((interval) =>
    [MINUTE, 5 * MINUTE, 86_400_000].map((step) =>
      resultText(() =>
        checkSpacing(
          Float64Array.from({ length: 60 }, (_none, at) => at * step),
          interval,
        ),
      ),
    ),
  );
  const hints = [[0.0001, 0.01], [0.01, 0.02, 0.03], [1, 2], [], [NaN]].map((list) =>
    resultText(() => percentHint(Float64Array.from(list))),
  );
  const draw = createDraw('ids');
  const seen = Array.from({ length: 20 }, () => {
    const ids = new SeenIds(draw.pick([3, 100]));
    const kind = draw.int(0, 2);
    return resultText(() =>
      Array.from({ length: 40 }, (_none, at) => {
        const id = kind === 0 ? at : kind === 1 ? 100 - at : draw.int(0, 30);
        return ids.add(at % 7 === 3 ? `t${id}` : id);
      }),
    );
  });
  const hours = [
    [0, 1, 2, 3],
    [0, 8, 16, 24, 32, 40, 48],
    [0, 1, 2, 3, 4, 5, 6, 14, 22, 30, 38, 46],
    [5],
    [0, 1, 4, 5, 9],
  ];
  const funding = hours.flatMap((list) => {
    const its = {
      time: Float64Array.from(list, (hour) => hour * 3_600_000 + 7),
      rate: new Float64Array(list.length),
    };
    return [
      resultText(() => settlementRules(Float64Array.from(list))),
      resultText(() => fundingSpan(its)),
      ...[
        [-10, 100],
        [0, 5],
        [3, 30],
        [60, 61],
      ].map(([from, until]) =>
        resultText(() =>
          uncoveredStretches(its, { from: from! * 3_600_000, until: until! * 3_600_000 }),
        ),
      ),
    ];
  });
  const feeds = drawFeeds('marks', {
    markets: 3,
    bars: 120,
    startTime: 1_735_689_600_000,
    gaps: true,
    recorded: 'both',
  });
  const marks = tapeOf({ feeds, funding: { BTC: { constantRate: 1e-4, intervalMs: 3_600_000 } } });
  const others = [
    marks.slice(1),
    marks.toReversed(),
    marks.map((mark, at) => (at === 0 ? { ...mark, from: 0 } : mark)),
    tapeOf({
      feeds: drawFeeds('others', { markets: 3, bars: 120, startTime: 1_735_689_600_000 }),
      funding: {},
    }),
    tapeOf({ feeds: feeds.slice(0, 1), funding: {} }),
  ].map((other) => resultText(() => differenceOf(marks, other as never)));
  const tape = feeds[0]!.tape!;
  const span = { from: tape.from, until: tape.until };
  const made = INTERVALS.slice(0, 6).map((interval) =>
    resultText(() => barsOfTrades(tape.trades!, interval, span)),
  );
  await expectRecorded(
    'feedFigures',
    new Map([
      [
        'figures',
        new Map([
          ['settings', settings],
          ['flags', [...flags, ...names, ...headers]],
          ['times', [...times, ...scales, ...decimals]],
          ['rows', [...rows, ...spaced, ...hints, ...seen]],
          ['funding', funding],
          ['tapes', [valueText(marks), ...others, ...made, ...feeds.map(valueText)]],
        ]),
      ],
    ]),
  );
});
