import { hostname, userInfo } from 'node:os';

/**
 * The user who sends a command, for the journal: `ann at host`.
 *
 * @param look asks the system, which may have no name for a user, often in a container
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
