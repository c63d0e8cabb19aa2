import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { loadJournalSection } from '../config/index.ts';
import { counted, createLiveEnv, withFullStop } from '../env/index.ts';
import { INTENT_KINDS } from '../intents/index.ts';
import {
  INTENT_STATES,
  type IntentFilter,
  type IntentLife,
  type IntentState,
  type JournalReader,
} from '../journal/index.ts';
import { controlFilesOfBot, readLevelsBeside, showStoppedLevel } from '../operate/control/index.ts';
import {
  countProblems,
  backupJournal,
  commandOf,
  downgradeJournal,
  explainLife,
  EXPORT_FORMATS,
  exportJournal,
  findLife,
  formatIntents,
  formatLatches,
  formatLife,
  formatVerification,
  FORMER_FORMATS,
  openJournalReader,
  restoreJournal,
  toIntentRecord,
  verifyJournal,
  writeBackupNote,
  type ExportFormat,
  type Verification,
} from '../operate/journal/index.ts';
import { CommandFailure, configFailure } from './failures/CommandFailure.ts';
import { journalFailure } from './failures/journalFailure.ts';
import {
  journalOfControlledBot,
  loadControlledBot,
  type ControlledBotFlags,
} from './control/loadControlledBot.ts';
import { readCursor, readLimit, readSince, readStates } from './options/journalFilter.ts';
import { tzOption, type TzFlag } from './options/tzOption.ts';
import { say, sayNext, whileRead } from './output/say.ts';

const EXAMPLES = `
JOURNAL is a SQLite file, postgres://…, or a bot's YAML, which names its journal. The bot may be
running. KEY may be shortened as long as it is unique.

Examples:
  trimtab journal list bot.yaml                          the latest decisions
  trimtab journal list bot.yaml --state unknown --since 2h
  trimtab journal explain bot.yaml 5e2f                  why it was sent, and its outcome
  trimtab journal verify var/my-bot.sqlite               is it intact and consistent?
  trimtab journal backup bot.yaml /backups/my-bot-0131.sqlite
  trimtab journal export bot.yaml --format csv > journal.csv
`;

interface ListFlags {
  state?: IntentState[];
  instance?: string;
  wallet?: string;
  kind?: string;
  since?: number;
  limit: number;
  cursor?: string;
  account?: string;
  json?: boolean;
}
type Flags = { account?: string };

/** `trimtab journal`: shows a bot's decisions to an operator. */
export function createJournalCommand(): Command {
  const command = new Command('journal')
    .description(
      'look into a journal: list, show, explain, latches, verify, backup, restore, downgrade, export',
    )
    .addHelpText('after', EXAMPLES);
  command.addCommand(createListCommand());
  command.addCommand(lifeCommand('show', 'every step of one intent, with its times', formatLife));
  command.addCommand(
    lifeCommand(
      'explain',
      'explain one intent: cause, guards, budget, bytes, responses',
      explainLife,
    ),
  );
  command.addCommand(
    journalCommand('latches', 'kill levels, quarantines and keys, and who set or released them')
      .addOption(tzOption())
      .action(latches),
  );
  command.addCommand(
    journalCommand('verify', 'check its integrity; exits with 1 on any problem').action(verify),
  );
  command.addCommand(
    journalCommand('backup', 'copy it into a file, even while its bot runs, and verify the copy')
      .argument('<out>', 'a new file; only its owner may read it')
      .action(backup),
  );
  command.addCommand(createRestoreCommand());
  command.addCommand(createDowngradeCommand());
  command.addCommand(
    journalCommand('export', 'write all of it to the standard output')
      .addOption(
        new Option('--format <format>', 'an intent a line, or a step a row')
          .choices([...EXPORT_FORMATS])
          .default('jsonl'),
      )
      .action(exportAll),
  );
  return command;
}

function journalCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .argument('<journal>', "SQLite file, postgres://… or a bot's YAML")
    .option('--account <name>', 'account of the journal, if a database has several');
}

function lifeCommand(
  name: string,
  description: string,
  format: (life: IntentLife) => string,
): Command {
  return journalCommand(name, description)
    .argument('<key>', 'key of an intent, or the start of one')
    .action((journal: string, key: string, flags: Flags) =>
      withReader(journal, flags, async (reader) => {
        const found = await findLife(reader, key, journal);
        if (typeof found === 'string')
          throw new CommandFailure('TRIMTAB_JOURNAL_NO_SUCH_INTENT', found);
        await say(`${format(found)}\n`);
      }),
    );
}

