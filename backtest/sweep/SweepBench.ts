import type { MarketData } from '../../src/paper/index.ts';
import type { SweepPlan } from './SweepPlan.ts';

/** What points are computed of, in any thread of this machine. */
export interface SweepBench {
  plan: SweepPlan;
  /** The configuration's text when the plan was made: its file may be edited while the sweep runs. */
  text: string;
  data: MarketData;
}
