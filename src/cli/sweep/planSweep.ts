import { resolve } from 'node:path';
import { DAY_MS } from '../../contract/durations.ts';
import {
  configHashOf,
  gridSize,
  overridesOf,
  explainList,
  parseParamRange,
  parseValues,
  pointsOf,
  sourceFilesOf,
  stepsAt,
  toMark,
  valuesOf,
  explainEmptyRange,
  explainNoWindow,
  type ParamRange,
  type SweepPlan,
  type WalkForward,
} from '../../../backtest/index.ts';
import {
  loadConfigText,
  readConfig,
  yamlOf,
  type LoadedConfig,
  type Objective,
  type SweepSettings,
} from '../../config/index.ts';
import { formatWhole } from '../../operate/index.ts';
import { loadStrategies, loadTape, type LoadedTape } from '../../operate/run/index.ts';
import { tapeOf } from '../../paper/index.ts';
import { CommandFailure, configFailure, runFailed, USAGE } from '../failures/CommandFailure.ts';
import { noteShadows } from '../runs/noteShadows.ts';
import { noteUntradedFeeds } from '../runs/noteUntradedFeeds.ts';
import { readTimeRange } from '../options/readTimeRange.ts';
import { refuseRecord } from '../options/recordSetting.ts';

/** The command line's options of a sweep; they override the file's `sweep` section. */
export interface SweepFlags {
  param: string[];
  random?: number;
  objective?: Objective;
  timerange?: string;
  walkForward?: 'rolling' | 'anchored';
  /** Milliseconds. */
  train?: number;
  test?: number;
  feed: string[];
  set: string[];
  seed?: string;
}

/** Years of work; a much larger grid could not even be listed. */
const MOST_POINTS = 1_000_000;

/** What a plan is made of, beside what its files contain. */
export type SweepChoices = Pick<
  SweepPlan,
  'feeds' | 'set' | 'seed' | 'params' | 'random' | 'range' | 'walk' | 'objective'
>;

export interface PlannedSweep {
  plan: SweepPlan;
  /** The configuration's text, of which all its points are. */
  text: string;
  tape: LoadedTape;
}

/**
 * Configuration and flags → the points to compute, and their tape.
 *
 * @throws CommandFailure for input that can't be read or is inconsistent
 */
export async function planSweep(path: string, flags: SweepFlags): Promise<PlannedSweep> {
  refuseRecord('sweep', flags.set);
  const given = { feeds: flags.feed, set: flags.set, seed: flags.seed ?? null };
  const source = { path, text: await read(path) };
  const written = (await load(source, { ...given, params: [] })).config.sweep;
  return planText(source, {
    ...given,
    params: rangesOf(flags.param, written),
    random: flags.random ?? written?.random ?? null,
    range: readTimeRange(flags.timerange),
    walk: walkOf(flags, written?.walk_forward),
    objective: flags.objective ?? written?.objective ?? 'sharpe',
  });
}

/** The same of choices that were made before, as a plan has them. */
export async function planChosen(path: string, choices: SweepChoices): Promise<PlannedSweep> {
  return planText({ path, text: await read(path) }, choices);
}

async function planText(source: Source, choices: SweepChoices): Promise<PlannedSweep> {
  const { feeds, set, seed, params, random, range, walk, objective } = choices;
  requireFeasible(gridSize(params), random);
  const tape = await loadTape(await loadAtPoint(source, choices));
  if (!tape.ok) throw runFailed(tape.failure);
  noteUntradedFeeds([...feeds], tape.value.loaded.config);
  noteShadows(tape.value.loaded.config);
  const plan: SweepPlan = {
    config: resolve(source.path),
    configHash: configHashOf(source.text),
    sources: sourceFilesOf(tape.value.loaded.config, valuesOf({ params })).map(toMark),
    feeds,
    set,
    seed,
    params,
    random,
    range,
    walk,
    objective,
    tape: tapeOf(tape.value.data),
  };
  const nothing = explainEmptyRange(tape.value, plan.range);
  if (nothing !== undefined) throw new CommandFailure('TRIMTAB_TAPE_NOTHING_TO_TRADE', nothing);
  const noWindow = explainNoWindow(plan, tape.value.data, tape.value.paper.warmup);
  if (noWindow !== null) throw new CommandFailure('TRIMTAB_TAPE_NOTHING_TO_TRADE', noWindow);
  return { plan, text: source.text, tape: tape.value };
}

