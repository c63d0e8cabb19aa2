import { withCode } from '../../src/contract/index.ts';
import type { RunFailure } from '../../src/operate/run/index.ts';

/** A run's failure as the error that a program gets: what a command calls `--param NAME` is its `params.NAME`. */
export function toRefusal({ code, message }: RunFailure): Error {
  return withCode(code, new Error(message.replaceAll(/^--param /gm, 'params.')));
}
