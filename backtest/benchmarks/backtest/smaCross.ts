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
/** Bars before trading starts, from the configuration. */
export const WARM_UP = 30;

/**
 * The configuration with one of the plugins, and its tape: generated with this number of bars, or read if
 * a file is named.
 */
export function loadCross(
  plugin: string,
  bars: number,
  overrides: Pick<ConfigOverrides, 'feeds' | 'params'> = {},
): Promise<LoadedTape> {
  const set = [`strategies[0].use=${join(import.meta.dirname, plugin)}`];
  if (overrides.feeds === undefined) set.push(`paper.feeds[0].generate.bars=${bars + WARM_UP}`);
  return loadTapeWith({ ...overrides, set });
}

/** The configuration with changes, read, and its tape. */
export async function loadTapeWith(overrides: ConfigOverrides): Promise<LoadedTape> {
  const loaded = await loadConfig(CONFIG, { overrides });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const tape = await loadTape(loaded);
  if (!tape.ok) throw new Error(tape.failure.message);
  return tape.value;
}

/**
 * A whole backtest: bot, guards, budget, journal, paper core, record of the run.
 *
 * @param onEnd is called at the end of the tape, while all of that is still alive
 */
export async function runCross(tape: LoadedTape, onEnd: () => void = () => {}): Promise<PaperRun> {
  const venue = openDirectVenue(tape, { live: createLiveEnv() });
  const progress = { update: () => {}, finish: onEnd };
  const run = await runTape({ tape, venue, progress, isStopped: () => false });
  if (!run.ok) throw new Error(run.failure.message);
  return run.value;
}

const BARS = 1_000_000;
/**
 * The floor takes some milliseconds; with this many repetitions it is measured under the same load as the
 * others.
 */
const FLOOR_RUNS = 50;
/**
 * Share of the loop's orders that may be missing: decisions on the last bar are not filled any more, and
 * while prices are constant the rounding of the averages decides whether they cross.
 */
const TOLERANCE = 0.001;

/** SMA 10/30 cross over a million one-minute bars, bars a second of processor time. */
export async function benchSmaCross(): Promise<ComparisonResult[]> {
  const tape = await loadCross('fusedCross.ts', BARS);
  return compareCross('backtest: SMA cross, one-minute bars', tape);
}

/** The raw loop, and the whole public path with each of the plugins, on the bars of one tape. */
export async function compareCross(
  name: string,
  fused: LoadedTape,
  params: string[] = [],
): Promise<ComparisonResult[]> {
  const { data } = fused;
  const stock = { ...(await loadCross('stockCross.ts', 2, { params })), data };
  const quiet = { ...(await loadCross('quietCross.ts', 2, { params })), data };
  const feed = data.feeds[0]!;
  const bars = feed.close.length - WARM_UP;
  const expected = rawCross(feed, WARM_UP).fills;
  const floor = (): void => {
    for (let run = 0; run < FLOOR_RUNS; run++) rawCross(feed, WARM_UP);
  };
  const trade = async (tape: LoadedTape, fills: number): Promise<void> => {
    const filled = (await runCross(tape)).data.fills.length;
    if (Math.abs(filled - fills) <= fills * TOLERANCE) return;
    throw new Error(`${filled} orders were filled where ${fills} are.`);
  };
  const contenders: [Contender, ...Contender[]] = [
    { name: 'raw loop', run: () => rateOf(bars * FLOOR_RUNS, floor) },
    {
      name: 'stock operators',
      run: () => rateOf(bars, () => trade(stock, expected)),
      goal: 1 / 20,
    },
    { name: 'own operators', run: () => rateOf(bars, () => trade(fused, expected)), goal: 1 / 10 },
    // The cost of a bar on which nothing is decided.
    { name: 'own operators, no orders', run: () => rateOf(bars, () => trade(quiet, 0)) },
  ];
  return compare({ name, contenders, warmUps: 0 });
}

async function rateOf(bars: number, work: () => unknown): Promise<Rates> {
  return { 'bars/CPU-s': bars / (await processorSeconds(work)) };
}