function createRestoreCommand(): Command {
  return new Command('restore')
    .description(
      'put a backup in the place of a stopped bot’s journal; it then starts at L1 or above',
    )
    .argument('<config>', "the bot's YAML")
    .argument('<backup>', 'a file that journal backup made')
    .addOption(journalOfControlledBot())
    .addHelpText('after', RESTORE)
    .action(restore);
}

async function restore(path: string, from: string, flags: ControlledBotFlags): Promise<void> {
  const { config } = await loadControlledBot(path, flags);
  const env = createLiveEnv();
  const files = controlFilesOfBot(config);
  const last = files === null ? {} : readLevelsBeside(files);
  const options = { config, env, from: resolve(from), pid: process.pid, last };
  const restored = await asFailure(() => restoreJournal(options));
  if (!restored.ok)
    throw new CommandFailure(
      'TRIMTAB_JOURNAL_NOT_RESTORED',
      `${from} was not restored: ${withFullStop(restored.reason)}\n  ${restored.remedy}`,
    );
  const { found, aside, level, latches: others, unread } = restored;
  if (files !== null) showStoppedLevel(files, level);
  const before = aside === null ? '' : ` The one that stood there is ${aside}.`;
  const lost = unread ? UNREAD : '';
  const next = commandOf({ ...config, file: path }, 'rearm');
  const more = others.length === 0 ? '' : ` In force, too: ${others.join(', ')}.`;
  await say(
    `${config.journal.path}: ${counted(found.intents, 'intent')} (${found.open} open), verified.${before}\n${lost}` +
      `${config.name} starts at ${level}.${more} Compare positions and orders with the service (trimtab doctor), then: ${next}\n`,
  );
}

const UNREAD =
  'That one can’t be read whole: pauses, throttles, stages, ignored positions, the day’s loss and purchases that only it\n' +
  'had may be missing. Set them again before the bot trades.\n';

const RESTORE = `
The bot must not run. What stands there is set aside, never deleted. A restored journal does not know what was decided
after the backup, so the bot starts at L1: its exits work, and it enters only after trimtab rearm. A higher level, pauses,
throttles, stages and ignored positions stay, and so do the day's loss, purchases and owners that were noted since: those
of the backup, and those of the journal that stood there, where it can be read.

Example:
  trimtab journal restore live.yaml /backups/my-bot-0131.sqlite
`;

function createListCommand(): Command {
  return journalCommand('list', 'intents, newest first')
    .option(
      '--state <states>',
      `only in these states, comma-separated: ${INTENT_STATES.join(', ')}`,
      readStates,
    )
    .option('--instance <name>', 'only of this strategy')
    .option('--wallet <id>', 'only on this wallet')
    .addOption(new Option('--kind <kind>', 'only of this kind').choices(INTENT_KINDS))
    .option('--since <time>', 'only since a date (UTC) or for so long: 30m, 2h, 7d', readSince)
    .option('--limit <n>', 'how many', readLimit, 20)
    .option('--cursor <cursor>', 'continue after the previous page', readCursor)
    .option(
      '--json',
      'one JSON object: items, as journal export writes them without steps, and next',
    )
    .action((journal: string, flags: ListFlags) =>
      withReader(journal, flags, async (reader) => {
        const { state, account: _account, json: isJson = false, ...rest } = flags;
        const filter = { ...rest, ...(state === undefined ? {} : { states: state }) };
        const page = await reader.find(pick(filter));
        if (isJson) {
          const items = page.items.map(toIntentRecord);
          return say(`${JSON.stringify({ items, next: page.next })}\n`);
        }
        await say(`${formatIntents(page)}\n`);
        if (page.items.length === 0) await namePlaces(reader, flags);
        if (page.next !== null) await say(`\nMore: the same with --cursor ${page.next}\n`);
      }),
    );
}

const NEWEST = 1_000;

/** A name that is misspelt lists nothing: names those of the newest intents. */
async function namePlaces(
  reader: JournalReader,
  { instance, wallet }: Pick<ListFlags, 'instance' | 'wallet'>,
): Promise<void> {
  if (instance === undefined && wallet === undefined) return;
  const { items } = await reader.find({ limit: NEWEST });
  const places = new Set(items.map((one) => `${one.instance} on ${one.wallet}`));
  if (places.size === 0) return;
  process.stderr.write(`The newest intents here are of ${[...places].toSorted().join(', ')}.\n`);
}

