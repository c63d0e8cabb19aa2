import { join } from 'node:path';
import { loadConfig, type ConfigOverrides } from '../../../src/config/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import {
  loadTape,
  runTape,
  type LoadedTape,
  type PaperRun,
} from '../../../src/operate/run/index.ts';
import { openDirectVenue } from '../../openDirectVenue.ts';
import {
  compare,
  processorSeconds,
  type ComparisonResult,
  type Contender,
  type Rates,
} from '../harness.ts';
import { rawCross } from './rawCross.ts';

export const CONFIG = join(import.meta.dirname, 'smaCross.yaml');
const WARM_UP = 30;

/** The configuration with one of the plugins, read and its tape made. */
export function loadCross(plugin: string, bars: number): Promise<LoadedTape> {
  return loadWith(plugin, { set: [`paper.feeds[0].generate.bars=${bars + WARM_UP}`] });
}

/**
 * The configuration with one of the plugins, on the candles of a file. Its orders are small: what a thin
 * minute leaves unfilled adds up to a position, and one that the guards refuse would be less work.
 */
export function loadCrossOn(plugin: string, file: string): Promise<LoadedTape> {
  return loadWith(plugin, { feeds: [`BTC@1m=${file}`], params: ['size=0.02'] });
}

async function loadWith(
  plugin: string,
  { set = [], ...overrides }: ConfigOverrides,
): Promise<LoadedTape> {
  const use = `strategies[0].use=${join(import.meta.dirname, plugin)}`;
  const loaded = await loadConfig(CONFIG, { overrides: { ...overrides, set: [use, ...set] } });
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
  const tape = await loadCross('fusedCross.ts', BARS);
  return compareCross('backtest: SMA cross, one-minute bars', tape);
}

/**
 * The raw loop, and the whole public path with each of the plugins, on the bars of one tape.
 *
 * @param tolerance share of the loop's orders that may be missing or more: where prices stand still, the
 * rounding of the averages decides whether they cross
 */
export async function compareCross(
  name: string,
  fused: LoadedTape,
  tolerance = 0,
): Promise<ComparisonResult[]> {
  const stock = { ...(await loadCross('stockCross.ts', 2)), data: fused.data };
  const quiet = { ...(await loadCross('quietCross.ts', 2)), data: fused.data };
  const feed = fused.data.feeds[0]!;
  const bars = feed.close.length - WARM_UP;
  const expected = rawCross(feed, WARM_UP).fills;
  const floor = (): void => {
    for (let run = 0; run < FLOOR_RUNS; run++) rawCross(feed, WARM_UP);
  };
  const trade = async (tape: LoadedTape, fills: number): Promise<void> => {
    const { data } = await runCross(tape);
    if (Math.abs(data.fills.length - fills) <= fills * tolerance) return;
    throw new Error(`${data.fills.length} orders were filled where ${fills} are.`);
  };
  const contenders: [Contender, ...Contender[]] = [
    { name: 'raw loop', run: () => rateOf(bars * FLOOR_RUNS, floor) },
    {
      name: 'stock operators',
      run: () => rateOf(bars, () => trade(stock, expected)),
      goal: 1 / 20,
    },
    { name: 'own operators', run: () => rateOf(bars, () => trade(fused, expected)), goal: 1 / 10 },
    // What a bar costs on its way, when nothing comes of it.
    { name: 'own operators, no orders', run: () => rateOf(bars, () => trade(quiet, 0)) },
  ];
  return compare({ name, contenders, warmUps: 0 });
}

async function rateOf(bars: number, work: () => unknown): Promise<Rates> {
  return { 'bars/CPU-s': bars / (await processorSeconds(work)) };
}
