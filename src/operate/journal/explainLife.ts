import { isMap } from '../../contract/isMap.ts';
import type { IntentLife, JournalEntry } from '../../journal/index.ts';
import { formatFields, formatValue, wrapFields, wrapParts } from './formatFields.ts';
import { formatInstant } from './formatInstant.ts';
import { formatGap, headOf } from './formatLife.ts';
import { readJson, type JsonMap } from './readJson.ts';
import { intentOf } from './formatIntents.ts';
import { settleCommand } from './settleCommand.ts';

/** One intent as a narrative: its cause, the guards' verdicts, its waits, the service's responses. */
export function explainLife(life: IntentLife): string {
  const { intent, entries } = life;
  const sections = [
    ['Cause', causeLines(life)],
    ['Intent', intentLines(intent)],
    ['Guards', guardLines(entries)],
    ['Budget', budgetLines(entries)],
    ['Sent', sentLines(entries)],
    ['Answer', answerLines(entries)],
    ['Fills', fillLines(entries)],
    ['In short', [conclusionOf(life)]],
  ] as const;
  const blocks = sections.map(
    ([title, lines]) => `${title}\n${lines.map((line) => `  ${line}`).join('\n')}`,
  );
  return [headOf(intent), ...blocks].join('\n\n');
}

/** The request is shown flat: an operator looks for a size, not for a structure. */
function intentLines(intent: IntentLife['intent']): string[] {
  const { request, ...rest } = intentOf(intent);
  return wrapFields(isMap(request) ? { ...rest, ...request } : rest);
}

const dataOf = (entry: JournalEntry | undefined): JsonMap =>
  entry === undefined ? {} : readJson(entry.data);

function causeLines({ intent, entries }: IntentLife): string[] {
  const { cause, marketTime } = dataOf(entries[0]);
  const { trigger } = readJson(intent.intent);
  const decided = typeof marketTime === 'number' ? marketTime : entries[0]?.marketTime;
  const at = decided === undefined ? '' : `, market time ${formatInstant(decided)}`;
  const lines = [`${typeof cause === 'string' ? cause : 'not recorded'}${at}`];
  if (!isMap(trigger)) return lines;
  const { seen, ...own } = trigger;
  // A bar, the indicators beside it, a fill, a timer: the basis of the decision.
  lines.push(...partLines(own));
  for (const part of Array.isArray(seen) ? seen.filter(isMap) : []) lines.push(...seenLines(part));
  return lines;
}

function partLines(parts: JsonMap): string[] {
  return Object.entries(parts).flatMap(([name, value]) => {
    const [first = '', ...rest] = isMap(value) ? wrapFields(value) : [formatValue(value)];
    return [`${name}: ${first}`, ...rest.map((line) => `  ${line}`)];
  });
}

/** Indicators of another bar than the one that caused it are listed under their own bar. */
function seenLines(part: JsonMap): string[] {
  const [bar = 'of no bar', ...rest] = partLines(part);
  return isMap(part['bar'])
    ? [`seen, ${bar}`, ...rest.map((line) => `  ${line}`)]
    : [`seen, ${bar}`, ...rest];
}

function guardLines(entries: readonly JournalEntry[]): string[] {
  const evaluated = entries.find(({ state }) => state === 'guarded' || state === 'denied');
  if (evaluated === undefined) return ['not evaluated'];
  const { guard, reason, value, limit, passedGuards, lane, weight } = dataOf(evaluated);
  // A journal of an earlier version has only the outcome.
  const names = Array.isArray(passedGuards) ? passedGuards.map(formatValue) : [];
  if (evaluated.state === 'guarded') {
    const count = names.length === 0 ? '' : ` ${names.length}`;
    const taken =
      lane === undefined ? '' : `, lane ${formatValue(lane)}, weight ${formatValue(weight)}`;
    return [`all${count} passed${taken}`, ...wrapParts(names)];
  }
  const figures =
    limit === undefined ? '' : ` (value ${formatValue(value)}, limit ${formatValue(limit)})`;
  return [
    ...(names.length === 0 ? [] : [`${names.length} passed before`, ...wrapParts(names)]),
    `denied by ${formatValue(guard ?? 'the bot')}: ${formatValue(reason ?? 'no reason recorded')}${figures}`,
  ];
}

function budgetLines(entries: readonly JournalEntry[]): string[] {
  const waits = entries.flatMap((entry, index) => {
    if (entry.state !== 'deferred') return [];
    const next = entries[index + 1];
    const { reason } = dataOf(entry);
    const took =
      next === undefined ? 'still waiting' : `waited ${formatGap(next.wallTime - entry.wallTime)}`;
    return [`${took}: ${formatValue(reason ?? 'no reason recorded')}`];
  });
  return waits.length === 0 ? ['no wait'] : waits;
}

