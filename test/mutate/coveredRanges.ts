import type { Profiler } from 'node:inspector';

/**
 * The executed ranges of a script: where each begins and ends, in turn. An inner range counts for what it holds, the
 * outer one for the rest.
 */
export function coveredRanges(functions: readonly Profiler.FunctionCoverage[]): number[] {
  const ranges = functions
    .flatMap(({ ranges: all }) => all)
    .toSorted((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  const covered: number[] = [];
  const open: Profiler.CoverageRange[] = [];
  let at = 0;
  const advanceTo = (offset: number): void => {
    if (offset > at && (open.at(-1)?.count ?? 0) > 0) add(covered, at, offset);
    at = Math.max(at, offset);
  };
  const close = (): void => {
    advanceTo(open.at(-1)!.endOffset);
    open.pop();
  };
  for (const range of ranges) {
    while (open.length > 0 && open.at(-1)!.endOffset <= range.startOffset) close();
    advanceTo(range.startOffset);
    open.push(range);
  }
  while (open.length > 0) close();
  return covered;
}

function add(covered: number[], start: number, end: number): void {
  if (covered.at(-1) === start) covered[covered.length - 1] = end;
  else covered.push(start, end);
}

/** Whether any of a range's text is executed. */
export function covers(covered: readonly number[], start: number, end: number): boolean {
  for (let index = 0; index < covered.length; index += 2) {
    if (covered[index]! < end && covered[index + 1]! > start) return true;
  }
  return false;
}