/** Commander's own flags, such as --debug, are not part of a filter. */
function pick(flags: IntentFilter & { debug?: boolean }): IntentFilter {
  const { debug: _debug, ...filter } = flags;
  return filter;
}

async function latches(journal: string, flags: Flags & TzFlag): Promise<void> {
  await withReader(journal, flags, async (reader) => {
    await say(`${formatLatches(await reader.latchChanges(), { zone: flags.tz, isWhole: true })}\n`);
  });
}

async function verify(journal: string, flags: Flags): Promise<void> {
  await withReader(journal, flags, async (reader) => {
    const found = await verifyJournal(reader);
    await say(`${formatVerification(found)}\n`);
    if (isWrong(found)) {
      throw new CommandFailure(
        'TRIMTAB_JOURNAL_PROBLEMS',
        `The journal has ${countProblems(found)}.`,
      );
    }
  });
}

async function backup(journal: string, out: string, flags: Flags): Promise<void> {
  const place = await placeOf(journal, flags);
  const made = await asFailure(() => backupJournal(place, out, process.pid));
  if (!made.ok) throw new CommandFailure(made.code, made.reason);
  const { found } = made;
  if (isWrong(found)) {
    await say(`${formatVerification(found)}\n`);
    throw new CommandFailure(
      'TRIMTAB_JOURNAL_PROBLEMS',
      `The journal has ${countProblems(found)}; no backup was made.`,
    );
  }
  writeBackupNote(place.place, { time: createLiveEnv().clock.wallNow(), file: resolve(out) });
  await say(`${out}: ${counted(found.intents, 'intent')} (${found.open} open), verified.\n`);
}

function createDowngradeCommand(): Command {
  return journalCommand('downgrade', 'write it into a new file, in the format of a former version')
    .argument('<out>', 'a new file; only its owner may read it')
    .addOption(
      new Option('--to <format>', 'the format')
        .choices(FORMER_FORMATS.map(String))
        .makeOptionMandatory(),
    )
    .addHelpText('after', DOWNGRADE)
    .action(downgrade);
}

const DOWNGRADE = `
The journal itself is not changed; stop its bot first, or what it appends afterwards is missing. Latches that are set and
keys of compacted intents have no place in format 1 and refuse it; released latches, the account's name and the bot's notes
(the day's loss, purchases, owners of positions) are left out.
An upgrade also leaves the journal as it was beside it: bot.v1.sqlite.

Example:
  trimtab journal downgrade bot.yaml var/bot.former.sqlite --to 1
`;

async function downgrade(journal: string, out: string, flags: Flags): Promise<void> {
  const place = await placeOf(journal, flags);
  const made = await asFailure(() => downgradeJournal(place, out, process.pid));
  if (!made.ok) throw new CommandFailure(made.code, made.reason);
  const { intents, steps } = made.wrote;
  await say(`${out}: format 1, ${counted(intents, 'intent')}, ${counted(steps, 'step')}.\n`);
  if (made.leftOut.length === 0) return;
  await say(
    `Format 1 has no place for what the bot has noted: ${made.leftOut.join(', ')}. The former version begins with none of it.\n`,
  );
}

const isWrong = ({ problems, replayedHash, storedHash }: Verification): boolean =>
  problems.length > 0 || replayedHash !== storedHash;

async function exportAll(journal: string, flags: Flags & { format: ExportFormat }): Promise<void> {
  await withReader(journal, flags, async (reader) => {
    for await (const text of exportJournal(reader, flags.format)) await sayNext(text);
  });
}

async function withReader(
  journal: string,
  flags: Flags,
  use: (reader: JournalReader) => Promise<void>,
): Promise<void> {
  await asFailure(async () => {
    const reader = await openJournalReader(await placeOf(journal, flags));
    try {
      await whileRead(() => use(reader));
    } finally {
      await reader.close();
    }
  });
}

async function asFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    return journalFailure(error);
  }
}

async function placeOf(journal: string, { account }: Flags) {
  const named = account === undefined ? {} : { account };
  if (!/\.ya?ml$/i.test(journal)) return { place: journal, ...named };
  const loaded = await loadJournalSection(journal);
  if (!loaded.ok) throw configFailure(loaded.faults);
  const { path, url, account: written } = loaded.journal;
  const whose = written === undefined ? {} : { account: written };
  return { place: url?.reveal() ?? path, ...whose, ...named };
}
