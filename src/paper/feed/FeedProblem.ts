/** What is wrong with a feed, where, and what to do about it. */
export interface FeedProblem {
  file: string;
  /** 1 is the header; null where the file as a whole is meant. */
  line: number | null;
  column: string | null;
  /** What stands there. */
  value: string | null;
  message: string;
  remedy: string;
}

export type FeedResult<T> = { ok: true; value: T } | { ok: false; problem: FeedProblem };

/** `prices.csv:17: column high: "abc" is not a number. Write it as a plain decimal, …` */
export function describeFeedProblem(problem: FeedProblem): string {
  const { file, line, column, value, message, remedy } = problem;
  const place = line === null ? file : `${file}:${line}`;
  const field = column === null ? '' : ` column ${column}:`;
  const what = value === null ? message : `${JSON.stringify(value)} ${message}`;
  return `${place}:${field} ${what} ${remedy}`;
}
