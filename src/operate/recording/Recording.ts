import type { InstrumentRecord } from '../../contract/index.ts';
import type { RecordedLine } from '../../strategy/recording/index.ts';

export const RECORDING_FORMAT = 'trimtab-recording';
export const RECORDING_VERSION = 1;

/** One instance as it was run. */
export interface RecordedInstance {
  name: string;
  /** What the configuration's `use` said, resolved. */
  use: string;
  params: Record<string, unknown>;
  symbols: readonly string[];
  wallet: string;
  capital_share: number;
}

/** First line of the file. */
export interface RecordingHeader {
  format: typeof RECORDING_FORMAT;
  version: number;
  bot: string;
  seed: number | string;
  instances: readonly RecordedInstance[];
  instruments: readonly InstrumentRecord[];
}

/**
 * A recording read back: what each instance saw, by its name. It is read from the file anew each time that
 * it is gone through, so that a recording of months takes no more memory than one of an hour.
 */
export interface Recording {
  header: RecordingHeader;
  lines: ReadonlyMap<string, Iterable<RecordedLine>>;
  /** False for a file that ends before its bot did: all that it holds is sound. */
  isComplete: boolean;
}
