import type { FailureCode } from '../contract/index.ts';
import type { LinkFault } from '../env/Link.ts';

/** A fault in a stream's delivery; the stream continues after each. */
export type StreamFault =
  /** Frames are missing, or (`expected` = `got`) one is of an earlier time; a fresh snapshot was requested. */
  | { kind: 'gap'; channel: string; params: object; expected: number; got: number }
  /** A subscription without its snapshot; it was requested again. */
  | { kind: 'no_snapshot'; channel: string; params: object }
  /** The service's clock was set back by this much; what it sends now is treated as a new sequence. */
  | { kind: 'clock_back'; channel: string; params: object; byMs: number }
  /** The outage was longer than the snapshot reaches back; times are open times, both missing. */
  | { kind: 'candles_missing'; channel: string; params: object; from: number; until: number }
  /** A read of candles failed; it is retried. */
  | { kind: 'read_failed'; channel: string; params: object; reason: string }
  | LinkFault;

export type ReportFault = (fault: StreamFault) => void;

/** The row of FAILURES that a fault belongs to; a kind without a row does not compile. */
export function streamFailureCode({ kind }: Pick<StreamFault, 'kind'>): FailureCode {
  return `TRIMTAB_STREAM_${kind.toUpperCase() as Uppercase<StreamFault['kind']>}`;
}
