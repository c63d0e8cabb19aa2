export interface ReproducibleOptions {
  /** Checked by the plugin's schema, which fills in the others. */
  params?: Readonly<Record<string, unknown>>;
  /** The symbols that it trades; default: those of the feeds. */
  symbols?: readonly string[];
  /** Cash at the start, quote units; default 10,000. */
  capital?: number;
  /** Bars of each feed that are history when trading begins; default: a quarter of the shortest feed. */
  history?: number;
  /** Open of the first bar that has no time of its own, epoch milliseconds; default 2026-01-05, 00:00 UTC. */
  startTime?: number;
  /** Instants at which the bars are cut off; default 3. */
  points?: number;
  /** Of `ctx.random()`; default 0. */
  seed?: number;
}

/** What a plugin was compared by. */
export interface Reproduced {
  /** Intents of a run; the same in each. */
  intents: number;
  /** Backtests that it took. */
  runs: number;
  /** What could not be checked, such as a longer warm-up on too few bars. */
  notes: readonly string[];
}
