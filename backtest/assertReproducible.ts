import type { Strategy } from '../src/strategy/index.ts';
import { testRefusal, type BarsOf } from '../src/testing/index.ts';
import type { Reproduced, ReproducibleOptions } from './check/Reproduced.ts';

/**
 * Asserts that a strategy decides the same each time, as `trimtab check` does: backtests with another clock and
 * other randomness, with promises settled between bars, on bars that end earlier, and with more history than it
 * asks for must make the same decisions. Meanwhile `Date` and `Math.random` of the process differ, and its
 * timers are watched: nothing else may run in it.
 *
 * ```ts
 * const closes = Array.from({ length: 200 }, (_none, bar) => 100 + (bar % 20));
 * await assertReproducible(plugin, [{ symbol: 'BTC', interval: '1h', bars: closes }]);
 * ```
 *
 * @param feeds one for each symbol, of the shortest interval that is needed; longer ones are made of it
 * @throws Error with the code `TRIMTAB_CHECK_FAILED`, the bar and the intent where decisions differ; with
 * `TRIMTAB_TEST_EXPECTATION` if it made none
 */
export async function assertReproducible(
  plugin: Strategy,
  feeds: readonly BarsOf[],
  options: ReproducibleOptions = {},
): Promise<Reproduced> {
  if (!Array.isArray(feeds))
    throw testRefusal(
      'assertReproducible: its feeds are no array.',
      'Write [{ symbol, interval, bars }].',
    );
  // The backtester is loaded by the tests that use it: a unit test without it starts in a third of the time.
  const { checkPlugin } = await import('./check/checkPlugin.ts');
  return checkPlugin(plugin, feeds, options);
}
