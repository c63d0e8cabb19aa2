/**
 * `trimtab/conformance`: what `trimtab conformance` does, for programs and tests of a service. `runConformance` takes
 * an address and a key and gives a verdict for each clause of the contract; with `isReadOnly` nothing is written.
 * Against a paper service it drives the replay; otherwise it places orders far from the market, and ends what its key
 * has at work; see `left`.
 * A service that differs is a result, not an error; see `summary.differs`.
 */
export {
  CLAUSE_IDS,
  CLAUSES,
  formatConformance,
  runConformance,
  type CheckResult,
  type Claim,
  type ClauseId,
  type ClauseResult,
  type ConformanceOptions,
  type ConformanceResult,
  type Needs,
  type SilentPoint,
  type SilentResult,
  type Verdict,
} from './conformance/index.ts';
// A dialect other than the default is made with `createDialect` of `trimtab/service`, which has its types.
export { defaultDialect } from './contract/index.ts';
export { createLiveEnv, type Env } from './env/index.ts';
export type {
  Cancel,
  Clock,
  Labels,
  Log,
  LogFields,
  Metrics,
  Random,
  Timers,
} from './env/index.ts';
