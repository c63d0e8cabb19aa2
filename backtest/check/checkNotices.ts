import { describeNotice } from '../../src/operate/run/index.ts';
import type { Bench } from './Bench.ts';

const STATE_IN_WARM_UP =
  "it writes its state in warm-up: a restart goes through those bars again, and writes what was so then. Ask `ctx.liveness() === 'live'` first";

/** The notices of the run as configured: a warm-up that is too short, a state that is written in it. */
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
