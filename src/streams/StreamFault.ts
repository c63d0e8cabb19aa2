import type { LinkFault } from '../env/Link.ts';

/** What a stream noticed about its own delivery; streams go on after each. */
export type StreamFault =
  /** Frames are missing, or (`expected` = `got`) one is of an earlier time; a fresh snapshot was asked for. */
  | { kind: 'gap'; channel: string; params: object; expected: number; got: number }
  /** A subscription without its snapshot; it was asked for again. */
  | { kind: 'no_snapshot'; channel: string; params: object }
  /** The outage was longer than the snapshot reaches back; times are open times, both missing. */
  | { kind: 'candles_missing'; channel: string; params: object; from: number; until: number }
  /** A read of candles failed; it is tried again. */
  | { kind: 'read_failed'; channel: string; params: object; reason: string }
  | LinkFault;

export type ReportFault = (fault: StreamFault) => void;
