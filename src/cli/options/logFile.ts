import { existsSync } from 'node:fs';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { DAY_MS } from '../../contract/durations.ts';
import { counted, createLiveEnv, type Env } from '../../env/index.ts';
import {
  createLogFile,
  createPinoLog,
  explainUnwritable,
  logFilesOf,
  type LogLevel,
} from '../../operate/index.ts';
import { CommandFailure } from '../failures/CommandFailure.ts';
import { createCliEnv } from '../process/createCliEnv.ts';

export interface LogFileFlags {
  log?: string;
  logMaxMb: number;
  logMaxDays?: number;
  logKeep: number;
}

const MOST_FILES = 1_000;

/** `--log FILE` and its limits. */
export function addLogFileOptions(command: Command): Command {
  return command
    .option('--log <file>', 'log into this file instead of the standard error')
    .addOption(limit('--log-max-mb <n>', 'size at which the file is ended', 10))
    .addOption(limit('--log-max-days <n>', 'age at which it is ended; default: none'))
    .addOption(
      new Option('--log-keep <n>', 'ended files that remain: FILE.1 is the newest')
        .argParser(readCount)
        .default(5),
    );
}

const limit = (flags: string, text: string, preset?: number): Option =>
  new Option(flags, text).argParser(readAmount).default(preset);

function readAmount(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('It takes a number above 0, such as 10.');
}

function readCount(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isInteger(value) && value >= 0 && value <= MOST_FILES)
    return value;
  throw new InvalidArgumentError(`It takes a whole number from 0 to ${MOST_FILES}, such as 5.`);
}

/**
 * The real machine, with a log in the file that the flags name, or on stderr. SIGHUP opens the file again, so that
 * logrotate may move it; without a file, that signal stops a bot as before.
 *
 * @throws CommandFailure if the file can't be written
 */
export function createLoggedEnv(level: LogLevel, flags: LogFileFlags): Env {
  const { log: path } = flags;
  if (path === undefined) return createCliEnv(level);
  const unwritable = explainUnwritable(path);
  if (unwritable !== null)
    throw new CommandFailure('TRIMTAB_OUTPUT_UNWRITABLE', `--log: ${path}: ${unwritable}`);
  const { clock } = createLiveEnv();
  const file = createLogFile({
    path,
    maxBytes: flags.logMaxMb * 1_000_000,
    maxAgeMs: flags.logMaxDays === undefined ? undefined : flags.logMaxDays * DAY_MS,
    keep: flags.logKeep,
    clock,
    onLost: (reason) =>
      void process.stderr.write(`--log: ${path} can't be written, and lines are lost: ${reason}\n`),
    onOversized: (reason) =>
      void process.stderr.write(
        `--log: ${path} is full and can't be ended, so it grows on: ${reason}\n`,
      ),
    onBack(lost) {
      const what = counted(lost, 'line of this log was', 'lines of this log were');
      log.error(`${what} lost before this one: it could not be written`, { lost });
    },
  });
  const log = createPinoLog({ level, clock, isTerminal: false, write: file.write });
  if (process.platform !== 'win32') process.on('SIGHUP', file.reopen);
  return createLiveEnv({ log });
}

/** The files of a log that exist, oldest first. */
export function existingLogFiles(path: string): string[] {
  let ended = 0;
  while (existsSync(`${path}.${ended + 1}`)) ended += 1;
  return logFilesOf(path, ended);
}
