/** What rows, labels and the journal read of a running indicator, of the catalogue or of an author. */
export interface RunningIndicator {
  readonly id: string;
  /** The parameters in force, defaults filled in. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly series: readonly string[];
  /** The current value of each series. */
  readonly values: Float64Array;
}
