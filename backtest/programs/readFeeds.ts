import { resolve } from 'node:path';
import { INTERVALS, withCode, type Interval } from '../../src/contract/index.ts';
import {
  checkCandle,
  checkSpacing,
  describeFeedProblem,
  parseFeedFlag,
  toCandles,
  type CandleFault,
  type Feed,
  type PaperSettingsInput,
} from '../../src/paper/index.ts';
import type { BarInput, FeedInput } from './FeedInput.ts';

type Settings = PaperSettingsInput['feeds'];

/** Feeds as settings, and those whose bars are in memory, by symbol. */
export interface ReadFeeds {
  settings: Settings;
  known: ReadonlyMap<string, Feed>;
}

/** The place of bars that no file holds. */
const IN_MEMORY = '(in memory)';

/** @throws Error for a text that is no feed, and for bars of which one can't be; with the feed, the bar and the field */
export function readFeeds(feeds: readonly FeedInput[]): ReadFeeds {
  if (!Array.isArray(feeds)) throw refusal(`feeds: ${typeof feeds}, not an array of feeds.`);
  const known = new Map<string, Feed>();
  const settings = feeds.map((feed, index): Settings[number] => {
    const place = `feeds[${index}]`;
    if (typeof feed !== 'string') requireFeed(feed, place);
    if (typeof feed === 'string') return readText(feed, place);
    if (!('bars' in feed)) return fromHere(feed);
    const { symbol, interval } = feed;
    known.set(symbol, toFeed(feed, place));
    return { symbol, interval, path: IN_MEMORY };
  });
  return { settings, known };
}

function requireFeed(feed: object, place: string): void {
  if (typeof feed !== 'object' || feed === null)
    throw refusal(`${place}: ${String(feed)} is no feed; write 'BTC@1m=btc.csv.gz' or an object.`);
  if (!('bars' in feed)) return;
  const beside = Object.keys(feed).find((name) => !['symbol', 'interval', 'bars'].includes(name));
  if (beside !== undefined)
    throw refusal(`${place}.${beside}: a feed with bars takes symbol, interval and bars only.`);
  if (!Array.isArray(feed.bars)) throw refusal(`${place}.bars: not an array of bars.`);
  const at = feed.bars.findIndex((bar) => typeof bar !== 'object' || bar === null);
  if (at >= 0) throw refusal(`${place}.bars[${at}]: ${String(feed.bars[at])} is no bar.`);
}

function readText(text: string, place: string): Settings[number] {
  const read = parseFeedFlag(text);
  if (read.ok) return fromHere(read.value);
  throw withCode('TRIMTAB_USAGE', new Error(`${place}: ${read.message}`));
}

const FILES: ReadonlySet<string> = new Set(['path', 'trades', 'book', 'snapshot']);

/** Its paths are relative to the working directory, wherever the configuration is. */
function fromHere(feed: Settings[number]): Settings[number] {
  if ('generate' in feed) return feed;
  const paths = Object.entries(feed).flatMap(([name, value]) =>
    FILES.has(name) && typeof value === 'string' ? [[name, resolve(value)] as const] : [],
  );
  return { ...feed, ...Object.fromEntries(paths) };
}

function toFeed(
  given: { symbol: string; interval: Interval; bars: readonly BarInput[] },
  place: string,
): Feed {
  const { symbol, interval, bars } = given;
  if (!INTERVALS.includes(interval)) {
    const remedy = `use ${INTERVALS.join(' ')}`;
    throw refusal(`${place}.interval: ${JSON.stringify(interval)} is not an interval; ${remedy}.`);
  }
  if (bars.length === 0) throw refusal(`${place}.bars: there is none; give one at least.`);
  const candles = toCandles(bars, (bar, name) =>
    typeof bar[name] === 'number' ? bar[name] : Number.NaN,
  );
  for (let row = 0; row < bars.length; row++) {
    const fault = checkNumbers(bars[row]!) ?? checkCandle(candles, row, interval);
    if (fault !== null) throw refusal(describeBar(`${place}.bars[${row}]`, fault));
  }
  const spacing = checkSpacing(candles.time, interval);
  if (spacing !== null) throw refusal(describeBar(`${place}.bars`, spacing));
  return { symbol, interval, ...candles };
}

const FIELDS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

function checkNumbers(bar: BarInput): CandleFault | null {
  const column = FIELDS.find((name) => !Number.isFinite(bar[name]));
  if (column === undefined) return null;
  const value = String(bar[column]);
  return { column, value, message: 'is not a number.', remedy: 'Each field of a bar is one.' };
}

/** The reader of files calls the column of times `timestamp`. */
function describeBar(file: string, fault: CandleFault): string {
  const column = fault.column === 'timestamp' ? 'time' : fault.column;
  const text = describeFeedProblem({
    ...fault,
    file: `${file}.${column}`,
    line: null,
    column: null,
  });
  return text.replace('Sort rows by timestamp, one row a bar.', 'Sort the bars by time.');
}

function refusal(message: string): Error {
  return withCode('TRIMTAB_DATA_REFUSED', new Error(message));
}
