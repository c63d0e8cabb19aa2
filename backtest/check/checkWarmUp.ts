import { INTERVAL_MS, type Interval } from '../../src/contract/index.ts';
import { countUntil } from '../../src/env/index.ts';
import type { LoadedTape } from '../../src/operate/run/index.ts';
import type { PlannedStrategy } from '../../src/runtime/index.ts';
import type { Bench } from './Bench.ts';
import { toFinding } from './Finding.ts';
import { firstDifference, type Parting } from './firstDifference.ts';
import type { CheckedRun } from './runIntents.ts';
import { withoutRefNames } from './withoutRefNames.ts';

/** Factor by which strategies get more history than they requested. */
const WARM_UPS = [2, 4] as const;
const MOST_WARM_UP = 5_000;
/** History in a first comparison for a strategy that asks for less: a multiple of no bars, or of one, shows nothing. */
const SOME_BARS = 40;
/** The fewest bars that are a history to one that asks for none. */
const FEWEST_BARS = 20;
/**
 * Recursive averages depend slightly on their start and may move a price by a tick; that is only noted.
 */
const DRIFT = 0.001;

const NEEDS_MORE = 'its decisions change with more history than it asks for: raise its warm-up';
const NEEDS_SOME =
  'its decisions change if it has a history, and it asks for none: give it a `warmup`, or decide by the bar alone';
const COUNTS_REFS =
  'only the refs of its intents change with more history: it counts from its start, so that after a restart a ref may ' +
  "be used twice. Make it of the bar's time, or keep the count in its state";
const MOST_ASKED = `it asks for ${MOST_WARM_UP} bars, and no subscription begins with more: ask for fewer`;
const IDLE = 'it decided nothing from the middle of the tape on: use one on which it trades there';

/** Runs from the middle of the tape, with more history than strategies request: it must change nothing. */
export async function checkWarmUp(bench: Bench): Promise<void> {
  const { tape, startTime, base, run, findings, notes, unchecked } = bench;
  const middle = middleOf(tape, startTime);
  const usual = await run('from the middle of the tape', { startTime: middle });
  const bars = historyBefore(tape, base, middle);
  const asked = tape.strategies.map(warmUpOf);
  if (asked.every((each) => each >= MOST_WARM_UP)) {
    unchecked.set('warm-up', MOST_ASKED);
    return;
  }
  for (const factor of WARM_UPS) {
    const needed = Math.max(...asked.map((each) => fewestFor(each, factor)));
    if (bars < needed) {
      const missing = `the tape has ${bars} bars before its middle, and ${needed} are needed`;
      if (factor > WARM_UPS[0])
        notes.push(`warm-up: only compared with ${WARM_UPS[0]} × of it: ${missing}.`);
      else unchecked.set('warm-up', `${missing}: use a longer one`);
      return;
    }
    const longer = withWarmUp(tape, factor, bars);
    const what = asked.some((each) => each > 0) ? `with ${factor} × the warm-up` : 'with a history';
    const more = await run(what, { tape: longer, startTime: middle });
    if (usual.intents.length + more.intents.length === 0) unchecked.set('warm-up', IDLE);
    const drift = firstDifference(usual.intents, more.intents);
    if (drift === undefined) continue;
    const parting = firstDifference(usual.intents, more.intents, DRIFT);
    if (parting === undefined) notes.push(driftNote(drift));
    else {
      const [one, other] = [usual, more].map(({ intents }) => withoutRefNames(intents));
      const beyondRefs = firstDifference(one!, other!, DRIFT);
      const meaning = beyondRefs === undefined ? COUNTS_REFS : meaningOf(tape, beyondRefs);
      findings.push(toFinding('warm-up', meaning, beyondRefs ?? parting));
    }
    return;
  }
}

function meaningOf({ strategies }: LoadedTape, { one, other }: Parting): string {
  const { instance } = (one ?? other)!;
  const planned = strategies.find(({ name }) => name === instance);
  return planned !== undefined && warmUpOf(planned) === 0 ? NEEDS_SOME : NEEDS_MORE;
}

function driftNote({ one, other, words }: Parting): string {
  const { instance, decisionKey } = (one ?? other)!;
  const moved = `with more warm-up ${instance} makes the same decisions, with numbers within 0.1 %`;
  return `warm-up: ${moved}, first in ${decisionKey} (${words.join(', ')}).`;
}

/** The middle of the traded span; of the whole tape if trading begins at the end of the warm-up. */
function middleOf({ data }: LoadedTape, startTime = 0): number {
  const middles = data.feeds.map(({ time }) => {
    const first = countUntil(time, startTime - 1);
    return time[(first + time.length) >> 1] ?? 0;
  });
  return Math.max(...middles);
}

const warmUpOf = ({ strategy, params }: PlannedStrategy): number => strategy.warmup?.(params) ?? 0;

/** Bars of history without which a comparison would show nothing. */
const fewestFor = (asked: number, factor: number): number =>
  Math.min(MOST_WARM_UP, asked === 0 ? FEWEST_BARS : asked * factor);

/** @param bars that the tape has before the start: those who ask for few get more, as far as there are some */
function withWarmUp(tape: LoadedTape, factor: number, bars: number): LoadedTape {
  const least = Math.min(bars, (SOME_BARS * factor) / WARM_UPS[0]);
  const strategies = tape.strategies.map((planned) => {
    const longer = Math.min(MOST_WARM_UP, Math.max(least, warmUpOf(planned) * factor));
    return { ...planned, strategy: { ...planned.strategy, warmup: () => longer } };
  });
  return { ...tape, strategies };
}

const BAR_CAUSE = /bar:[^#]*?:(\d+[a-z]):\d+#/;

/** Whole bars before an instant, in the longest bars that caused decisions. */
function historyBefore(tape: LoadedTape, { intents }: CheckedRun, moment: number): number {
  const causes = intents.map(({ decisionKey }) => BAR_CAUSE.exec(decisionKey)?.[1]);
  const lengths = causes.map((interval) => INTERVAL_MS[interval as Interval] ?? 0);
  const own = tape.data.feeds.map(({ interval }) => INTERVAL_MS[interval]);
  const start = Math.max(...tape.data.feeds.map(({ time }) => time[0] ?? 0));
  const longest = lengths.reduce((most, length) => Math.max(most, length), Math.max(...own));
  return Math.floor((moment - start) / longest);
}
