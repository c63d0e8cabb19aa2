import { withCode } from '../../src/contract/index.ts';
import type { RunFailure } from '../../src/operate/run/index.ts';

/** A run's failure as the error that a program gets: what a command calls a flag is one of its options. */
export function toRefusal({ code, message }: RunFailure): Error {
  return withCode(code, new Error(asOptions(message)));
}

const asOptions = (message: string): string =>
  message.replaceAll(/--param (?=\w)/g, 'params.').replaceAll('--timerange', 'timerange');
