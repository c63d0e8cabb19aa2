import type { Log, LogFields } from '../env/index.ts';

/** A line that the strategy wrote to `ctx.log`. */
export interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  fields: LogFields;
}

/** A log whose lines are added to a list. */
export function createTestLog(lines: LogLine[], common: LogFields = {}): Log {
  const write =
    (level: LogLine['level']) =>
    (message: string, fields: LogFields = {}): void =>
      void lines.push({ level, message, fields: { ...common, ...fields } });
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    with: (fields) => createTestLog(lines, { ...common, ...fields }),
  };
}
