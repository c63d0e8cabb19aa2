import { Command, InvalidArgumentError, Option } from 'commander';
import { withFullStop } from '../env/index.ts';
import type { BotConfig } from '../config/index.ts';
import type { Env } from '../env/index.ts';
import { JournalFault, type IntentLife } from '../journal/index.ts';
import { askToSettle, controlFilesOfBot, type ControlFiles } from '../operate/control/index.ts';
import { findLife, placeWord, settleInJournal } from '../operate/journal/index.ts';
import type { ReadRecord, Settlement } from '../runtime/index.ts';
import { botStopping, CommandFailure } from './failures/CommandFailure.ts';
import { createCliEnv } from './process/createCliEnv.ts';
import { createRecordReader } from './control/createRecordReader.ts';
import { isAlive } from './control/isAlive.ts';
import { journalFailure } from './failures/journalFailure.ts';
import {
  journalOfControlledBot,
  loadControlledBot,
  type ControlledBotFlags,
} from './control/loadControlledBot.ts';
import { personHere } from './control/personHere.ts';
import { readJournalOf } from './control/readJournalOf.ts';

const EXAMPLES = `
For an unresolved intent: it may have been executed, the bot can't find out, and it counts with its full
exposure at every start. Check the service, then record what you found; that is final. It works on the
bot's host whether the bot runs or not; while it does not run, an unknown intent can be settled as well.

  accepted  it was executed. With --record, exposure follows that order or execution as after a normal
            response; without, exposure is what the account shows. The service is asked for each id, by the
            running bot, or by this command with the bot's key: an id that is not on the wallet, or of another
            symbol, side or kind, is refused. Where it can't be asked, --unchecked takes your word for them.
  absent    it was never executed and never will be. Its exposure is released; if the strategy makes the
            same decision again, it is sent under a new key.

KEY may be shortened as long as it is unique.

Examples:
  trimtab journal list live.yaml --state unresolved
  trimtab settle live.yaml 5e2f --as absent --reason "no such basket in its list"
  trimtab settle live.yaml 5e2f --as accepted --record exe_17 --record exe_18 --reason "found its legs"
`;

interface Flags extends ControlledBotFlags {
  as: Settlement['as'];
  record: string[];
  unchecked?: boolean;
  reason: string;
}

/** `trimtab settle`: an operator sets the outcome of an intent that the bot can't reconcile. */
export function createSettleCommand(): Command {
  return new Command('settle')
    .description('record the outcome of an unresolved intent, so that it no longer counts')
    .argument('<config>', "the bot's YAML")
    .argument('<key>', 'key of an intent, or the start of one')
    .addOption(
      new Option('--as <what>', 'what you found on the service')
        .choices(['accepted', 'absent'])
        .makeOptionMandatory(),
    )
    .option(
      '--record <id>',
      "the service's id of the resulting record; repeat for each leg",
      collect,
      [],
    )
    .option('--unchecked', 'take the ids of --record as they are, without asking the service')
    .requiredOption('--reason <text>', 'how you know, for the journal', readReason)
    .addOption(journalOfControlledBot())
    .addHelpText('after', EXAMPLES)
    .action(settle);
}

async function settle(path: string, key: string, flags: Flags): Promise<void> {
  const { as, record: records, reason, unchecked } = flags;
  if (as === 'absent' && records.length > 0) {
    const remedy = 'Omit --record, or use --as accepted.';
    throw new CommandFailure(
      'TRIMTAB_USAGE',
      `An absent intent has no record such as ${records[0]}.\n  ${remedy}`,
      2,
    );
  }
  if (unchecked === true && records.length === 0) {
    const remedy = 'Name them with --record, or leave --unchecked out.';
    throw new CommandFailure('TRIMTAB_USAGE', `--unchecked is about records.\n  ${remedy}`, 2);
  }
  const { config } = await loadControlledBot(path, flags);
  const files = controlFilesOfBot(config);
  if (files === null) {
    throw new CommandFailure(
      'TRIMTAB_JOURNAL_IN_MEMORY',
      `${config.name} keeps its journal in memory, which ends with its process; there is nothing to settle.`,
    );
  }
  const life = await find(config, key);
  const settlement = { as, records, unchecked, reason, by: personHere() };
  const env = createCliEnv('warn', true);
  const service = createRecordReader({ path, journal: flags.journal, env });
  const { read } = service;
  let refused: string | undefined;
  try {
    refused = await settleIntent({ config, files, env, life, settlement, read });
  } finally {
    await service.close();
  }
  if (refused !== undefined) {
    throw new CommandFailure(
      'TRIMTAB_SETTLE_REFUSED',
      `${life.intent.key} can't be settled: ${withFullStop(refused)}`,
    );
  }
  process.stdout.write(`${life.intent.kind} ${life.intent.key} is ${as}.\n`);
}

async function find(config: BotConfig, key: string): Promise<IntentLife> {
  const found = await readJournalOf(config, (reader) =>
    findLife(reader, key, placeOf(config)),
  ).catch((error: unknown) => {
    if (!(error instanceof JournalFault) || error.code !== 'missing') return journalFailure(error);
    const { name, journal } = config;
    return `${name} has no journal in ${journal.path} yet; there is nothing to settle.`;
  });
  if (typeof found === 'string') throw new CommandFailure('TRIMTAB_JOURNAL_NO_SUCH_INTENT', found);
  return found;
}

/** What the user calls the journal. */
const placeOf = ({ journalFlag, file }: BotConfig): string => journalFlag ?? file;

interface SettleRequest {
  config: BotConfig;
  files: ControlFiles;
  env: Env;
  life: IntentLife;
  settlement: Settlement;
  read: ReadRecord;
}

/**
 * The journal's lock shows whether a bot runs, even on another host: the journal's writer must record the
 * settlement.
 */
async function settleIntent(request: SettleRequest): Promise<string | undefined> {
  try {
    return await settleInJournal(request);
  } catch (error) {
    if (!(error instanceof JournalFault) || error.code !== 'in_use') return journalFailure(error);
    return askBot(request, error);
  }
}

async function askBot(request: SettleRequest, inUse: JournalFault): Promise<string | undefined> {
  const { env, files, life, settlement, config } = request;
  const { key } = life.intent;
  const answer = await askToSettle({ env, files, key, asked: settlement, isAlive });
  switch (answer.kind) {
    case 'done':
      return undefined;
    case 'refused':
      return answer.reason;
    case 'failed': {
      const where = "Look at the bot's log and its journal's disk or database.";
      throw new CommandFailure(
        'TRIMTAB_SETTLE_REFUSED',
        `${key} is not settled: ${withFullStop(answer.reason)}\n  ${where}`,
      );
    }
    case 'not_running':
      throw new CommandFailure(
        'TRIMTAB_BOT_NOT_RUNNING',
        `${inUse.message}\n  No bot listens here: run this on the host where it runs, or once it has started.`,
        1,
        { cause: inUse },
      );
    case 'stopping':
      throw botStopping(config.name);
    case 'silent': {
      const remedy = `It may still do it: look with trimtab journal explain ${placeWord(placeOf(config))} ${key}.`;
      throw new CommandFailure(
        'TRIMTAB_BOT_SILENT',
        `${config.name} (process ${answer.pid}) did not answer: its main loop or its journal hangs.\n  ${remedy}`,
      );
    }
  }
}

function collect(id: string, before: string[]): string[] {
  if (id.trim() === '') throw new InvalidArgumentError('It takes an id, such as exe_17.');
  return [...before, id];
}

function readReason(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('Say how you know: who reads the journal later will ask.');
}
