import { InvalidArgumentError } from 'commander';

/** A whole number, 0 or more. */
export function readWhole(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It takes a whole number.');
  return Number(text);
}
