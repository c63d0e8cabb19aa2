import { INTERVAL_MS, type Interval } from '../../src/contract/index.ts';
import type { LoadedTape } from '../../src/operate/run/index.ts';
import { countUntil } from '../../src/paper/index.ts';
import type { PlannedStrategy } from '../../src/runtime/index.ts';
import type { Bench } from './Bench.ts';
import { toFinding } from './Finding.ts';
import { firstDifference, type Parting } from './firstDifference.ts';
import type { CheckedRun } from './runIntents.ts';

/** Factor by which strategies get more history than they requested. */
const WARM_UPS = [2, 4] as const;
const MOST_WARM_UP = 5_000;
/**
 * Recursive averages depend slightly on their start and may move a price by a tick; that is only noted.
 */
const DRIFT = 0.001;

const NEEDS_MORE = 'its decisions change with more history than it asks for: raise its warm-up';

/** Runs from the middle of the tape, with more history than strategies request: it must change nothing. */
export async function checkWarmUp(bench: Bench): Promise<void> {
  const { tape, startTime, base, run, findings, notes } = bench;
  const middle = middleOf(tape, startTime);
  const usual = await run('from the middle of the tape', { startTime: middle });
  const asked = Math.max(...tape.strategies.map(warmUpOf));
  for (const factor of WARM_UPS) {
    if (!hasHistory(tape, base, [middle, Math.min(MOST_WARM_UP, asked * factor)])) {
      const missing = `the tape has too little history for ${factor} × of it; use a longer one`;
      notes.push(`warm-up: ${missing}.`);
      return;
    }
    const longer = withWarmUp(tape, factor);
    const more = await run(`with ${factor} × the warm-up`, { tape: longer, startTime: middle });
    const drift = firstDifference(usual.intents, more.intents);
    if (drift === undefined) continue;
    const parting = firstDifference(usual.intents, more.intents, DRIFT);
    if (parting === undefined) notes.push(driftNote(drift));
    else findings.push(toFinding('warm-up', NEEDS_MORE, parting));
    return;
  }
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

function withWarmUp(tape: LoadedTape, factor: number): LoadedTape {
  const strategies = tape.strategies.map((planned) => {
    const bars = Math.min(MOST_WARM_UP, warmUpOf(planned) * factor);
    return { ...planned, strategy: { ...planned.strategy, warmup: () => bars } };
  });
  return { ...tape, strategies };
}

const BAR_CAUSE = /bar:[^#]*?:(\d+[a-z]):\d+#/;

/** Whether there is enough history before an instant, in the longest bars that caused decisions. */
function hasHistory(
  tape: LoadedTape,
  { intents }: CheckedRun,
  need: [moment: number, bars: number],
) {
  const [moment, bars] = need;
  const causes = intents.map(({ decisionKey }) => BAR_CAUSE.exec(decisionKey)?.[1]);
  const lengths = causes.map((interval) => INTERVAL_MS[interval as Interval] ?? 0);
  const own = tape.data.feeds.map(({ interval }) => INTERVAL_MS[interval]);
  const start = Math.max(...tape.data.feeds.map(({ time }) => time[0] ?? 0));
  const longest = lengths.reduce((most, length) => Math.max(most, length), Math.max(...own));
  return moment - start >= bars * longest;
}
