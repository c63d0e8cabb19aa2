import { hostname, userInfo } from 'node:os';

/**
 * Who gives a command, for those who read the journal later: `ann at host`.
 *
 * @param look asks the system, which has no name for everybody: in a container often none
 */
export function personHere(look: () => { username: string } = userInfo): string {
  return `${nameOf(look)} at ${hostname()}`;
}

function nameOf(look: () => { username: string }): string {
  try {
    return look().username;
  } catch {
    return `user ${process.getuid?.() ?? 'without a name'}`;
  }
}
