/** A run as people see it: log, progress, closing table, report. */
export { LOG_LEVELS, createPinoLog, type LogLevel, type PinoLogOptions } from './createPinoLog.ts';
export * from './progress/index.ts';
export { whyUnreadable } from './whyUnreadable.ts';
export { whyUnwritable } from './whyUnwritable.ts';
