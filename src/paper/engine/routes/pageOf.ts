import type { ListQuery, Page } from '../../../contract/index.ts';
import type { Call } from '../../core/Engine.ts';
import type { Ledger } from '../../venue/Ledger.ts';
import { fieldFault } from '../fieldFault.ts';
import type { EngineState } from '../EngineState.ts';

/** The fields of a record that the filters of a list use. */
export interface Filterable {
  /** Several: of a group's members. */
  symbol?: string | readonly string[];
  status?: string;
  time: number;
}

/**
 * A page of a ledger, newest first, by the list's filters: `start_time` inclusive, `end_time` exclusive.
 * The cursor is the position of the page's last record, so pages stay complete while records are added.
 */
export function pageOfLedger<T>(
  engine: EngineState,
  call: Call,
  list: {
    ledger: Ledger<T>;
    filterable: (item: T) => Filterable;
    isListed?: (item: T) => boolean;
    show: (item: T) => unknown;
  },
): Page<unknown> {
  const query = call.query as ListQuery;
  const limit = query.limit ?? engine.dialect.limits.pageDefault;
  const items: unknown[] = [];
  let cursor: number | null = null;
  for (const { item, place } of list.ledger.newest(placeOf(query.cursor))) {
    if (list.isListed?.(item) === false || !matches(list.filterable(item), query)) continue;
    if (items.length === limit) return { items, next_cursor: String(cursor) };
    items.push(list.show(item));
    cursor = place;
  }
  return { items, next_cursor: null };
}

/**
 * A page of what an execution or a wallet gathers, newest first. As in a ledger, the cursor is the place of the page's
 * last record: counted from the newest, pages would repeat rows while more come.
 */
export function pageOfNewest<S, T>(
  engine: EngineState,
  call: Call,
  list: {
    /** Oldest first; it only grows. */
    gathered: readonly S[];
    /** undefined: its record is gone. */
    show: (item: S) => T | undefined;
    filterable: (row: T) => Partial<Filterable>;
  },
): Page<T> {
  const query = call.query as ListQuery;
  const limit = query.limit ?? engine.dialect.limits.pageDefault;
  const { gathered } = list;
  const items: T[] = [];
  let cursor: number | null = null;
  for (let at = Math.min(placeOf(query.cursor), gathered.length) - 1; at >= 0; at--) {
    const row = list.show(gathered[at]!);
    if (row === undefined || !matches(list.filterable(row), query)) continue;
    if (items.length === limit) return { items, next_cursor: String(cursor) };
    items.push(row);
    cursor = at;
  }
  return { items, next_cursor: null };
}

/** What orders the rows of a list, and tells one from another: of one shape in all of them. */
export type RowKey = ReadonlyArray<string | number>;

/**
 * A page of rows that are few and built on request, in the order of their keys. The cursor is the key of the page's last
 * record: counted, pages would skip a row where an earlier one is gone.
 */
export function pageOfRows<T>(
  engine: EngineState,
  call: Call,
  list: {
    rows: readonly T[];
    keyOf: (row: T) => RowKey;
    filterable: (row: T) => Partial<Filterable>;
  },
): Page<T> {
  const query = call.query as ListQuery;
  const limit = query.limit ?? engine.dialect.limits.pageDefault;
  const { keyOf } = list;
  const last = query.cursor === undefined ? null : keyOfCursor(query.cursor);
  const found = list.rows
    .filter((row) => matches(list.filterable(row), query))
    .filter((row) => last === null || compareKeys(keyOf(row), last) > 0)
    .sort((a, b) => compareKeys(keyOf(a), keyOf(b)));
  const items = found.slice(0, limit);
  return { items, next_cursor: found.length > limit ? cursorOf(keyOf(items.at(-1)!)) : null };
}

/** @throws ServiceError `validation_failed` if they are not of one list */
function compareKeys(a: RowKey, b: RowKey): number {
  if (a.length !== b.length || a.some((part, at) => typeof part !== typeof b[at]))
    throw unknownCursor();
  const at = a.findIndex((part, index) => part !== b[index]);
  if (at < 0) return 0;
  return a[at]! < b[at]! ? -1 : 1;
}

const cursorOf = (key: RowKey): string => Buffer.from(JSON.stringify(key)).toString('base64url');

function keyOfCursor(cursor: string): RowKey {
  try {
    const key = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown;
    // Decoding passes over what is not of the alphabet.
    if (Array.isArray(key) && cursorOf(key) === cursor) return key;
  } catch {
    // Not JSON: of no list.
  }
  throw unknownCursor();
}

function matches({ symbol, status, time }: Partial<Filterable>, query: ListQuery): boolean {
  if (query.symbol !== undefined && !hasSymbol(symbol, query.symbol)) return false;
  if (query.status !== undefined && query.status !== status) return false;
  if (query.start_time !== undefined && (time ?? Infinity) < query.start_time) return false;
  return query.end_time === undefined || (time ?? -Infinity) < query.end_time;
}

function hasSymbol(symbol: Filterable['symbol'], asked: string): boolean {
  return typeof symbol === 'object' ? symbol.includes(asked) : symbol === asked;
}

function placeOf(cursor: string | undefined): number {
  if (cursor === undefined) return Infinity;
  if (/^\d+$/.test(cursor)) return Number(cursor);
  throw unknownCursor();
}

const unknownCursor = () =>
  fieldFault('cursor', 'unknown_cursor', 'The cursor does not belong to this list.');
