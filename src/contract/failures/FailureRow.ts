/** What a code means, and what to do about it: two sentences or three, for whoever looks the code up. */
export interface FailureRow {
  meaning: string;
  remedy: string;
}
