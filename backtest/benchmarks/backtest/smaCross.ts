import { join } from 'node:path';
import { loadConfig } from '../../../src/config/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import {
  loadTape,
  runTape,
  type LoadedTape,
  type PaperRun,
} from '../../../src/operate/run/index.ts';
import { openDirectVenue } from '../../openDirectVenue.ts';
import { compare, type ComparisonResult, type Contender, type Rates } from '../harness.ts';
import { rawCross } from './rawCross.ts';

export const CONFIG = join(import.meta.dirname, 'smaCross.yaml');
const WARM_UP = 30;

/** The configuration with one of the plugins, read and its tape made. */
export async function loadCross(plugin: string, bars: number): Promise<LoadedTape> {
  const set = [
    `strategies[0].use=${join(import.meta.dirname, plugin)}`,
    `paper.feeds[0].generate.bars=${bars + WARM_UP}`,
  ];
  const loaded = await loadConfig(CONFIG, { overrides: { set } });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const tape = await loadTape(loaded);
  if (!tape.ok) throw new Error(tape.failure.message);
  return tape.value;
}

/**
 * A whole backtest: bot, guards, budget, journal, paper core, record of the run.
 *
 * @param onEnd is called when the tape has run out, while all of that is still there
 */
export async function runCross(tape: LoadedTape, onEnd: () => void = () => {}): Promise<PaperRun> {
  const venue = openDirectVenue(tape, { live: createLiveEnv() });
  const progress = { update: () => {}, finish: onEnd };
  const run = await runTape({ tape, venue, progress, isStopped: () => false });
  if (!run.ok) throw new Error(run.failure.message);
  return run.value;
}

const BARS = 1_000_000;
/** The floor takes some milliseconds; so often, and it meets the machine that the others meet. */
const FLOOR_RUNS = 50;

/** SMA 10/30 cross over a million one-minute bars, bars a second of processor time. */
export async function benchSmaCross(): Promise<ComparisonResult[]> {
  const fused = await loadCross('fusedCross.ts', BARS);
  const stock = { ...(await loadCross('stockCross.ts', 2)), data: fused.data };
  const quiet = { ...(await loadCross('quietCross.ts', 2)), data: fused.data };
  const floor = (): void => {
    for (let run = 0; run < FLOOR_RUNS; run++) rawCross(fused.data.feeds[0]!, WARM_UP);
  };
  const contenders: [Contender, ...Contender[]] = [
    { name: 'raw loop', run: () => rateOf(BARS * FLOOR_RUNS, floor) },
    { name: 'stock operators', run: () => rateOf(BARS, () => runCross(stock)), goal: 1 / 20 },
    { name: 'own operators', run: () => rateOf(BARS, () => runCross(fused)), goal: 1 / 10 },
    // What a bar costs on its way, when nothing comes of it.
    { name: 'own operators, no orders', run: () => rateOf(BARS, () => runCross(quiet)) },
  ];
  return compare({ name: 'backtest: SMA cross, one-minute bars', contenders, warmUps: 0 });
}

async function rateOf(bars: number, work: () => unknown): Promise<Rates> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return { 'bars/CPU-s': bars / ((user + system) / 1e6) };
}
