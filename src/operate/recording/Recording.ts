import type { InstrumentRecord } from '../../contract/index.ts';
import type { RecordedEmission, RecordedLine } from '../../strategy/recording/index.ts';
import type { LifeHistory } from './withHistory.ts';

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
  /** Shortest Pacemaker that the service took; absent in older recordings, which had 60. */
  pacemaker_min_seconds?: number;
  instances: readonly RecordedInstance[];
  instruments: readonly InstrumentRecord[];
}

/** What was found of one instance when its recording was checked. */
export interface InstanceListing {
  /** How many lines are its own. */
  lines: number;
  /** Its intents, in their order. */
  emissions: readonly RecordedEmission[];
  /** What candles told it before they went on, by life. */
  histories: readonly LifeHistory[];
}

/** A line of the file, and whose it is. */
export interface RecordedRow {
  instance: string;
  line: RecordedLine;
}

/** A recording that was read and checked: what it holds of each instance, by its name. */
export interface Recording {
  header: RecordingHeader;
  instances: ReadonlyMap<string, InstanceListing>;
  /**
   * The lines of all instances as they stand in the file. They are read anew each time, so that a recording of
   * months takes no more memory than one of an hour.
   *
   * @throws Error where the file is not what was checked any more
   */
  rows(): Iterable<RecordedRow>;
  /** False for a file that ends before its bot did: all that it holds is sound. */
  isComplete: boolean;
}
