import { testRefusal } from './testRefusal.ts';

/**
 * A service sends JSON, which has no NaN: a strategy that gets one is tested on what can't come.
 *
 * @throws for a number that is not finite
 */
export function requireNumbers(what: string, given: object): void {
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== 'number' || Number.isFinite(value)) continue;
    throw testRefusal(`${what}: ${name} ${value}.`, 'Write a finite number.');
  }
}
