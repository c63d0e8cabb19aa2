import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Command, Option } from 'commander';
import {
  explainUnreadable,
  formatLogLine,
  LOG_LEVELS,
  type LogLevel,
  visibleText,
} from '../operate/index.ts';
import { CommandFailure } from './failures/CommandFailure.ts';
import { existingLogFiles } from './options/logFile.ts';
import { sayNext, whileRead } from './output/say.ts';
import { tzOption, type TzFlag } from './options/tzOption.ts';

const EXAMPLES = `
A bot logs one JSON object a line on its standard error, or into the file of run --log, whose ended files (FILE.1, …)
are read first. FILE may be - or left out for the standard input. Lines that
are no JSON, such as a start's, are shown as they are.

Examples:
  journalctl -u my-bot -o cat -f | trimtab logs --level warn
  trimtab logs my-bot.log --key 5e2f
  trimtab logs my-bot.log --strategy trend --symbol ETH --tz Europe/Berlin
`;

/** Fields of a line that a flag looks at. */
const FIELDS = ['key', 'strategy', 'wallet', 'symbol'] as const;

interface Flags extends Partial<Record<(typeof FIELDS)[number], string>>, TzFlag {
  level: LogLevel;
}

/** `trimtab logs`: a bot's log for a person. */
export function createLogsCommand(): Command {
  return new Command('logs')
    .description("a bot's log in readable lines, filtered")
    .argument('[file]', 'lines that a bot logged; default: the standard input', '-')
    .option('--key <key>', 'only about this intent; a key may be shortened')
    .option('--strategy <name>', 'only of this strategy')
    .option('--wallet <id>', 'only on this wallet')
    .option('--symbol <symbol>', 'only of this symbol')
    .addOption(
      new Option('--level <level>', 'lowest level to show')
        .choices(LOG_LEVELS.filter((level) => level !== 'silent'))
        .default('debug'),
    )
    .addOption(tzOption())
    .addHelpText('after', EXAMPLES)
    .action(logs);
}

async function logs(file: string, flags: Flags): Promise<void> {
  try {
    if (file === '-') await showFrom(process.stdin, flags);
    else
      for (const path of existingLogFiles(file))
        await showFrom(createReadStream(path, 'utf8'), flags);
  } catch (error) {
    const remedy = 'Name the file into which the bot logs, or pipe it in.';
    const why = explainUnreadable(error, file, remedy);
    throw new CommandFailure('TRIMTAB_LOG_UNREADABLE', `${file} can't be read: ${why}`);
  }
}

async function showFrom(input: NodeJS.ReadableStream, flags: Flags): Promise<void> {
  const failed = new Promise<never>((_resolve, reject) => input.once('error', reject));
  await Promise.race([failed, whileRead(() => show(createInterface(input), flags))]);
}

async function show(lines: AsyncIterable<string>, flags: Flags): Promise<void> {
  const isFiltered = FIELDS.some((name) => flags[name] !== undefined);
  const least = NUMBERS[flags.level]!;
  for await (const line of lines) {
    const entry = toEntry(line);
    // What is no line of the log has neither level nor fields.
    if (entry === undefined) {
      if (!isFiltered && line !== '') await sayNext(`${visibleText(line)}\n`);
    } else if (entry.level >= least && matches(entry, flags))
      await sayNext(formatLogLine(line, flags.tz));
  }
}

/** Pino's numbers. */
const NUMBERS: Readonly<Record<string, number>> = { debug: 20, info: 30, warn: 40, error: 50 };

type Entry = Readonly<Record<string, unknown>> & { level: number };

function toEntry(line: string): Entry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isEntry =
      typeof value === 'object' &&
      value !== null &&
      'level' in value &&
      typeof value.level === 'number' &&
      'time' in value &&
      typeof value.time === 'number' &&
      'msg' in value;
    return isEntry ? (value as Entry) : undefined;
  } catch {
    return undefined;
  }
}

function matches(entry: Entry, flags: Flags): boolean {
  return FIELDS.every((name) => {
    const asked = flags[name];
    if (asked === undefined) return true;
    const value = entry[name];
    if (typeof value !== 'string') return false;
    return name === 'key' ? value.startsWith(asked) : value === asked;
  });
}
