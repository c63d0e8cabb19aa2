import { personHere } from './personHere.ts';

/** The reason of a command for the journal, with who gave it: both are asked later. A blank one is none. */
export const signedReason = (given: string | undefined): string =>
  given === undefined || given.trim() === ''
    ? `by hand, ${personHere()}`
    : `${given} (by ${personHere()})`;

/** The flag of that reason. */
export const REASON = [
  '--reason <text>',
  'why, for the journal, which has who and where as well',
] as const;
