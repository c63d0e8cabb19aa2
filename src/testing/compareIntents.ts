import { inspect } from 'node:util';
import type { IntentKind, IntentOf } from '../intents/index.ts';
import { findDifference } from './findDifference.ts';
import { decidedOf, type DecisionDetails, type TestedIntent } from './TestedIntent.ts';
import type { StrategyTest } from './StrategyTest.ts';

/** Any fields of a value, at any depth. */
export type PartOf<T> = T extends object ? { readonly [K in keyof T]?: PartOf<T[K]> } : T;

/** The fields of an intent that a test is about; those left out may have any value. */
export type ExpectedIntent = {
  [K in IntentKind]: PartOf<IntentOf<K> & DecisionDetails>;
}[IntentKind];

/** The part of a test that is compared. */
export type IntentsOfTest = Pick<StrategyTest, 'intents' | 'suppressed'>;

/** What is wrong with the intents of a test, for a reader; undefined if they are as expected. */
export function compareIntents(
  { intents, suppressed }: IntentsOfTest,
  expected: readonly ExpectedIntent[],
): string | undefined {
  const difference = findDifference([...intents], expected);
  if (difference === undefined) return undefined;
  const { path, expected: wanted, actual } = difference;
  // One that was not expected is the difference itself, and its bars would bury it.
  const unexpected = wanted === undefined ? intents.find((intent) => intent === actual) : undefined;
  return [
    `The intents differ at ${path}:`,
    `  expected: ${show(wanted)}`,
    `  received: ${show(unexpected === undefined ? actual : decidedOf(unexpected))}`,
    listed('Sent', intents),
    ...(suppressed.length === 0 ? [] : [listed('Decided in warm-up, not sent', suppressed)]),
  ].join('\n');
}

const show = (value: unknown): string =>
  value === undefined
    ? 'nothing'
    : inspect(value, { depth: 6, breakLength: 100 }).replaceAll('\n', '\n    ');

/** More would bury the difference. */
const MOST_LISTED = 10;

function listed(title: string, intents: readonly TestedIntent[]): string {
  const lines = intents.slice(0, MOST_LISTED).map((intent) => `\n  ${lineOf(intent)}`);
  const more = intents.length - lines.length;
  const rest = more > 0 ? `\n  … and ${more} more` : '';
  return `${title}: ${intents.length === 0 ? 'none' : ''}${lines.join('')}${rest}`;
}

function lineOf(intent: TestedIntent): string {
  const fields = { ...intent, ...('request' in intent ? intent.request : {}) } as {
    [name: string]: unknown;
  };
  const words = ['kind', 'ref', 'side', 'size', 'total_size', 'symbol'].flatMap((name) =>
    fields[name] === undefined ? [] : [textOf(fields[name])],
  );
  return `${words.join(' ')}, upon ${intent.cause}`;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