function requireFeasible(size: number, random: number | null): void {
  if (Math.min(size, random ?? size) <= MOST_POINTS) return;
  const [points, most] = [formatWhole(size), formatWhole(MOST_POINTS)];
  throw new CommandFailure(
    'TRIMTAB_SWEEP_GRID_TOO_LARGE',
    `The grid has ${points} points, and a sweep takes ${most} at most.\n` +
      '  Give fewer values, or draw points of it: --random 1000.',
  );
}

type Loaded = Pick<SweepChoices, 'feeds' | 'set' | 'seed' | 'params'>;

/** A configuration's file, read once: an edit meanwhile would make a plan of two of its states. */
interface Source {
  path: string;
  text: string;
}

async function read(path: string): Promise<string> {
  const found = await readConfig(path);
  if ('faults' in found) throw configFailure(found.faults);
  return found.text;
}

async function load({ path, text }: Source, choices: Loaded): Promise<LoadedConfig> {
  const values = choices.params.map(({ values: [first = ''] }) => first);
  const loaded = await loadConfigText(path, text, { overrides: overridesOf(choices, { values }) });
  if (!loaded.ok) throw configFailure(loaded.faults);
  return loaded;
}

/** The most points that are tried before the first one's fault is reported. */
const MOST_TRIED = 64;

/**
 * The configuration with values that its plugins accept. An unknown name is a fault of every point and is
 * reported before anything runs; inconsistent parameters are a fault of their point alone. The ends of
 * the ranges are tried, because constraints between parameters are mostly about their order.
 */
async function loadAtPoint(source: Source, choices: Loaded): Promise<LoadedConfig> {
  const ends = choices.params.map(({ name, values }) => {
    return { name, values: [...new Set([values[0]!, values.at(-1)!])] };
  });
  for (const point of pointsOf({ params: ends, random: MOST_TRIED, seed: null })) {
    const steps = stepsAt(ends, point);
    const params = ends.map(({ name, values }, index) => {
      return { name, values: [values[steps[index]!]!] };
    });
    const loaded = await load(source, { ...choices, params });
    if ((await loadStrategies(loaded)).ok) return loaded;
  }
  return load(source, choices);
}

function rangesOf(flags: readonly string[], written: SweepSettings | null): ParamRange[] {
  const ranges = new Map<string, ParamRange>();
  for (const [name, values] of Object.entries(written?.params ?? {})) {
    const read = typeof values === 'string' ? parseValues(values) : listOf(values.map(yamlOf));
    if ('reason' in read)
      throw new CommandFailure('TRIMTAB_SWEEP_PARAM', `sweep.params.${name}: ${read.reason}.`);
    ranges.set(name, { name, values: read.list });
  }
  for (const text of flags) {
    const read = parseParamRange(text);
    if (!read.ok) {
      const remedy = 'write 5..50:5 (FROM..TO:STEP) or A,B,C behind NAME=.';
      const message = `--param ${text}: ${read.reason}; ${remedy}`;
      throw new CommandFailure('TRIMTAB_SWEEP_PARAM', message, USAGE);
    }
    ranges.set(read.range.name, read.range);
  }
  if (ranges.size > 0) return [...ranges.values()];
  throw new CommandFailure(
    'TRIMTAB_SWEEP_PARAM',
    'There is nothing to sweep.\n  Add --param NAME=FROM..TO:STEP, or sweep.params to the configuration.',
  );
}

function listOf(list: string[]): ReturnType<typeof parseValues> {
  const reason = explainList(list);
  return reason === undefined ? { list } : { reason };
}

function walkOf(
  { walkForward, train, test }: SweepFlags,
  written: SweepSettings['walk_forward'],
): WalkForward | null {
  const kind = walkForward ?? written?.kind;
  if (kind === undefined) {
    if (train === undefined && test === undefined) return null;
    throw new CommandFailure(
      'TRIMTAB_USAGE',
      '--train and --test belong to --walk-forward.\n  Add --walk-forward rolling or anchored.',
    );
  }
  const trainMs = train ?? (written === undefined ? undefined : written.train_days * DAY_MS);
  const testMs = test ?? (written === undefined ? undefined : written.test_days * DAY_MS);
  if (trainMs !== undefined && testMs !== undefined) {
    // Decimal fractions of a day are rarely exact floats: 0.7 d would be slightly less than 1,008
    // minutes.
    return { kind, trainMs: Math.round(trainMs), testMs: Math.round(testMs) };
  }
  throw new CommandFailure(
    'TRIMTAB_USAGE',
    '--walk-forward needs --train and --test, such as --train 20d --test 5d.',
  );
}
