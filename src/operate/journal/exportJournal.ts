import type { IntentLife, JournalReader, KnownIntent } from '../../journal/index.ts';
import { readJson } from './readJson.ts';

export const EXPORT_FORMATS = ['jsonl', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const CSV_HEAD =
  'key,decision_key,generation,instance,wallet,kind,step,state,wall_time,market_time,data\n';

/** The whole journal, oldest first: JSONL has one intent per line, CSV one step per row. */
export async function* exportJournal(
  reader: JournalReader,
  format: ExportFormat,
): AsyncIterable<string> {
  if (format === 'csv') yield CSV_HEAD;
  for await (const life of reader.lives()) {
    yield format === 'csv' ? toRows(life) : `${JSON.stringify(toRecord(life))}\n`;
  }
}

function toRecord({ intent, entries }: IntentLife): unknown {
  return {
    ...toIntentRecord(intent),
    steps: entries.map((entry) => ({
      state: entry.state,
      wall_time: entry.wallTime,
      market_time: entry.marketTime,
      data: readJson(entry.data),
    })),
  };
}

/** An intent without its steps, as the export and `journal list --json` give it. */
export function toIntentRecord(known: KnownIntent): object {
  const { key, decisionKey, generation, instance, wallet, kind, state, opened, updated } = known;
  return {
    key,
    decision_key: decisionKey,
    generation,
    instance,
    wallet,
    kind,
    state,
    opened_time: opened,
    updated_time: updated,
    market_time: known.marketOpened,
    ...readJson(known.intent),
  };
}

function toRows({ intent, entries }: IntentLife): string {
  const { key, decisionKey, generation, instance, wallet, kind } = intent;
  const rows = entries.map(({ state, wallTime, marketTime, data }, index) =>
    [key, decisionKey, generation, instance, wallet, kind, index, state, wallTime, marketTime, data]
      .map(toCell)
      .join(','),
  );
  return rows.map((row) => `${row}\n`).join('');
}

/** Quoted if needed (RFC 4180), and protected from being read as a formula by a spreadsheet. */
function toCell(value: string | number): string {
  const text = String(value);
  const safe = typeof value === 'string' && /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
