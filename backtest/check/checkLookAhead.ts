import type { LoadedTape } from '../../src/operate/run/index.ts';
import { boundaryBefore } from '../barBoundary.ts';
import type { Bench } from './Bench.ts';
import { toFinding } from './Finding.ts';
import { firstDifference } from './firstDifference.ts';
import type { CheckedRun } from './runIntents.ts';
import { truncateTape } from './truncateTape.ts';

const LOOKS_AHEAD = 'its decisions change when the tape ends later: it looks ahead';
const NOT_CUT =
  'no decision came before an instant at which the tape was ended: use a longer tape, or more --points';

/** Truncates the tape at many instants: all decisions until then must be the same, byte for byte. */
export async function checkLookAhead(bench: Bench, points: number): Promise<void> {
  const { tape, base, run, findings, unchecked } = bench;
  let compared = 0;
  for (const until of truncationPoints(tape, base, points)) {
    const cut = truncateTape(tape, until);
    try {
      const short = await run(`tape ended at ${new Date(until).toISOString()}`, { tape: cut.tape });
      const known = base.intents.filter(({ time }) => time <= until);
      const parting = firstDifference(short.intents, known);
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
}

/** Evenly over the traded span, at the close of bars with decisions if there are any. */
function truncationPoints(tape: LoadedTape, { intents, run }: CheckedRun, count: number): number[] {
  const { startTime, endTime } = run.data;
  const points = new Set<number>();
  for (let at = 1; at <= count; at++) {
    const wanted = startTime + ((endTime - startTime) * at) / (count + 1);
    const near = intents.find(({ time }) => time >= wanted)?.time ?? wanted;
    const aligned = boundaryBefore(tape.data.feeds, near);
    if (aligned > startTime && aligned < endTime) points.add(aligned);
  }
  return [...points];
}
