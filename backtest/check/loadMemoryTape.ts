import { loadTape, type LoadedTape } from '../../src/operate/run/index.ts';
import type { StrategyBacktest } from '../programs/BacktestOptions.ts';
import { openConfig } from '../programs/openConfig.ts';
import { toRefusal } from '../programs/toRefusal.ts';

/**
 * The tape of a backtest of one strategy, as `runBacktest` loads it: without a file, its journal in memory.
 *
 * @throws Error with a `code` for a plugin, parameters or feeds that can't be run
 */
export async function loadMemoryTape(options: StrategyBacktest): Promise<LoadedTape> {
  const { loaded, known } = await openConfig(options, 'assertReproducible');
  const tape = await loadTape(loaded, known);
  if (!tape.ok) throw toRefusal(tape.failure);
  return tape.value;
}
