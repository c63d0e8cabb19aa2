/** The operator's view of a run: log, progress, closing table, report. */
export {
  LOG_LEVELS,
  PINO_FIELDS,
  createPinoLog,
  type LogLevel,
  type PinoLogOptions,
} from './createPinoLog.ts';
export { createLogFile, logFilesOf } from './createLogFile.ts';
export * from './progress/index.ts';
export { formatLogLine } from './formatLogLine.ts';
export { visibleText } from './visibleText.ts';
export { readTimeZone, UTC, type TimeZone } from './timeZone.ts';

export { overwriteRefusal, type OutputKind } from './overwriteRefusal.ts';
export { explainUnreadable } from './explainUnreadable.ts';
export { explainUnwritable } from './explainUnwritable.ts';
