/** Fields of a log line: flat, and chosen one by one by the caller, so that no secret is logged by accident. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The log as a port: lower layers don't depend on pino. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A log that adds these fields to each line. */
  with(fields: LogFields): Log;
  /** Whether lines of this level are written, so that nothing is built for one that is not; absent: they may be. */
  writes?(level: 'debug' | 'info'): boolean;
}

export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  with: () => silentLog,
  writes: () => false,
};