function sentLines(entries: readonly JournalEntry[]): string[] {
  const sends = entries.filter(({ state }) => state === 'sending');
  if (sends.length === 0) return ['nothing was sent'];
  return sends.flatMap((entry) => {
    const { attempt, endpoint, pathParams, query, body, ...rest } = dataOf(entry);
    const bytes = typeof body === 'string' ? body : '';
    const marketTime = `market time ${formatInstant(entry.marketTime)}`;
    const parts = [pathParams, query].filter((part) => isMap(part) && Object.keys(part).length > 0);
    const place = [formatValue(endpoint ?? 'unknown endpoint'), ...parts.map(formatValue)].join(
      ' ',
    );
    const more = Object.keys(rest).length === 0 ? [] : [formatFields(rest)];
    return [
      `attempt ${formatValue(attempt ?? '?')} at ${formatInstant(entry.wallTime)} (${marketTime}): ${place}, ${Buffer.byteLength(bytes)} bytes`,
      ...(bytes === '' ? [] : [bytes]),
      ...more,
    ];
  });
}

const ANSWERS = ['accepted', 'rejected', 'unknown', 'absent', 'unresolved', 'expired'];

function answerLines(entries: readonly JournalEntry[]): string[] {
  const lines = entries.flatMap((entry, index) => {
    if (!ANSWERS.includes(entry.state)) return [];
    const before = entries[index - 1];
    const took =
      before === undefined ? '' : ` after ${formatGap(entry.wallTime - before.wallTime)}`;
    const { record, fault, reason, ...rest } = dataOf(entry);
    const why = reason === undefined ? '' : `: ${formatValue(reason)}`;
    const said = [record, fault, rest].filter(isMap).flatMap((fields) => {
      // The request is already shown above.
      const { request: _request, ...own } = fields;
      return wrapFields(own);
    });
    const at = ` (market time ${formatInstant(entry.marketTime)})`;
    return [`${entry.state}${took}${why}${at}`, ...said.map((line) => `  ${line}`)];
  });
  if (lines.length > 0) return lines;
  if (entries.some(({ state }) => state === 'sending')) return ['none yet'];
  return [
    entries.at(-1)?.state === 'denied' ? 'none: it was never sent' : 'none: it has not been sent',
  ];
}

function fillLines(entries: readonly JournalEntry[]): string[] {
  const last = dataOf(entries.findLast(({ state }) => state === 'accepted'));
  const { fills, record } = last;
  if (Array.isArray(fills) && fills.length > 0) {
    return fills.map((fill) => (isMap(fill) ? formatFields(fill) : formatValue(fill)));
  }
  if (!isMap(record)) return ['none recorded'];
  const { filled_size: size, average_price: price, order_id, execution_id } = record;
  const id = order_id ?? execution_id;
  const isWhole = typeof size === 'number' && size === (record['size'] ?? record['total_size']);
  const whose =
    id === undefined || id === null || isWhole
      ? ''
      : `; ${formatValue(id)} has the rest on the service`;
  if (typeof size !== 'number' || size === 0) return [`none in the answer${whose}`];
  return [`${formatValue(size)} at ${formatValue(price ?? '?')} in the answer${whose}`];
}

/** The last state in a sentence, and what an operator can do about it. */
function conclusionOf({ intent, entries }: IntentLife): string {
  const { reason, settled_by: settledBy } = dataOf(entries.at(-1));
  const why = reason === undefined ? '' : ` (${formatValue(reason)})`;
  if (settledBy !== undefined) {
    return `${formatValue(settledBy)} settled it as ${intent.state}${why}.`;
  }
  switch (intent.state) {
    case 'emitted':
      return 'It was decided and has not been evaluated yet.';
    case 'denied':
      return 'Nothing left this machine: a guard stopped it.';
    case 'guarded':
    case 'deferred':
      return `It has not been sent yet${why}.`;
    case 'sending':
      return 'It may have been executed: no answer is recorded. The bot reconciles it at its next start.';
    case 'unknown':
      return `It may have been executed${why}; it counts with its full size until that is known.`;
    case 'accepted':
      return 'The service accepted it.';
    case 'rejected':
      return 'The service refused it; nothing was executed.';
    case 'absent':
      return 'It never arrived: the service was asked and has no record of it.';
    case 'unresolved':
      return `It is unresolved whether it was executed${why}. Settle it: ${settleCommand(intent.key)}`;
    case 'expired':
      return `It was not sent in time, and never will be${why}.`;
  }
}
