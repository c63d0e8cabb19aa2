import { TaskQueue } from '../env/index.ts';
import { openStrategyTest } from './openStrategyTest.ts';
import { withCode } from '../contract/index.ts';
import { checkDefinition, type Strategy } from '../strategy/index.ts';
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
  requirePlugin(plugin);
  requireTestOptions(options);
  const { startTime = TEST_START } = options;
  if (!Number.isInteger(startTime)) {
    throw testRefusal(
      `startTime: ${startTime}.`,
      'Write epoch milliseconds: Date.UTC(2026, 0, 5).',
    );
  }
  return openStrategyTest(plugin, options, new TaskQueue(startTime));
}

/** As when a bot loads it: what is no definition would fail later, and elsewhere. */
function requirePlugin(plugin: unknown): void {
  if (plugin === undefined || plugin === null)
    throw testRefusal(`plugin: ${String(plugin)}.`, 'Pass what `defineStrategy` returns.');
  const checked = checkDefinition({ default: plugin }, 'the plugin of the test');
  if (checked.ok) return;
  const { code, reason, remedy } = checked.fault;
  throw withCode(code, new TypeError(`The plugin of the test: ${reason}\n  ${remedy}`));
}

const OPTIONS: ReadonlyArray<keyof StrategyTestOptions> = [
  'symbols',
  'params',
  'instruments',
  'capital',
  'wallet',
  'instance',
  'state',
  'stateVersion',
  'startTime',
  'seed',
  'answers',
  'onFault',
];

function requireTestOptions(options: unknown): void {
  const take = `testStrategy takes ${OPTIONS.join(', ')}.`;
  if (typeof options !== 'object' || options === null)
    throw testRefusal(`options: ${String(options)}.`, `Write { symbols: ['BTC'] }; ${take}`);
  const names: readonly string[] = OPTIONS;
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) throw testRefusal(`options: there is no ${unknown}.`, take);
  const { symbols } = options as StrategyTestOptions;
  if (!Array.isArray(symbols))
    throw testRefusal(`symbols: ${JSON.stringify(symbols)}.`, "Write a list: symbols: ['BTC'].");
}
