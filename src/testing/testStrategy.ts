import { TaskQueue } from '../env/index.ts';
import type { Strategy } from '../strategy/index.ts';
import { openStrategyTest } from './openStrategyTest.ts';
import type { StrategyTest, StrategyTestOptions } from './StrategyTest.ts';
import { testRefusal } from './testRefusal.ts';

/** A Monday, so that weekly bars begin there too. */
export const TEST_START = Date.UTC(2026, 0, 5);

/**
 * Sets a strategy up on the real host, in virtual time, without sockets, files or timers of the machine. The
 * test closes bars and reports fills, and reads what the strategy decided.
 *
 * ```ts
 * const test = testStrategy(plugin, { symbols: ['BTC'], params: { period: 1 } });
 * test.bars('BTC', '1h', [100, 98, 96, 101]);
 * test.intents[0]?.kind; // => 'place_order'
 * test.intents[0]?.liveness; // => 'live'
 * ```
 *
 * @throws Error with the code `TRIMTAB_TEST_CALL` or `TRIMTAB_PLUGIN_PARAMS` for options that don't fit, and
 * with that of its fault if the strategy ended in `setup`
 */
export function testStrategy(plugin: Strategy, options: StrategyTestOptions): StrategyTest {
  const { startTime = TEST_START } = options;
  if (!Number.isInteger(startTime)) {
    throw testRefusal(
      `startTime: ${startTime}.`,
      'Write epoch milliseconds: Date.UTC(2026, 0, 5).',
    );
  }
  return openStrategyTest(plugin, options, new TaskQueue(startTime));
}
