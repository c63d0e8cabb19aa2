import { withCode } from '../../contract/index.ts';

/** It becomes a part of a ref, whose parts are separated by colons. */
export function requireName(what: 'name' | 'slot', name: string): string {
  if (typeof name === 'string' && /^[\w.-]{1,40}$/.test(name)) return name;
  throw withCode(
    'TRIMTAB_INDICATOR_PARAMETER',
    new RangeError(`${what} ${JSON.stringify(name)}: use 1 to 40 of A-Z a-z 0-9 _ . -`),
  );
}
