import { isMap } from '../../src/contract/isMap.ts';
import { fileFault, parseIsoTime, TimeScale, type FeedResult } from '../../src/paper/index.ts';
import { CANDLE_REMEDY, MARKET, otherMarket, TIME } from './readCsv.ts';
import { readJson, toNumber } from './readJson.ts';
import { BAR_COLUMNS, RowColumns, SHOWN } from './RowColumns.ts';
import type { BarRows } from './Rows.ts';

type BarColumn = (typeof BAR_COLUMNS)[number];
interface Element {
  /** Of JSON lines the line, of an array the element, from 1. */
  line: number;
  value: unknown;
}

/** Whether a text begins with an object that has the fields of a candle by their names. */
export function isJsonCandles(text: string): boolean {
  return /^\s*\[?\s*\{[^{}]*"(open|close)"\s*:/i.test(text);
}

/** Candles as objects, in an array or one a line: fields by the names of a CSV's columns, beside any others. */
export function readJsonObjects(bytes: Uint8Array, file: string): FeedResult<BarRows> {
  const read = readElements(bytes, file);
  if (!read.ok) return read;
  const elements = read.value;
  const [first] = elements;
  const keys = keysOf(first?.value);
  const missing = BAR_COLUMNS.filter((name) => keys[name] === undefined);
  if (missing.length > 0) {
    const names = missing.map((name) => SHOWN[name]).join(', ');
    return fileFault(file, `has no field ${names}.`, CANDLE_REMEDY, first?.line);
  }
  const columns = new RowColumns(BAR_COLUMNS);
  const scale = new TimeScale();
  const written = new Map<string, string>();
  const firstFields = isMap(first?.value) ? first.value : {};
  const marketKey = Object.keys(firstFields).find((key) => MARKET.includes(key.toLowerCase()));
  const firstMarket = marketKey === undefined ? undefined : firstFields[marketKey];
  for (const { line, value } of elements) {
    if (!isMap(value))
      return fileFault(file, 'is not an object, as the first row is.', CANDLE_REMEDY, line);
    const market = marketKey === undefined ? undefined : value[marketKey];
    if (market !== undefined && market !== firstMarket) {
      const { message, remedy } = otherMarket(firstMarket, marketKey!);
      return fileFault(file, `${JSON.stringify(market)} ${message}`, remedy, line);
    }
    const row = {} as Record<BarColumn, number>;
    for (const name of BAR_COLUMNS) {
      const cell = value[keys[name]!];
      row[name] = toNumber(cell);
      if (!Number.isFinite(row[name]) && written.size < MOST_WRITTEN && typeof cell === 'string')
        written.set(`${line}:${SHOWN[name]}`, cell);
    }
    const stamp = value[keys.time!];
    const isText = Number.isNaN(row.time) && typeof stamp === 'string';
    const time = isText ? parseIsoTime(stamp) : scale.toMs(row.time);
    if (time === null) {
      const { message, remedy } = scale.mixed();
      return fileFault(file, `${row.time} ${message}`, remedy, line);
    }
    columns.push(line, { ...row, time });
  }
  const about = { file, symbol: null, interval: null, notes: scale.notes, written };
  return { ok: true, value: { kind: 'bars', ...about, ...columns.toArrays() } };
}

/** The most cells without a number whose text is kept for findings. */
const MOST_WRITTEN = 1_000;

/** The first object's keys of each column; upper and lower case are one, as in a CSV's header. */
function keysOf(first: unknown): Partial<Record<BarColumn, string>> {
  const keys = Map.groupBy(isMap(first) ? Object.keys(first) : [], (key) =>
    key.trim().toLowerCase(),
  );
  const found = BAR_COLUMNS.map((name) => {
    const [key, ...others] = (name === 'time' ? TIME : [name]).flatMap(
      (each) => keys.get(each) ?? [],
    );
    // Of `t` and `T` neither says that it is the time of the bar.
    const isTwice = others.some((other) => other.toLowerCase() === key?.toLowerCase());
    return [name, isTwice ? undefined : key];
  });
  return Object.fromEntries(found) as Partial<Record<BarColumn, string>>;
}

function readElements(bytes: Uint8Array, file: string): FeedResult<Element[]> {
  const text = new TextDecoder().decode(bytes);
  if (!/^\s*\{/.test(text)) {
    const read = readJson(bytes, file);
    if (!read.ok) return read;
    return { ok: true, value: read.value.map((value, index) => ({ line: index + 1, value })) };
  }
  const elements: Element[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    try {
      elements.push({ line: index + 1, value: JSON.parse(line) as unknown });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const remedy = 'Write an object a line, or all of them as [ … ].';
      return fileFault(file, `is not JSON: ${why}.`, remedy, index + 1);
    }
  }
  return { ok: true, value: elements };
}
