import { isMap } from '../../contract/isMap.ts';
import type { IntentPage, KnownIntent } from '../../journal/index.ts';
import { formatColumns } from '../progress/formatColumns.ts';
import { formatNumber } from './formatFields.ts';
import { formatInstant } from './formatInstant.ts';
import { readJson, type JsonMap } from './readJson.ts';

/** Enough of a key to identify it, and short enough to type. */
const SHORT_KEY = 8;

const HEAD = ['opened (UTC)', 'market time', 'key', 'state', 'instance', 'wallet', 'kind', 'what'];
const ALIGN = HEAD.map(() => 'left' as const);

/** One line per intent, newest first. */
export function formatIntents({ items }: IntentPage): string {
  if (items.length === 0) return 'No intents.';
  return formatColumns([HEAD, ...items.map(cells)], ALIGN);
}

function cells(row: KnownIntent): string[] {
  const { opened, marketOpened, key, state, instance, wallet, kind } = row;
  const what = summaryOf(intentOf(row));
  const times = [formatInstant(opened), marketOpened === null ? '' : formatInstant(marketOpened)];
  return [...times, key.slice(0, SHORT_KEY), state, instance, wallet, kind, what];
}

/** The intent itself, as the strategy gave it. */
export function intentOf({ intent }: { intent: string }): JsonMap {
  const stored = readJson(intent);
  return isMap(stored['intent']) ? stored['intent'] : stored;
}

/** `buy 0.5 BTC limit at 61000 (pacemaker)`: a summary of an intent's request. */
export function summaryOf(intent: JsonMap): string {
  const request = isMap(intent['request']) ? intent['request'] : intent;
  const of = (...names: string[]): unknown =>
    names.map((name) => request[name] ?? intent[name]).find((value) => value !== undefined);
  const price = of('price');
  const parts = [
    of('side'),
    of('total_size', 'size'),
    of('symbol'),
    of('order_type'),
    typeof price === 'number' ? `at ${formatNumber(price)}` : undefined,
    of('reduce_only') === true ? 'reduce-only' : undefined,
    labelled('(', of('algo'), ')'),
    intent['action'],
    labelled('as ', intent['ref'], ''),
  ];
  return parts
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .map((part) => (typeof part === 'number' ? formatNumber(part) : part))
    .join(' ');
}

function labelled(before: string, value: unknown, after: string): string | undefined {
  return typeof value === 'string' ? `${before}${value}${after}` : undefined;
}
