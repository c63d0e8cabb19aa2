import { existsSync, statSync } from 'node:fs';
import { DAY_MS } from '../../contract/durations.ts';
import type { BotConfig } from '../../config/index.ts';
import {
  FORMAT,
  formatOf,
  isFinal,
  JournalFault,
  readUpgrades,
  type JournalReader,
} from '../../journal/index.ts';
import { readBackupNote } from '../journal/backupNote.ts';
import { formatInstant } from '../journal/formatInstant.ts';
import { commandOf } from '../journal/commandOf.ts';
import { settleCommand } from '../journal/settleCommand.ts';
import { verifyLife } from '../journal/verifyJournal.ts';
import { examineBelonging } from './examineBelonging.ts';
import { bad, note, well, type Finding } from './Finding.ts';

export interface JournalOptions {
  config: BotConfig;
  /** Wall time, epoch milliseconds. */
  now: number;
  read<T>(use: (reader: JournalReader) => Promise<T>): Promise<T>;
}

/** The newest intents, which are verified step by step; the whole journal is `trimtab journal verify`. */
const NEWEST = 1_000;
const OLDEST_BACKUP_DAYS = 7;
const LARGE_BYTES = 2 * 2 ** 30;

/** The journal: its newest intents, what waits for an operator, its size and its backup. */
export async function examineJournal(options: JournalOptions): Promise<Finding[]> {
  const { config, read } = options;
  if (config.journal.path === 'memory') return [];
  try {
    const due = examineFormat(config);
    if (due !== undefined) return [due, ...examineSize(config), ...examineBackup(options)];
    return [
      ...(await read(examineUpgrades)),
      ...(await read((reader) => examineBelonging(reader, config))),
      ...(await read((reader) => examineIntents(reader, config))),
      ...examineSize(config),
      ...examineBackup(options),
    ];
  } catch (error) {
    if (!(error instanceof JournalFault)) throw error;
    if (error.code === 'missing') return [well('journal', 'there is none yet')];
    const [text, ...rest] = error.message.split('\n');
    const remedy =
      rest.map((line) => line.trim()).join(' ') || 'Restore a backup: trimtab journal restore.';
    return [bad('journal', text!, remedy)];
  }
}

/** What the next start changes of the file; undefined if nothing. A newer format is the reader's to refuse. */
function examineFormat({ journal }: BotConfig): Finding | undefined {
  if (journal.url !== undefined || !existsSync(journal.path)) return undefined;
  const format = formatOf(journal.path);
  if (format < 1 || format >= FORMAT) return undefined;
  const size = (statSync(journal.path).size / 2 ** 20).toFixed(1);
  return note(
    'journal format',
    `${format}; the next start backs it up beside it and brings it to ${FORMAT}`,
    `Leave ${size} MiB free beside it, twice. It is not examined before.`,
  );
}

async function examineUpgrades(reader: JournalReader): Promise<Finding[]> {
  return readUpgrades(await reader.facts()).map(({ from, to, time, version, backup }) =>
    well(
      'journal format',
      `${to}, from ${from} at ${formatInstant(time)} by trimtab ${version}; as it was: ${backup}`,
    ),
  );
}

async function examineIntents(reader: JournalReader, config: BotConfig): Promise<Finding[]> {
  const newest = await reader.find({ limit: NEWEST });
  const problems: string[] = [];
  let steps = 0;
  for (const { key } of newest.items) {
    const life = await reader.life(key);
    if (life === undefined) continue;
    steps += life.entries.length;
    verifyLife(life, (problem) => problems.push(problem));
  }
  const checked = `${newest.items.length} newest intents, ${steps} steps`;
  const verified =
    problems.length === 0
      ? well('journal', `${checked}, in order`)
      : bad('journal', `${checked}: ${problems[0]}`, 'trimtab journal verify lists all of them.');
  const open = await reader.find({ limit: 20, states: ['unresolved'] });
  const unknown = newest.items.filter(({ state }) => state === 'unknown' || state === 'sending');
  const waiting = newest.items.filter(({ state }) => !isFinal(state)).length;
  return [
    verified,
    ...(waiting === 0 ? [] : [well('open intents', `${waiting} are not over`)]),
    ...unknown.map(({ key, kind, instance }) =>
      note(
        'unknown',
        `${kind} of ${instance} was sent and has no answer`,
        `The bot looks it up; if it stays: ${settleCommand(key, config)}`,
      ),
    ),
    ...open.items.map(({ key, kind, instance }) =>
      bad(
        'unresolved',
        `${kind} of ${instance} counts with its full exposure`,
        `Look it up on the service, then: ${settleCommand(key, config)}`,
      ),
    ),
  ];
}

function examineSize({ journal }: BotConfig): Finding[] {
  if (journal.url !== undefined || !existsSync(journal.path)) return [];
  const { size } = statSync(journal.path);
  const text = `${(size / 2 ** 20).toFixed(1)} MiB`;
  if (size < LARGE_BYTES) return [well('journal size', text)];
  return [note('journal size', text, 'Lower journal.keep_days, which retires finished intents.')];
}

function examineBackup({ config, now }: JournalOptions): Finding[] {
  const { journal, link } = config;
  if (journal.url !== undefined || !existsSync(journal.path)) return [];
  const last = readBackupNote(journal.path);
  const remedy = `${commandOf(config, 'journal backup', 'FILE')}, each day`;
  const days = last === undefined ? Infinity : (now - last.time) / DAY_MS;
  if (days <= OLDEST_BACKUP_DAYS)
    return [
      well('backup', `${days < 1 ? 'today' : `${Math.floor(days)} days ago`}, ${last!.file}`),
    ];
  const text = last === undefined ? 'none was made' : `the last is ${Math.floor(days)} days old`;
  return [link.kind === 'live' ? bad('backup', text, remedy) : note('backup', text, remedy)];
}
