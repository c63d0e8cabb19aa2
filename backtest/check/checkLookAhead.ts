import { INTERVAL_MS } from '../../src/contract/index.ts';
import type { LoadedTape } from '../../src/operate/run/index.ts';
import { hasRequestDelay } from '../../src/runtime/index.ts';
import { boundaryBefore, longestInterval } from '../barBoundary.ts';
import type { Bench } from './Bench.ts';
import { toFinding } from './Finding.ts';
import { firstDifference } from './firstDifference.ts';
import type { CheckedRun, DecidedIntent } from './runIntents.ts';
import { truncateTape } from './truncateTape.ts';

const LOOKS_AHEAD = 'its decisions change when the tape ends later: it looks ahead';
const NOT_CUT =
  'no decision came before an instant at which the tape was ended: use a longer tape, or more --points';

/**
 * Truncates the tape at many instants: all decisions until then must be the same, byte for byte. What is under way when a
 * tape ends arrives at its end. With latency the tape therefore goes on for a bar, while the files that parameters
 * name end at the instant.
 */
export async function checkLookAhead(bench: Bench, points: number): Promise<void> {
  const { tape, base, run, findings, unchecked } = bench;
  const bar = hasLatency(tape) ? INTERVAL_MS[longestInterval(tape.data.feeds)] : 0;
  const whole = new Set<string>();
  let compared = 0;
  for (const until of truncationPoints(tape, base, points)) {
    const cut = truncateTape(tape, until + bar, until);
    for (const path of cut.whole) whole.add(path);
    try {
      const short = await run(`tape ended at ${new Date(until).toISOString()}`, { tape: cut.tape });
      const [known, decided] = [base, short].map(({ intents }) =>
        intents.filter(({ time }) => time <= until),
      ) as [DecidedIntent[], DecidedIntent[]];
      const parting = firstDifference(decided, known);
      compared += known.length;
      if (parting === undefined) continue;
      // One place is enough, and the earliest is the most useful.
      findings.push(toFinding('look-ahead', LOOKS_AHEAD, parting));
      return;
    } finally {
      cut.dispose();
    }
  }
  if (compared === 0) unchecked.set('look-ahead', NOT_CUT);
  else if (whole.size > 0) {
    const reason = `parameters name ${[...whole].join(', ')}, and only a CSV file, plain or .gz, can end earlier`;
    unchecked.set('look-ahead', reason);
  }
}

const hasLatency = ({ paper: { latency } }: LoadedTape): boolean =>
  hasRequestDelay(latency) || latency.data_ms !== 0;

/** Evenly over the traded span, at the close of bars with decisions if there are any. */
function truncationPoints(tape: LoadedTape, { intents, run }: CheckedRun, count: number): number[] {
  const { startTime, endTime } = run.data;
  // What is decided upon a bar's frame comes after the bar's close by the frame's latency.
  const isLate = tape.paper.latency.data_ms !== 0;
  // A millisecond before the next close, which the files must lack.
  const late = isLate ? INTERVAL_MS[longestInterval(tape.data.feeds)] - 1 : 0;
  const points = new Set<number>();
  for (let at = 1; at <= count; at++) {
    const wanted = startTime + ((endTime - startTime) * at) / (count + 1);
    const near = intents.find(({ time }) => time >= wanted)?.time ?? wanted;
    const aligned = boundaryBefore(tape.data.feeds, near) + late;
    if (aligned > startTime && aligned < endTime) points.add(aligned);
  }
  return [...points];
}
