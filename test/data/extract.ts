/**
 * `node test/data/extract.ts COLLECTION CONTRACT`: writes this folder's extracts again from the collection of
 * market data and the contract that the project was built on. Without them the extracts are enough.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

const [collection, contract] = process.argv.slice(2);
if (collection === undefined || contract === undefined) {
  process.stderr.write('Usage: node test/data/extract.ts COLLECTION CONTRACT\n');
  process.exit(1);
}
const here = import.meta.dirname;

function textOf(path: string): string {
  const bytes = readFileSync(join(collection!, path));
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

function write(path: string, content: string): void {
  const target = join(here, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, path.endsWith('.gz') ? gzipSync(content, { level: 9 }) : content);
}

/** The header and those rows whose first field lies between two times. */
function rowsBetween(path: string, from: number, until: number): string {
  const [header, ...rows] = textOf(path).trimEnd().split('\n');
  const retained = rows.filter((row) => {
    const time = Number(row.slice(0, row.indexOf(',')));
    return time >= from && time < until;
  });
  return `${[header, ...retained].join('\n')}\n`;
}

/** The header and the first rows. */
const firstRows = (path: string, count: number): string =>
  `${textOf(path)
    .split('\n', count + 1)
    .join('\n')}\n`;

// Candles. Of the golden files the columns that a test names, in digits beyond what it compares.
const golden = readFileSync(join(here, '../indicators/golden.test.ts'), 'utf8');
const wanted = new Set([...golden.matchAll(/column: '([^']+)'/g)].map(([, name]) => name!));
for (const name of ['HYPERLIQUID-ETH-1h', 'HYPERLIQUID-kPEPE-15m']) {
  const path = `indicators/golden/${name}-last1500-P1.csv.gz`;
  const rows = textOf(path)
    .trimEnd()
    .split('\n')
    .map((row) => row.split(','));
  const columns = rows[0]!.flatMap((title, at) =>
    title === 'timestamp' || wanted.has(title) ? [at] : [],
  );
  const shorten = (cell: string, column: number): string =>
    column === 0 || cell === '' ? cell : String(Number(Number(cell).toPrecision(13)));
  const cut = rows.map((row, index) =>
    columns.map((at, column) => (index === 0 ? row[at]! : shorten(row[at]!, column))).join(','),
  );
  write(path, `${cut.join('\n')}\n`);
  const first = Number(rows[1]![columns[0]!]);
  const candles = `normalised/${name}.csv.gz`;
  write(candles, rowsBetween(candles, first, Infinity));
}
for (const symbol of ['BTC', 'ETH']) {
  const path = `normalised/BINANCEUSDM-${symbol}USDT-1m.csv.gz`;
  write(path, firstRows(path, 4_000));
}
const DAY = 86_400_000;
for (const interval of ['1m', '5m']) {
  const path = `normalised/BYBIT-BTCUSDT-${interval}.csv.gz`;
  write(path, rowsBetween(path, Date.UTC(2025, 5, 12), Date.UTC(2025, 5, 14)));
}
const august = 'normalised/BINANCE-BTCUSDT-1m-202408.csv.gz';
write(august, rowsBetween(august, Date.UTC(2024, 7, 7), Date.UTC(2024, 7, 7) + 3 * DAY));

// Funding, as far as it shows each venue's stamps and schedule.
for (const name of [
  'HYPERLIQUID-BTC-funding-1h',
  'HYPERLIQUID-kPEPE-funding-1h',
  'BINANCEUSDM-BTCUSDT-funding-8h',
  'BYBIT-BTCUSDT-funding-8h-longhist',
  'DYDXV3-BTC-USD-funding-1h-longhist',
]) {
  write(`funding/${name}.csv.gz`, firstRows(`funding/${name}.csv.gz`, 1_000));
}

// Recordings, whole: half an hour of two symbols, and ten minutes of another venue's trades.
for (const name of [
  'HYPERLIQUID-BTC-20250904-trades',
  'HYPERLIQUID-BTC-20250904-l2book20',
  'HYPERLIQUID-BTC-20250904-bbo',
  'HYPERLIQUID-ETH-20250904-trades',
  'HYPERLIQUID-ETH-20250904-bbo',
  'BINANCE-BTCUSDT-20240808T2354-trades',
]) {
  write(`trades_l2/${name}.csv.gz`, textOf(`trades_l2/${name}.csv.gz`));
}

// What other libraries print for their own inputs.
const stock = readFileSync(join(here, '../indicators/stockIndicators.test.ts'), 'utf8');
const files = new Set([...stock.matchAll(/file: '([^']+)'/g)].map(([, name]) => name!));
for (const name of [...files, 'vwap', 'quotes-default']) {
  const path = `indicators/stock-indicators/${name}.csv`;
  write(`${path}.gz`, textOf(path));
}
const charts = 'bbands cci soo wma vwap atr kc rsi macd psar'
  .split(' ')
  .map((name) => `cs-${name}`);
for (const name of charts) {
  write(`indicators/ta-stockcharts/${name}.csv`, textOf(`indicators/ta-stockcharts/${name}.csv`));
}
for (const name of ['untest', 'atoz', 'extra']) {
  write(`indicators/tulip/${name}.txt`, textOf(`indicators/tulip/${name}.txt`));
}

// The contract: its clauses, one a line, and the conventions whose tables the sources repeat.
const clauses = readFileSync(join(contract, 'requirements.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| [A-Z]+-\d+ \|.*\|$/.test(line));
write(
  'contract/requirements.md',
  ['| id | clause | who |', '|---|---|---|', ...clauses, ''].join('\n'),
);
cpSync(join(contract, 'conventions.md'), join(here, 'contract/conventions.md'));
