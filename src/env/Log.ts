/** Fields of a log line: flat, and chosen by the caller one by one, so that no secret slips in. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The log as a port: lower rows never know pino. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A log that adds these fields to each line. */
  with(fields: LogFields): Log;
}

export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  with: () => silentLog,
};
