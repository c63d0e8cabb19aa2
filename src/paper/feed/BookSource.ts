export interface BookSource {
  bytes: Uint8Array;
  file: string;
  /** The whole book to which the changes of a depth file apply. */
  snapshot?: { bytes: Uint8Array; file: string };
  /** Offset from the recorder's stamps to the venue's clock, for a file that has no other stamps. */
  clockOffsetMs: number | null;
}
