import { compare, type ComparisonResult, type Contender } from '../harness.ts';
import { loadCross, runCross } from './smaCross.ts';

const BARS = [250_000, 500_000, 1_000_000];
/** A longer run may use a tenth more memory: the curves' points are thinned by halves. */
const FLAT = 0.9;

/**
 * Memory of a backtest at its end, with bot and record alive, after a collection. Its unit is runs per
 * gigabyte, so that a ratio of 1 means that memory doesn't grow with the tape. The tape's own columns are
 * not counted.
 *
 * Without orders nothing may grow. With orders the record of the run grows: the report lists every intent
 * and fill.
 */
export async function benchMemory(): Promise<ComparisonResult[]> {
  return [
    ...(await compareHeld('backtest/memory: no orders', 'quietCross.ts', FLAT)),
    ...(await compareHeld('backtest/memory: SMA cross', 'fusedCross.ts')),
  ];
}

async function compareHeld(
  name: string,
  plugin: string,
  goal?: number,
): Promise<ComparisonResult[]> {
  const contenders = BARS.map((bars, index): Contender => {
    let held = 0;
    const run = async () => {
      held = await heldBy(plugin, bars);
      return { 'runs/GB': 1e9 / held };
    };
    const note = () => `${(held / 1e6).toFixed(1)} MB`;
    const hasGoal = goal !== undefined && index > 0;
    return {
      name: `${bars.toLocaleString('en-US')} bars`,
      run,
      note,
      ...(hasGoal ? { goal } : {}),
    };
  });
  const all = contenders as [Contender, ...Contender[]];
  // Bytes are counted, not timed: one run is enough once everything is compiled and loaded.
  return compare({ name, contenders: all, rounds: 1 });
}

async function heldBy(plugin: string, bars: number): Promise<number> {
  const tape = await loadCross(plugin, bars);
  collect();
  const { arrayBuffers } = process.memoryUsage();
  let held = Number.NaN;
  await runCross(tape, () => {
    collect();
    const now = process.memoryUsage();
    held = now.heapUsed + now.arrayBuffers - arrayBuffers;
  });
  return held;
}

/**
 * Twice: the memory of a dropped tape is freed by another thread, for which only the next collection
 * waits.
 */
function collect(): void {
  if (globalThis.gc === undefined) throw new Error('Memory is measured with node --expose-gc.');
  globalThis.gc();
  globalThis.gc();
}
