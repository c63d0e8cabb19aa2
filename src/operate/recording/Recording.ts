import type { InstrumentRecord } from '../../contract/index.ts';
import type { RecordedEmission, RecordedLine } from '../../strategy/recording/index.ts';
import type { LifeHistory } from './withHistory.ts';

export const RECORDING_FORMAT = 'trimtab-recording';
export const RECORDING_VERSION = 1;

/** One instance as it was run. */
export interface RecordedInstance {
  name: string;
  /** The configuration's `use`, resolved. */
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
  /** Shortest Pacemaker that the service accepted; absent in older recordings, which had 60. */
  pacemaker_min_seconds?: number;
  instances: readonly RecordedInstance[];
  instruments: readonly InstrumentRecord[];
}

/** The content of one instance, as found when its recording was checked. */
export interface InstanceListing {
  /** Number of its lines. */
  lines: number;
  /** Its intents, in order. */
  emissions: readonly RecordedEmission[];
  /** The history of candles that it received, by life. */
  histories: readonly LifeHistory[];
}

/** A line of the file, and its instance. */
export interface RecordedRow {
  instance: string;
  line: RecordedLine;
}

/** A recording that was read and checked: the content of each instance, by its name. */
export interface Recording {
  header: RecordingHeader;
  instances: ReadonlyMap<string, InstanceListing>;
  /**
   * The lines of all instances as they are in the file. They are read again each time, so that a
   * recording of months takes no more memory than one of an hour.
   *
   * @throws Error if the file has changed since it was checked
   */
  rows(): Iterable<RecordedRow>;
  /** False for a file that ends before its bot did: its content is still valid. */
  isComplete: boolean;
}
