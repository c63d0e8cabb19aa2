import { compare, type ComparisonResult, type Contender } from '../harness.ts';
import { loadCross, runCross } from './smaCross.ts';

const BARS = [250_000, 500_000, 1_000_000];
/** A longer run may hold a tenth more: the curves' points come and go by halves. */
const FLAT = 0.9;

/**
 * What a backtest holds at its end, bot and record alive, after a collection: runs a gigabyte, so that a
 * ratio of 1 is memory that doesn't grow with the tape. The tape's own columns are not counted.
 *
 * Without orders nothing may grow. With orders the record of the run does: the report lists every intent
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
    const isJudged = goal !== undefined && index > 0;
    return {
      name: `${bars.toLocaleString('en-US')} bars`,
      run,
      note,
      ...(isJudged ? { goal } : {}),
    };
  });
  const all = contenders as [Contender, ...Contender[]];
  // Bytes are counted and not timed: once is enough, when everything was compiled and loaded before.
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

/** Twice: memory of a tape that went is freed by another thread, for which only the next collection waits. */
function collect(): void {
  if (globalThis.gc === undefined) throw new Error('Memory is measured with node --expose-gc.');
  globalThis.gc();
  globalThis.gc();
}
