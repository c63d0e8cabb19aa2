/** A possible fault of a row, or between two rows. */
export const FAULT_KINDS = [
  'not_a_number',
  'impossible',
  'misaligned',
  'out_of_order',
  'duplicate',
  'mixed_intervals',
  'gap',
] as const;
/** Findings that deserve a look but may be correct. */
export const REMARK_KINDS = ['zero_volume', 'outlier', 'regime'] as const;

export type FindingKind = (typeof FAULT_KINDS)[number] | (typeof REMARK_KINDS)[number];

/** @param allowGaps of venues that leave out bars without a trade */
export function isFault({ kind }: Finding, allowGaps: boolean): boolean {
  const faults: readonly FindingKind[] = FAULT_KINDS;
  return faults.includes(kind) && !(allowGaps && kind === 'gap');
}

export interface Finding {
  kind: FindingKind;
  /** Where it begins; for a gap, the row after it. */
  line: number;
  /** Epoch milliseconds: of the row; of a gap, the first bar that is missing. */
  time: number;
  /** Number of missing bars in a gap, or of bars in a run without volume; otherwise 1. */
  rows: number;
  detail: string;
}
