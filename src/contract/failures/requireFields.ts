import { withCode } from './withCode.ts';

/**
 * Checks what types check: the options of a function that a program in JavaScript, or with a cast, calls without them
 * would end in an error of the engine that names neither.
 *
 * @param names the fields without which it can't work
 * @throws TypeError `TRIMTAB_USAGE` with the function and the field
 */
export function requireFields(call: string, given: unknown, names: readonly string[] = []): void {
  const list = names.length === 0 ? '' : ` with ${names.join(', ')}`;
  if (typeof given !== 'object' || given === null) {
    const kind = given === null ? 'null' : typeof given;
    throw refusal(`${call} takes an object${list}, and was given ${kind}.`);
  }
  const missing = names.find((name) => (given as Record<string, unknown>)[name] === undefined);
  if (missing !== undefined)
    throw refusal(`${call} takes an object${list}: ${missing} is missing.`);
}

/** @throws TypeError `TRIMTAB_USAGE` with the function and the argument */
export function requireText(call: string, name: string, given: unknown): void {
  if (typeof given === 'string') return;
  throw refusal(
    `${call} takes a text as ${name}, and was given ${given === null ? 'null' : typeof given}.`,
  );
}

const refusal = (message: string): Error => withCode('TRIMTAB_USAGE', new TypeError(message));
