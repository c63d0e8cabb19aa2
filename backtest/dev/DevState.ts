/** A figure beside the one of the run before it. */
export interface DevRow {
  name: string;
  now: string;
  /** Absent where it is the same, and in the first run. */
  before?: string;
}

/** What terminal and page show. */
export interface DevState {
  bot: string;
  /** Number of the newest run; 1 is the first. */
  run: number;
  status: 'running' | 'done' | 'fault';
  /** The files that changed, relative to the working directory. */
  changed: readonly string[];
  /** Of the last run that had figures. */
  rows: readonly DevRow[];
  bars: number;
  /** Milliseconds from the change, or the start, to the figures. */
  tookMs: number;
  notes: readonly string[];
  /** Number of the run that the figures are from. */
  figuresOf: number;
  /** What ended the newest run, or a strategy in it, with file and line. */
  fault?: string;
  /** Number of the run whose report `/report` is; 0 is none. */
  report: number;
}
