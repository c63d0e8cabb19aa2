import type { Objective } from '../../src/config/index.ts';
import { sha256 } from '../../src/env/index.ts';
import type { TapeMark } from '../../src/paper/index.ts';
import type { TimeRange } from '../TimeRange.ts';
import { shownValue, type ParamRange } from './ParamRange.ts';
import type { SourceMark } from './SourceMark.ts';
import type { WalkForward } from './walkForward.ts';

/** Everything that determines a sweep's results; equal plans have equal results. */
export interface SweepPlan {
  /** The configuration's absolute path, and a digest of its text. */
  config: string;
  configHash: string;
  /** The code that it runs: plugins, dialect module, Trimtab's version; and the files that parameters name. */
  sources: readonly SourceMark[];
  feeds: readonly string[];
  set: readonly string[];
  seed: string | null;
  params: readonly ParamRange[];
  /** Points to draw at random instead of the whole grid. */
  random: number | null;
  range: TimeRange;
  walk: WalkForward | null;
  objective: Objective;
  tape: readonly TapeMark[];
}

/** All values that its parameters have, texts without quotes. */
export const valuesOf = ({ params }: Pick<SweepPlan, 'params'>): string[] =>
  params.flatMap(({ values }) => values.map(shownValue));

/** One backtest of a sweep. */
export interface SweepJob {
  index: number;
  /** A value of each parameter, in the plan's order. */
  values: readonly string[];
  range: TimeRange;
  /** Window of a walk-forward, and whether it is trained or tested there. */
  window: number | null;
  part: 'all' | 'train' | 'test';
}

/** The path of the configuration may differ between machines; all else must not. */
export function planId({ config: _config, ...rest }: SweepPlan): string {
  return sha256(JSON.stringify(rest)).slice(0, 32);
}
