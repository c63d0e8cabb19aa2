export interface BookSource {
  bytes: Uint8Array;
  file: string;
  /** The whole book that the changes of a depth file begin with. */
  snapshot?: { bytes: Uint8Array; file: string };
  /** What brings the recorder's stamps to the venue's clock, where a file has no other. */
  clockOffsetMs: number | null;
}
