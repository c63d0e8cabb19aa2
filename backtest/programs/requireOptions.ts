import { withCode } from '../../src/contract/index.ts';
import { isMap } from '../../src/contract/isMap.ts';

/**
 * Checks at run time what the types check: a program in JavaScript, or with a cast, gets an error instead of a default.
 *
 * @param names the options that there are
 * @throws TypeError for what is no object; Error for an option that does not exist, with those that do
 */
export function requireOptions(call: string, given: unknown, names: readonly string[]): void {
  if (!isMap(given)) {
    const what = `${call}: its options are ${given === null ? 'null' : typeof given}, not an object.`;
    throw withCode('TRIMTAB_USAGE', new TypeError(`${what} It takes ${names.join(', ')}.`));
  }
  const other = Object.keys(given).find((name) => !names.includes(name));
  if (other === undefined) return;
  throw withCode(
    'TRIMTAB_USAGE',
    new Error(`${call}: there is no option ${other}. It takes ${names.join(', ')}.`),
  );
}

const LOG = ['debug', 'info', 'warn', 'error', 'with'] as const;

/** @throws TypeError for what is no log, whose first line would end a run */
export function requireLog(call: string, log: unknown): void {
  if (log === undefined) return;
  const methods = (log ?? {}) as Readonly<Record<string, unknown>>;
  const missing = LOG.find((name) => typeof methods[name] !== 'function');
  if (missing === undefined) return;
  const what = `${call}: log: ${nameOf(log)} has no method ${missing}; a log has ${LOG.join(', ')}.`;
  throw withCode('TRIMTAB_USAGE', new TypeError(what));
}

/** A value in a message: objects by their kind. */
export function nameOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
