/** Takes why a bot does not work fully, or undefined once that is over. */
export type TakeProblem = (problem: string | undefined) => void;

/**
 * What keeps a bot from working fully: several things at once may, and the end of one is not that of another.
 *
 * @param report receives all that there is, with each change
 * @returns for each thing, by its name, where its problem is said
 */
export function createProblems(
  report: (problems: readonly string[]) => void,
): (what: string) => TakeProblem {
  const problems = new Map<string, string>();
  return (what) => (problem) => {
    if (problem === undefined) problems.delete(what);
    else problems.set(what, problem);
    report([...problems.values()]);
  };
}
