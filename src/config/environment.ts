/** Environment variables by name; an unset one is undefined. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The one place that reads the process's environment; everything else is handed what it needs. */
export const processEnvironment: Environment = process.env;

/** Whether stack traces are wanted: `TRIMTAB_DEBUG` set to anything but `0` or nothing. */
export function wantsDebug(environment: Environment = processEnvironment): boolean {
  const value = environment.TRIMTAB_DEBUG;
  return value !== undefined && value !== '' && value !== '0';
}
