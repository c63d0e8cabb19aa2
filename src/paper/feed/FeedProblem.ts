/** A problem in a feed: what it is, where, and the remedy. */
export interface FeedProblem {
  file: string;
  /** 1 is the header; null for the file as a whole. */
  line: number | null;
  column: string | null;
  /** The value found there. */
  value: string | null;
  message: string;
  remedy: string;
}

/** Remedy for a valid file that is not a feed. */
export const IMPORT = '`trimtab data import` makes a feed of a file with other columns or times.';

export type FeedResult<T> = { ok: true; value: T } | { ok: false; problem: FeedProblem };

/** A problem with a whole file, or with one of its lines. */
export function fileFault(
  file: string,
  message: string,
  remedy: string,
  line: number | null = null,
): { ok: false; problem: FeedProblem } {
  return { ok: false, problem: { file, line, column: null, value: null, message, remedy } };
}

/** `prices.csv:17: column high: "abc" is not a number. Write it as a plain decimal, …` */
export function describeFeedProblem(problem: FeedProblem): string {
  const { file, line, column, value, message, remedy } = problem;
  const place = line === null ? file : `${file}:${line}`;
  const field = column === null ? '' : ` column ${column}:`;
  const what = value === null ? message : `${shown(value)} ${message}`;
  return `${place}:${field} ${what} ${remedy}`;
}

const LONGEST = 120;

/** A file of another kind may be one single line. */
function shown(value: string): string {
  return JSON.stringify(value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value);
}
