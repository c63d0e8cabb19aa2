import { withOtherTime, type Env } from '../../src/env/index.ts';
import {
  failed,
  type LoadedTape,
  type RunFailure,
  type RunResult,
} from '../../src/operate/run/index.ts';
import { createPaperService } from '../../src/paper/index.ts';
import type { Bench } from './Bench.ts';
import { checkLookAhead } from './checkLookAhead.ts';
import { checkNotices } from './checkNotices.ts';
import { checkWarmUp } from './checkWarmUp.ts';
import { toFinding, type CheckName, type Finding } from './Finding.ts';
import { firstDifference } from './firstDifference.ts';
import { LIMIT, noteOutsideData } from './outsideData.ts';
import { runIntents, type CheckedRun } from './runIntents.ts';
import { runScenarios, type FillScenario } from './runScenarios.ts';

export interface CheckResult {
  findings: readonly Finding[];
  /** What could not be checked, and facts that are worth knowing but are not faults. */
  notes: readonly string[];
  base: CheckedRun;
  scenarios: readonly FillScenario[];
  /** Number of backtests that it took. */
  runs: number;
}

export interface CheckOptions {
  tape: LoadedTape;
  /** When trading begins, epoch milliseconds; default: the first bar after the warm-up. */
  startTime?: number | undefined;
  live: Env;
  /** Instants at which the tape is truncated. */
  points: number;
  /** Called before each backtest, with its purpose. */
  onRun(what: string): void;
}

const NOT_ALONE =
  'with another clock and other randomness it decides otherwise: use ctx.now() and ctx.random()';
const PROMISES =
  'with promises settled between bars it decides otherwise: decide in the event, not after an await';
const OUTSIDE_TURN = 'it decided outside of a turn, and was ended there';
/** Each of them would report an effect of chance, with a wrong remedy. */
const NOT_COMPARED =
  'promises, look-ahead and warm-up are not checked: they compare runs, and no two of them decide alike.';

/** Internal: the first run that fails ends the check with its reason. */
class RunFailed extends Error {
  readonly code: RunFailure['code'];

  constructor({ code, message }: RunFailure) {
    super(message);
    this.code = code;
  }
}

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
  const { tape: given, startTime, live, points, onRun } = options;
  const tape = withFixedInstruments(given, live);
  let runs = 0;
  const run: Bench['run'] = async (what, more = {}) => {
    onRun(what);
    runs++;
    const result = await runIntents({ tape, live, startTime, ...more });
    if (!result.ok) throw new RunFailed(result.failure);
    return result.value;
  };
  const base = await run('as configured');
  const notes = [LIMIT, ...noteOutsideData(tape.loaded.config)];
  const bench: Bench = { tape, startTime, base, run, findings: [], notes };
  const { findings } = bench;
  if (base.intents.length === 0) notes.push('It decided nothing, so there is little to check.');

  const mustEqual = (check: CheckName, meaning: string, { intents }: CheckedRun): void => {
    const parting = firstDifference(base.intents, intents);
    if (parting !== undefined) findings.push(toFinding(check, meaning, parting));
  };
  for (const { instance, time, message } of base.run.outsideTurn) {
    const words = [OUTSIDE_TURN, ...message.split('\n')];
    findings.push({ check: 'turns', time, instance, decisionKey: '', words });
  }
  const again = await withOtherTime(() => run('with another clock and other randomness'));
  mustEqual('determinism', NOT_ALONE, again);
  if (findings.some((finding) => finding.check === 'determinism')) notes.push(NOT_COMPARED);
  else {
    const stepped = await run('with promises settled between bars', { isStepped: true });
    mustEqual('promises', PROMISES, stepped);
    await checkLookAhead(bench, points);
    await checkWarmUp(bench);
  }
  checkNotices(bench);
  const scenarios = await runScenarios(bench);
  return { findings, notes, base, scenarios, runs };
}

/** An instrument's grid follows from its feed; a shorter feed must not change it. */
function withFixedInstruments(tape: LoadedTape, live: Env): LoadedTape {
  const { paper, data, dialect } = tape;
  const core = createPaperService({ settings: paper, data, dialect }, live);
  const decimals = core.engine.market.instruments.map(({ symbol, price_decimals }) => [
    symbol,
    { price_decimals, ...paper.instruments[symbol] },
  ]);
  return { ...tape, paper: { ...paper, instruments: Object.fromEntries(decimals) as never } };
}
