import { PASSED, type Guard } from './Guard.ts';

/** Denies exposure decided on events of an outage: the price has changed since.
 * What can only reduce is sent, since a missed exit never comes again; of several of one kind only the newest.
 */
export const catchUp: Guard = ({ kind, cause, entries, opaque }) => {
  if (cause?.isCatchUp !== true) return PASSED;
  const refuse = (reason: string) => ({ passed: false, guard: 'catch_up', reason }) as const;
  // A leverage opens nothing, but was also meant for a market that has changed.
  if (entries.length > 0 || opaque === true || kind === 'set_leverage') {
    return refuse('it was decided on what happened while the connection was lost');
  }
  if (cause.isOvertaken !== true) return PASSED;
  return refuse('a newer one of its kind was decided in the same catch-up');
};
