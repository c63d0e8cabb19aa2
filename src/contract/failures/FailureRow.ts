/** The meaning of a code and the remedy, in two or three sentences. */
export interface FailureRow {
  meaning: string;
  remedy: string;
}
