/** The operator's view of a run: log, progress, closing table, report. */
export {
  LOG_LEVELS,
  PINO_FIELDS,
  createPinoLog,
  type LogLevel,
  type PinoLogOptions,
} from './createPinoLog.ts';
export * from './progress/index.ts';
export { whyNotOverwritten, type OutputKind } from './whyNotOverwritten.ts';
export { whyUnreadable } from './whyUnreadable.ts';
export { whyUnwritable } from './whyUnwritable.ts';
