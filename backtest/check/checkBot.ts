import { failed, type RunResult } from '../../src/operate/run/index.ts';
import { compareRuns, RunFailed, type CompareOptions } from './compareRuns.ts';
import type { CheckName, Finding } from './Finding.ts';
import { LIMIT, noteOutsideData } from './noteOutsideData.ts';
import type { CheckedRun } from './runIntents.ts';
import { runScenarios, type FillScenario } from './runScenarios.ts';

export interface CheckResult {
  findings: readonly Finding[];
  /** What could not be checked, and facts that are worth knowing but are not faults. */
  notes: readonly string[];
  /** Checks that compared nothing, each with the reason and the remedy. */
  unchecked: ReadonlyMap<CheckName, string>;
  base: CheckedRun;
  scenarios: readonly FillScenario[];
  /** Number of backtests that it took. */
  runs: number;
}

export type CheckOptions = CompareOptions;

/** Checks a bot's backtest like a sceptic: each finding names the bar and the intent. */
export async function checkBot(options: CheckOptions): Promise<RunResult<CheckResult>> {
  try {
    return { ok: true, value: await check(options) };
  } catch (error) {
    if (error instanceof RunFailed) return failed(error.code, error.message);
    throw error;
  }
}

async function check(options: CheckOptions): Promise<CheckResult> {
  const outside = noteOutsideData(options.tape.loaded.config);
  const { bench, runs } = await compareRuns(options, [LIMIT, ...outside]);
  const scenarios = await runScenarios(bench);
  const { findings, notes, unchecked, base } = bench;
  return { findings, notes, unchecked, base, scenarios, runs: runs() };
}
