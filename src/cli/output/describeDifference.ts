import type { Difference, IntentDifference } from '../../operate/recording/index.ts';

/** The first intent that differs, as lines for a terminal. */
export function describeDifference({ index, first, second, fields }: IntentDifference): string {
  const known = first ?? second;
  const at = known === undefined ? '' : ` at ${new Date(known.marketTime).toISOString()}`;
  const head = `  intent ${index + 1}${at}: ${known?.decisionKey ?? ''}\n`;
  if (first === undefined) return `${head}    only in the second\n`;
  if (second === undefined) return `${head}    only in the first\n`;
  return head + describeFields(fields);
}

export function describeFields(fields: readonly Difference[]): string {
  return fields.map((field) => `    ${describeField(field)}\n`).join('');
}

function describeField({ path, first, second }: Difference): string {
  return `${path === '' ? 'all of it' : path}: ${show(first)} → ${show(second)}`;
}

const LONGEST = 120;

function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
