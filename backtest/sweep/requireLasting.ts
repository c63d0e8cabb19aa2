/** What a machine lacks for a while: files, processes, memory, room on a disk. */
const PASSING = /\b(?:EMFILE|ENFILE|EAGAIN|ENOMEM|ENOSPC)\b/;

/**
 * Refuses a fault that says nothing about its point: stored as its result, it would be one for good.
 *
 * @throws for what another attempt may not meet
 */
export function requireLasting(fault: string): void {
  if (!PASSING.test(fault)) return;
  const remedy =
    'The machine lacked that for a while, so that no result was stored: the same command resumes.';
  throw new Error(`${fault}\n  ${remedy}`);
}
