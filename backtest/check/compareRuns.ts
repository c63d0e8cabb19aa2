import { withOtherTime, type Env } from '../../src/env/index.ts';
import type { LoadedTape, RunFailure } from '../../src/operate/run/index.ts';
import { createPaperService } from '../../src/paper/index.ts';
import type { Bench } from './Bench.ts';
import { checkLookAhead } from './checkLookAhead.ts';
import { checkNotices } from './checkNotices.ts';
import { checkWarmUp } from './checkWarmUp.ts';
import { toFinding, type CheckName, type Finding } from './Finding.ts';
import { firstDifference } from './firstDifference.ts';
import { runIntents, type CheckedRun } from './runIntents.ts';

export interface CompareOptions {
  tape: LoadedTape;
  /** When trading begins, epoch milliseconds; default: the first bar after the warm-up. */
  startTime?: number | undefined;
  live: Env;
  /** Instants at which the tape is truncated. */
  points: number;
  /** Called before each backtest, with its purpose. */
  onRun(what: string): void;
  /** Whether the user asked to stop; default: never. */
  isStopped?(): boolean;
}

const NOT_ALONE =
  'its decisions change with another clock and other randomness: use ctx.now() and ctx.random()';
const PROMISES =
  'its decisions change when promises settle between bars: decide in the event, not after an await';
const OUTSIDE_TURN = 'it decided outside a turn and was stopped there';
/** Each of them would report an effect of chance, with a wrong remedy. */
const NOT_COMPARED =
  'promises, look-ahead and warm-up were not checked: they compare runs, and no two runs made the same decisions.';

const STOPPED = { code: 'TRIMTAB_INTERRUPTED', message: 'The check was interrupted.' } as const;
const NO_DECISIONS = 'it made no decisions: give it a tape on which it trades';
const COMPARING = ['determinism', 'look-ahead', 'warm-up', 'promises'] as const;

/** Internal: the first run that fails ends the comparison with its reason. */
export class RunFailed extends Error {
  readonly code: RunFailure['code'];

  constructor({ code, message }: RunFailure) {
    super(message);
    this.code = code;
  }
}

/**
 * Runs a bot again and again under conditions that must not change its decisions, and compares: what differs
 * is a finding.
 *
 * @param notes the first notes of the result
 * @throws RunFailed
 */
export async function compareRuns(
  options: CompareOptions,
  notes: string[] = [],
): Promise<{ bench: Bench; runs(): number }> {
  const { tape: given, startTime, live, points, onRun, isStopped = () => false } = options;
  const tape = withFixedInstruments(given, live);
  let runs = 0;
  const run: Bench['run'] = async (what, more = {}) => {
    onRun(what);
    runs++;
    const result = await runIntents({ tape, live, startTime, isStopped, ...more });
    if (!result.ok) throw new RunFailed(result.failure);
    // Its intents are not all that it would have decided.
    if (isStopped()) throw new RunFailed(STOPPED);
    return result.value;
  };
  const base = await run('as configured');
  const bench: Bench = { tape, startTime, base, run, findings: [], notes, unchecked: new Map() };
  const { findings, unchecked } = bench;

  const mustEqual = (check: CheckName, meaning: string, { intents }: CheckedRun): void => {
    const parting = firstDifference(base.intents, intents);
    if (parting !== undefined) findings.push(toFinding(check, meaning, parting));
  };
  for (const { instance, time, message } of base.run.outsideTurn) {
    const words = [OUTSIDE_TURN, ...message.split('\n')];
    findings.push({ check: 'turns', time, instance, decisionKey: '', words });
  }
  const again = await withOtherTime(() => run('with another clock and other randomness'));
  const runStepped = () => run('with promises settled between bars', { isStepped: true });
  const stepped = await runStepped();
  const hasChanged = !areEqual(base, again);
  const isChance = hasChanged && !areEqual(stepped, await withOtherTime(runStepped));
  if (isChance) {
    mustEqual('determinism', NOT_ALONE, again);
    notes.push(NOT_COMPARED);
  } else {
    mustEqual('promises', PROMISES, areEqual(base, stepped) ? again : stepped);
    const comparable = hasChanged ? inSteps(bench, stepped) : bench;
    await checkLookAhead(comparable, points);
    // What a history's promises decide comes after it, as if the bar were live: more history would part by that.
    if (findings.some(({ check }) => check === 'promises')) {
      unchecked.set('warm-up', 'fix promises first');
    } else await checkWarmUp(comparable);
  }
  // Runs without decisions are equal, which says nothing, unless one of them has decided.
  if (base.intents.length === 0) noteIdle(findings, unchecked);
  checkNotices(bench);
  return { bench, runs: () => runs };
}

function noteIdle(findings: readonly Finding[], unchecked: Bench['unchecked']): void {
  for (const check of COMPARING) {
    if (!findings.some((finding) => finding.check === check)) unchecked.set(check, NO_DECISIONS);
  }
}

const areEqual = (one: CheckedRun, other: CheckedRun): boolean =>
  firstDifference(one.intents, other.intents) === undefined;

/**
 * A run yields to the event loop at intervals of real time, and promises settle then: a plugin that awaits may decide
 * otherwise in each run. Runs in which they settle at every bar can be compared.
 */
function inSteps(bench: Bench, base: CheckedRun): Bench {
  return { ...bench, base, run: (what, more) => bench.run(what, { ...more, isStepped: true }) };
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
