import { execFileSync } from 'node:child_process';
import { root } from './sourceFiles.ts';

/** What rotates moves on with every commit, or with the day where there is no history to read. */
export function currentRotation(): number {
  const given = process.env['TRIMTAB_TESTS_ROTATION'];
  if (given !== undefined) return Number(given);
  try {
    const text = execFileSync('git', ['rev-list', '--count', 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number(text);
  } catch {
    return Math.floor(Date.now() / 86_400_000);
  }
}
