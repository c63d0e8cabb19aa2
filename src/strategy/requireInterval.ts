import { INTERVALS, withCode, type Interval } from '../contract/index.ts';

/**
 * Checks an interval that a plugin in plain JavaScript, or a parameter, may get wrong: the service would refuse
 * the stream long after the line that requested it.
 *
 * @throws Error with the value, the one that may be meant and the known ones
 */
export function requireInterval(interval: Interval): void {
  if (INTERVALS.includes(interval)) return;
  const given: unknown = interval;
  const text = typeof given === 'string' ? given.toLowerCase() : '';
  const meant = INTERVALS.find((known) => text.startsWith(known));
  const suggestion = meant === undefined ? '' : ` Did you mean ${meant}?`;
  throw withCode(
    'TRIMTAB_INTERVAL_UNKNOWN',
    new Error(
      `${JSON.stringify(given)} is not an interval.${suggestion} Known: ${INTERVALS.join(', ')}.`,
    ),
  );
}
