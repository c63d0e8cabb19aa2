import { describeNotice } from '../../src/operate/run/index.ts';
import type { Bench } from './Bench.ts';

const STATE_IN_WARM_UP =
  "it sets its state in warm-up and is refused: a restart replays those bars and would overwrite the state with old values. Ask `ctx.liveness() === 'live'` first, or set `writesInWarmUp: true` in the state's definition";

/** The notices of the run as configured: a warm-up that is too short, a state that is set in it. */
export function checkNotices({ base, findings, notes }: Bench): void {
  for (const { instance, notice } of base.run.notices) {
    if (notice.kind !== 'state_in_warm_up') {
      const about = notice.kind === 'warm_up_short' ? 'warm-up' : 'percent';
      notes.push(`${about}: ${describeNotice(instance, notice)}`);
      continue;
    }
    const { cause: decisionKey, time } = notice;
    findings.push({ check: 'state', time, instance, decisionKey, words: [STATE_IN_WARM_UP] });
  }
}
