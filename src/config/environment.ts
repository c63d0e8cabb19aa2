/** Environment variables by name; an unset one is undefined. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The only place that reads the process's environment; everything else receives what it needs. */
export const processEnvironment: Environment = process.env;

/** Whether stack traces are requested: `TRIMTAB_DEBUG` is set, and neither empty nor `0`. */
export function wantsDebug(): boolean {
  const value = processEnvironment.TRIMTAB_DEBUG;
  return value !== undefined && value !== '' && value !== '0';
}
