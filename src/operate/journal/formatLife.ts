import type { IntentLife, JournalEntry } from '../../journal/index.ts';
import { formatColumns } from '../progress/formatColumns.ts';
import { formatFields } from './formatFields.ts';
import { formatInstant } from './formatInstant.ts';
import { intentOf, summaryOf } from './formatIntents.ts';
import { readJson } from './readJson.ts';

const HEAD = ['time (UTC)', 'market time', 'after', 'state', 'what is known'];
const ALIGN = ['left', 'left', 'right', 'left', 'left'] as const;

/** `explain` and `export` have the full text. */
const LONGEST = 160;

/** Every step of an intent, with its recorded details. */
export function formatLife({ intent, entries }: IntentLife): string {
  const rows = entries.map((entry, index) => cells(entry, entries[index - 1]));
  return [headOf(intent), '', formatColumns([HEAD, ...rows], ALIGN)].join('\n');
}

export function headOf(intent: IntentLife['intent']): string {
  const { key, decisionKey, generation, instance, wallet, kind, state } = intent;
  return [
    `${kind} ${summaryOf(intentOf(intent))}`.trim(),
    `  state     ${state}`,
    `  strategy  ${instance} on ${wallet}`,
    `  key       ${key}`,
    `  decision  ${decisionKey}${generation === 0 ? '' : `, generation ${generation}`}`,
  ].join('\n');
}

function cells(entry: JournalEntry, before: JournalEntry | undefined): string[] {
  const after = before === undefined ? '' : formatGap(entry.wallTime - before.wallTime);
  const known = formatFields(readJson(entry.data));
  const shown = known.length > LONGEST ? `${known.slice(0, LONGEST)}…` : known;
  const times = [formatInstant(entry.wallTime), formatInstant(entry.marketTime)];
  return [...times, after, entry.state, shown];
}

/** Milliseconds between two steps, in a readable precision. */
export function formatGap(gapMs: number): string {
  if (Math.abs(gapMs) < 10_000) return `${Math.round(gapMs)} ms`;
  return `${(gapMs / 1_000).toFixed(1)} s`;
}
