import { INTERVAL_MS } from '../src/contract/index.ts';
import { countUntil } from '../src/env/index.ts';
import type { Feed, MarketData } from '../src/paper/index.ts';
import { cutTape } from './cutTape.ts';

/**
 * Market time in which a backtest trades, epoch milliseconds. Each feed has the bars that close by
 * `until`; trading begins with the first bar of the longest feed that opens at `from` or later.
 */
export interface TimeRange {
  from?: number;
  until?: number;
}

export type TimeRangeResult = { ok: true; range: TimeRange } | { ok: false; reason: string };

const DAY = /^(\d{4})(\d{2})(\d{2})(?:T?(\d{2})(?::?(\d{2}))?)?$/;
const DASHED = /\d{4}-\d{2}-\d{2}/;
/** From 2001 to 2033: ten digits that begin with 20 are a date and an hour. */
const EPOCH_S = /^1\d{9}$/;
const EPOCH_MS = /^\d{13}$/;

/**
 * `20250601-20250614`, with hours `20250601T06-20250601T1830`, open at either end, or epoch seconds or
 * milliseconds. The T may be left out. All of it is UTC, and the end is exclusive: its day is not part of the range.
 */
export function parseTimeRange(text: string): TimeRangeResult {
  const dashed = DASHED.exec(text)?.[0];
  if (dashed !== undefined) {
    const plain = dashed.replaceAll('-', '');
    if (parseInstant(plain) === null) return { ok: false, reason: `${dashed} is not a time` };
    return { ok: false, reason: `the dash separates its two ends: write ${dashed} as ${plain}` };
  }
  const parts = text.split('-');
  if (parts.length > 2) return { ok: false, reason: 'it has more than one dash' };
  if (parts.length < 2) return { ok: false, reason: 'it has no dash between two times' };
  const [first = '', second = ''] = parts;
  if (first === '' && second === '') return { ok: false, reason: 'both of its ends are open' };
  const from = parseInstant(first);
  const until = parseInstant(second);
  if (from === null) return { ok: false, reason: `${first} is not a time` };
  if (until === null) return { ok: false, reason: `${second} is not a time` };
  if (from !== undefined && until !== undefined && from >= until) {
    return { ok: false, reason: 'it ends before it begins' };
  }
  const range: TimeRange = {};
  if (from !== undefined) range.from = from;
  if (until !== undefined) range.until = until;
  return { ok: true, range };
}

/** undefined: open; null: not a time. */
function parseInstant(text: string): number | null | undefined {
  if (text === '') return undefined;
  if (EPOCH_S.test(text)) return Number(text) * 1_000;
  if (EPOCH_MS.test(text)) return Number(text);
  const match = DAY.exec(text);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const time = Date.UTC(year, month - 1, day, hour, minute);
  // Date arithmetic wraps invalid dates: 31 June would be 1 July.
  const back = new Date(time);
  const same = back.getUTCMonth() === month - 1 && back.getUTCDate() === day;
  return same && hour < 24 && minute < 60 ? time : null;
}

/**
 * The bars that have closed by the end of a range: one that is still open then contains later data. Bars
 * before the range's begin stay as history. The recordings of their markets end there too.
 */
export function cutAt(data: MarketData, until: number): MarketData {
  return { ...data, feeds: data.feeds.map((feed) => cutFeed(feed, until)) };
}

function cutFeed(feed: Feed, until: number): Feed {
  const length = INTERVAL_MS[feed.interval];
  const count = countUntil(feed.time, until - length);
  const first = (column: Float64Array): Float64Array => column.subarray(0, count);
  const { time, open, high, low, close, volume, tape } = feed;
  return {
    ...feed,
    ...(tape === undefined ? {} : { tape: cutTape(tape, until) }),
    time: first(time),
    open: first(open),
    high: first(high),
    low: first(low),
    close: first(close),
    volume: first(volume),
  };
}
