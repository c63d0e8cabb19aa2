/** What may be wrong with a row, or between two. */
export const FAULT_KINDS = [
  'not_a_number',
  'impossible',
  'misaligned',
  'out_of_order',
  'duplicate',
  'gap',
] as const;
/** What a person should look at, and what may well be so. */
export const REMARK_KINDS = ['zero_volume', 'outlier', 'regime'] as const;

export type FindingKind = (typeof FAULT_KINDS)[number] | (typeof REMARK_KINDS)[number];

export interface Finding {
  kind: FindingKind;
  /** Where it begins; a gap's is the row after it. */
  line: number;
  /** Epoch milliseconds: of the row; of a gap, the first bar that is missing. */
  time: number;
  /** Bars missing in a gap, bars of a run without volume; otherwise 1. */
  rows: number;
  detail: string;
}
