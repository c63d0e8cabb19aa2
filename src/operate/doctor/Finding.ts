/** How a check ended; only `bad` makes the command fail. */
export type FindingState = 'well' | 'note' | 'bad';

/** One row of an examination. */
export interface Finding {
  /** What was examined, in a word or two. */
  check: string;
  state: FindingState;
  text: string;
  /** What to do; absent if it is well. */
  remedy?: string;
  /** Mends it and says what was done; absent if a person has to. */
  fix?: () => string;
}

export const well = (check: string, text: string): Finding => ({ check, state: 'well', text });
export const note = (check: string, text: string, remedy: string): Finding => ({
  check,
  state: 'note',
  text,
  remedy,
});
export const bad = (check: string, text: string, remedy: string): Finding => ({
  check,
  state: 'bad',
  text,
  remedy,
});
