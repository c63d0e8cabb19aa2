import { createRequire } from 'node:module';
import type { Logger, pino } from 'pino';
import { withoutSecrets, type Clock, type Log, type LogFields } from '../env/index.ts';
import { formatLogLine } from './formatLogLine.ts';
import { CLEAR_LINE } from './progress/createProgress.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface PinoLogOptions {
  level?: LogLevel;
  clock: Pick<Clock, 'wallNow'>;
  /** Readable lines instead of JSON, for a terminal. */
  isTerminal: boolean;
  /**
   * The process ends soon, and may log nothing: pino is loaded with the first line. Otherwise it is at once, since the
   * first line of a bot may come after months, when its packages have been replaced.
   */
  isBrief?: boolean;
  write: (text: string) => void;
}

const LONGEST = 500;

/** Names of values that a log must not contain, from any caller. */
const SECRET_NAME = /secret|signature|password|passphrase|authorization/i;

/**
 * Pino's own fields: a second one of the same name would be written beside it, and parsers take the last.
 * So that a field never replaces a line's level, its name gets a trailing `_`.
 */
export const PINO_FIELDS: ReadonlySet<string> = new Set([
  'level',
  'time',
  'pid',
  'hostname',
  'msg',
  'name',
]);

/** Its 30 files are a part of a command's start. */
function loadPino(): typeof pino {
  const loaded = createRequire(import.meta.url)('pino') as { pino: typeof pino };
  return loaded.pino;
}

/** The log port over pino: one JSON object per line, with times from the injected clock. */
export function createPinoLog(options: PinoLogOptions): Log {
  const level: LogLevel = options.level ?? 'info';
  const timestamp = () => `,"time":${options.clock.wallNow()}`;
  // Clears a line of progress, which is redrawn below.
  const show = (line: string): string => CLEAR_LINE + formatLogLine(line);
  const write = (line: string) => options.write(options.isTerminal ? show(line) : line);
  const open = (): Logger => loadPino()({ level, timestamp, base: null }, { write });
  if (options.isBrief === true) return over(open, level);
  const opened = open();
  return over(() => opened, level);
}

/** @param open makes the logger, once, for its first line */
function over(open: () => Logger, lowest: LogLevel): Log {
  let opened: Logger | undefined;
  const logger = (): Logger => (opened ??= open());
  const writes = (level: LogLevel): boolean =>
    LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(lowest);
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error'): Log['warn'] =>
    (message, fields) => {
      if (writes(level)) logger()[level](safe(fields), hide(message));
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => over(() => logger().child(safe(fields)), lowest),
    writes,
  };
}

/** Flat fields only: an object could carry anything, so it is left out even if the types admit it. */
function safe(fields: LogFields = {}): Record<string, unknown> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => [ownName(name), safeValue(name, value)]),
  );
}

const ownName = (name: string): string => (PINO_FIELDS.has(name) ? `${name}_` : name);

function safeValue(name: string, value: unknown): unknown {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'string') return '[omitted]';
  return SECRET_NAME.test(name) ? '[secret]' : hide(value);
}

function hide(text: string): string {
  return withoutSecrets(text).slice(0, LONGEST);
}
