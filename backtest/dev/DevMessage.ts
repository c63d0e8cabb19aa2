import type { TimeRange } from '../TimeRange.ts';

/** What `trimtab dev` runs: a configuration, with the flags that override it. */
export interface DevSettings {
  /** Path of the bot's YAML. */
  config: string;
  range: TimeRange;
  feeds: readonly string[];
  params: readonly string[];
  set: readonly string[];
}

/** A figure as text, by name; those of two runs are compared by name. */
export type DevFigure = readonly [name: string, value: string];

/** What a run did. */
export interface DevFigures {
  figures: readonly DevFigure[];
  /** Bars of the tape, over all feeds. */
  bars: number;
  /** Milliseconds from the start of loading to the figures. */
  runMs: number;
  /** Remarks on intents that were malformed or decided in warm-up. */
  notes: readonly string[];
  /** Why strategies ended before the tape did, each with its place. */
  fault?: string;
  /** The first intent that the run before decided otherwise, in words; absent where all are equal. */
  parting?: string;
}

/** A file that a run depends on; `mtimeMs` is that of its reading, undefined where it is missing. */
export interface WatchedFile {
  path: string;
  mtimeMs: number | undefined;
}

/** What the thread posts about a run. The last of a run is `report`, `fault` or `aborted`. */
export type DevMessage = { run: number } & (
  | { kind: 'file'; file: WatchedFile }
  | ({ kind: 'figures' } & DevFigures)
  | { kind: 'report'; html: string }
  /** With `endsThread` the thread can't run anything more. */
  | { kind: 'fault'; text: string; endsThread?: boolean }
  | { kind: 'aborted' }
);

/** Data of the thread. */
export interface DevThreadData {
  settings: DevSettings;
  /** Number of the newest run, in memory that is shared: an older one that sees it ends. */
  newest: Int32Array;
}
